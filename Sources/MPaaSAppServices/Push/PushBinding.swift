/// The fact that a device's token for remote notifications belongs to a user.
public struct PushBinding: Sendable, Hashable, Codable {
  /// The device token: small hexadecimal digits without blanks.
  public var token: String
  /// The user who is signed in; nil unbinds the token from any.
  public var userID: String?
  /// The app's ID for remote notifications: `mPaasPushAppId`.
  public var appID: String
  /// The installation of the app, whose former token this one replaces.
  public var installationID: String

  /// Creates a binding.
  public init(token: String, userID: String?, appID: String, installationID: String) {
    self.token = token
    self.userID = userID
    self.appID = appID
    self.installationID = installationID
  }
}

/// A binding that the server knows, as the app keeps it.
public struct KeptPushBinding: Sendable, Hashable, Codable {
  /// The binding that the server was told.
  public var binding: PushBinding
  /// The second since 1970 at which it was told; long before all others where the server may not know it.
  public var reported: Double

  /// The time of a binding that was being told, and perhaps did not reach the server.
  static let inDoubt = -Double.greatestFiniteMagnitude

  /// Creates a kept binding.
  public init(binding: PushBinding, reported: Double) {
    self.binding = binding
    self.reported = reported
  }
}

/// The functions that an app lends to its push service.
public struct PushServiceConfiguration: Sendable {
  /// The app's ID for remote notifications, such as `SettingService` has it.
  public var appID: String
  /// A name that this installation keeps as long as the app is not removed.
  public var installationID: String
  /// Tells the server a binding; throws where the server does not know it for sure.
  public var report: @Sendable (PushBinding) async throws -> Void
  /// The binding that the server was told last; nil for none.
  public var kept: @Sendable () -> KeptPushBinding?
  /// Keeps a binding that the server was told, or is about to be told in the place of another one.
  public var keep: @Sendable (KeptPushBinding) -> Void
  /// The time in seconds since 1970.
  public var now: @Sendable () -> Double
  /// Seconds after which a binding is told again though nothing has changed; seven days by itself.
  public var refreshInterval = 604_800.0

  /// Creates a configuration; by itself nothing is kept, and the first token of each start is told.
  public init(
    appID: String, installationID: String, now: @escaping @Sendable () -> Double,
    kept: @escaping @Sendable () -> KeptPushBinding? = { nil },
    keep: @escaping @Sendable (KeptPushBinding) -> Void = { _ in },
    report: @escaping @Sendable (PushBinding) async throws -> Void
  ) {
    self.appID = appID
    self.installationID = installationID
    self.now = now
    self.kept = kept
    self.keep = keep
    self.report = report
  }
}
