public import MPaaSTime

/// The facts that an app tells the kit about itself: mPaaS's `mPaasAppInterface`, as far as it makes sense off the
/// phone.
///
/// Each point has a default, so that an app writes those that it has something to say to:
/// ```swift
/// struct ShopInterface: MPaaSAppInterface {
///   let appKey: String? = "SHOP_IOS"
///   let workspaceID: String? = "default"
///   var userID: String? { Session.current?.user }
/// }
/// let context = try MobileContext(.mobileRuntime, interface: ShopInterface())
/// ```
/// Points are asked when they are needed, from any thread: what changes, such as the user, may be computed. The
/// framework itself asks for `gateway`, `commonInterceptor`, `schemeHandlers`, `canOpen`, the names of login and logout
/// and the points of the launch; the rest is for services, which find it in `MobileContext.interface`.
/// `Documentation/Framework.md` has the old names beside these.
public protocol MPaaSAppInterface: Sendable {
  // MARK: The app

  /// The app's key on the platform, such as `SHOP_IOS`; nil where it uses none of the platform's services.
  var appKey: String? { get }
  /// The workspace of the platform that the app belongs to.
  var workspaceID: String? { get }
  /// The product ID that reports and logs file the app under; `appKey-workspaceID` by itself.
  var productID: String? { get }
  /// The version that users see: `1.4.2`.
  var productVersion: String { get }
  /// A short name for logs and addresses: `shop`.
  var briefName: String? { get }
  /// The bundle identifier; nil where there is no bundle.
  var bundleIdentifier: String? { get }
  /// The bundle identifier of release candidates, which stand beside the released app; nil where there are none.
  var releaseCandidateBundleIdentifier: String? { get }
  /// Through which shop or channel the app came to its user.
  var channel: String { get }
  /// The language of texts; that of the process's locale by itself.
  var language: TextLanguage { get }
  /// The app's texts in its languages, as `LanguageTexts(bundle:)` reads them; none by itself.
  var languageTexts: LanguageTexts { get }
  /// The languages that the system asks for, the dearest language first; the process's locale by itself.
  var systemLanguages: [AppLanguage] { get }
  /// The place that keeps the language that a user chose.
  var languagePreference: LanguagePreference { get }

  // MARK: The user and the device

  /// The user who is logged in; nil while none is.
  var userID: String? { get }
  /// The ID of the user's session; nil where there is none.
  var sessionID: String? { get }
  /// The name of the event that tells of a login; see `MobileContext.announceLogin()`.
  var loginNotificationName: String { get }
  /// The name of the event that tells of a logout.
  var logoutNotificationName: String { get }
  /// A name for the device that stays the same (the old `utdid`); it is no secret.
  var deviceID: String? { get }

  // MARK: The servers

  /// The settings that `GatewayConfig.plist` gives for each environment.
  var gateway: GatewayConfiguration? { get }
  /// The user's choice in the system's settings; nil where the app has no page there.
  var gatewayChoice: GatewayChoice? { get }
  /// After how long a call without an answer has failed.
  var rpcTimeout: TimeSpan { get }
  /// Tells whether calls are signed.
  var signsRPC: Bool { get }
  /// The name of the key that signs calls; nil for the app's own.
  var rpcSignKeyName: String? { get }
  /// Sees every call of the app; nil for none. `RPCInterceptors` makes one of several.
  var commonInterceptor: (any RPCInterceptor)? { get }
  /// The address of the server that pushes data as it changes; nil for none.
  var syncServer: SyncServer? { get }
  /// Hosts whose addresses are looked up by HTTP instead of DNS.
  var httpDNSHosts: [String] { get }
  /// The address of the server that sends notifications; nil where it is the gateway's.
  var pushServerURL: String? { get }
  /// The app's id for remote notifications; nil where it is the gateway's (`gatewaySettings()?.pushAppID`).
  var pushAppID: String? { get }

  // MARK: Logs and diagnostics

  /// The logs that are uploaded unless the server says otherwise.
  var uploadedLogs: Set<LogKind> { get }
  /// The time after a report of use in which the return to the foreground is not reported again; zero for each time.
  var activityInterval: TimeSpan { get }
  /// Tells whether crashes, hangs and the time that modules take are recorded.
  var recordsDiagnostics: Bool { get }
  /// Tells whether the app writes its log to the console.
  var logsToConsole: Bool { get }

  // MARK: Storage and hotpatches

  /// The key of 32 bytes for encrypted storage; nil where nothing is encrypted.
  var storageKey: [UInt8]? { get }
  /// The name of the key that decrypts hotpatches.
  var hotpatchKeyName: String? { get }

  // MARK: URLs

  /// Classes that open URLs, in the order in which they are asked.
  @MainActor var schemeHandlers: [any SchemeHandler.Type] { get }
  /// Tells whether a URL is for this app at all: for builds that share a device and differ by their scheme.
  func canOpen(_ url: AppURL) -> Bool

  // MARK: The launch and events

  /// The launch begins: no module and no service is there yet.
  @MainActor func willLaunch(in context: MobileContext) throws
  /// Modules and services are there; the launcher micro-app is about to be started.
  @MainActor func willStartLauncher(in context: MobileContext) throws
  /// The launch is done.
  @MainActor func didLaunch(in context: MobileContext) throws
  /// The system told the app something; modules hear it afterwards.
  @MainActor func handle(_ event: SystemEvent, in context: MobileContext) throws
}

/// Kinds of logs, as the log service files them.
public enum LogKind: String, Sendable, Hashable, CaseIterable {
  case behavior
  case crash
  case auto
  case performance
  case diagnosis
}

/// The server that pushes data as it changes.
public struct SyncServer: Sendable, Hashable {
  /// The name or address of the server.
  public let host: String
  /// The port of TCP that the server listens on.
  public let port: Int
  /// The app's name there.
  public let appName: String

  /// Makes the place of a server.
  public init(host: String, port: Int, appName: String) {
    self.host = host
    self.port = port
    self.appName = appName
  }
}
