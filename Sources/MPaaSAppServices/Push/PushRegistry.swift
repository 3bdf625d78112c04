import MPaaSProtocol
import MPaaSSupport

/// The registry of the operator's server (`mpaas serve`), as an app tells it tokens.
public struct PushRegistry: Sendable {
  /// The environments of APNs, each with tokens of its own.
  public enum Environment: String, Sendable, CaseIterable {
    /// Apps from the App Store and TestFlight, and for in-house distribution.
    case production
    /// Apps that Xcode has installed.
    case sandbox
  }

  /// The server that is told.
  public var server: AppServer
  /// The topic of APNs: the app's bundle identifier, or the package's name for FCM.
  public var topic: String
  /// The environment that the app was signed for.
  public var environment: Environment
  /// The language of the user: `zh-Hans-CN`.
  public var locale: String?
  /// Words by which operators choose receivers, at most 50; asked for with each report.
  public var tags: @Sendable () -> [String] = { [] }

  /// The zone of the user's clocks, `TimeZone.current.identifier`, for which campaigns keep quiet hours; asked for with
  /// each report.
  public var timezone: @Sendable () -> String? = { nil }
  /// The version of the app.
  public var version: String?

  /// Describes the installation to a server.
  public init(_ server: AppServer, topic: String, environment: Environment = .production) {
    (self.server, self.topic, self.environment) = (server, topic, environment)
  }

  /// Tells the server a binding, in the place of the one that the installation had.
  ///
  /// - Throws: `AppServiceError` where the server cannot be told, or does not take it.
  public func report(_ binding: PushBinding, at time: Double) async throws(AppServiceError) {
    let installation = PushInstallation(
      installation: binding.installationID, token: binding.token, user: binding.userID, topic: topic,
      environment: environment == .production ? .production : .sandbox, locale: locale, tags: tags(),
      timezone: timezone(), version: version, registered: time)
    let _: PushRegistration = try await server.ask("POST", ServerPaths.pushInstallations, json: installation)
  }

  /// Takes an installation out with its tokens, for users who want no notifications any more.
  ///
  /// - Throws: `AppServiceError` where the server cannot be told.
  public func remove(_ installationID: String) async throws(AppServiceError) {
    let path = ServerPaths.pushInstallations + "/" + PercentEncoding.encode(installationID)
    let _: PushRegistration = try await server.ask("DELETE", path)
  }
}

extension PushServiceConfiguration {
  /// Creates a configuration that tells a registry; by itself nothing is kept, and the first token of each start is told.
  public init(
    _ registry: PushRegistry, appID: String, installationID: String, now: @escaping @Sendable () -> Double,
    kept: @escaping @Sendable () -> KeptPushBinding? = { nil },
    keep: @escaping @Sendable (KeptPushBinding) -> Void = { _ in }
  ) {
    self.init(appID: appID, installationID: installationID, now: now, kept: kept, keep: keep) { binding in
      try await registry.report(binding, at: now())
    }
  }
}
