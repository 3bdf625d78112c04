public import MPaaSTime

extension MPaaSAppInterface {
  /// Nil by default: the app uses none of the platform's services.
  public var appKey: String? { nil }
  /// Nil by default: the app belongs to no workspace.
  public var workspaceID: String? { nil }
  /// The app's key and workspace, joined by a hyphen; the key alone without a workspace, and nil without a key.
  public var productID: String? {
    if let appKey, let workspaceID { "\(appKey)-\(workspaceID)" } else { appKey }
  }
  /// The version `1.0.0` by default.
  public var productVersion: String { "1.0.0" }
  /// Nil by default: the app has no short name.
  public var briefName: String? { nil }
  /// Nil by default: the app has no bundle.
  public var bundleIdentifier: String? { nil }
  /// Nil by default: release candidates have no bundle of their own.
  public var releaseCandidateBundleIdentifier: String? { nil }
  /// The channel `default`, unless the app names another.
  public var channel: String { "default" }
  /// The language of the process's locale by default.
  public var language: TextLanguage { .ofEnvironment }
  /// No texts by default: each key stands for itself.
  public var languageTexts: LanguageTexts { .none }
  /// The languages that the system's settings or the process's locale name, the dearest first.
  public var systemLanguages: [AppLanguage] { AppLanguage.ofSystem }
  /// The app's defaults on systems of Apple; elsewhere the choice ends with the app.
  public var languagePreference: LanguagePreference {
    #if canImport(Darwin)
      .defaults
    #else
      .none
    #endif
  }
  /// Nil by default: no user is logged in.
  public var userID: String? { nil }
  /// Nil by default: there is no session.
  public var sessionID: String? { nil }
  /// The name `mpaas.login` by default.
  public var loginNotificationName: String { "mpaas.login" }
  /// The name `mpaas.logout` by default.
  public var logoutNotificationName: String { "mpaas.logout" }
  /// Nil by default: the device has no name.
  public var deviceID: String? { nil }
  /// Nil by default: the app has no `GatewayConfig.plist`.
  public var gateway: GatewayConfiguration? { nil }
  /// Nil by default: the app has no page in the system's settings.
  public var gatewayChoice: GatewayChoice? { nil }
  /// Thirty seconds by default.
  public var rpcTimeout: TimeSpan { .seconds(30) }
  /// True by default: calls are signed.
  public var signsRPC: Bool { true }
  /// Nil by default: the app's own key signs calls.
  public var rpcSignKeyName: String? { nil }
  /// Nil by default: calls go to the server unseen.
  public var commonInterceptor: (any RPCInterceptor)? { nil }
  /// Nil by default: no server pushes data.
  public var syncServer: SyncServer? { nil }
  /// No hosts by default: DNS looks up all addresses.
  public var httpDNSHosts: [String] { [] }
  /// Nil by default: the gateway's settings name the server.
  public var pushServerURL: String? { nil }
  /// Nil by default: the gateway's settings name the app's ID.
  public var pushAppID: String? { nil }
  /// The logs of behavior, crashes and the automatic ones by default.
  public var uploadedLogs: Set<LogKind> { [.behavior, .crash, .auto] }
  /// Zero by default: each return to the foreground is reported.
  public var activityInterval: TimeSpan { .zero }
  /// True by default: crashes, hangs and the time that modules take are recorded.
  public var recordsDiagnostics: Bool { true }
  /// False by default: the log stays out of the console.
  public var logsToConsole: Bool { false }
  /// Nil by default: storage is not encrypted.
  public var storageKey: [UInt8]? { nil }
  /// Nil by default: no key decrypts hotpatches.
  public var hotpatchKeyName: String? { nil }
  /// The class `StartApplicationHandler` alone by default, which starts micro-apps by URL.
  @MainActor public var schemeHandlers: [any SchemeHandler.Type] { [StartApplicationHandler.self] }
  /// Returns true by default: each URL is for the app.
  public func canOpen(_ url: AppURL) -> Bool { true }
  /// Does nothing by default as the launch begins.
  public func willLaunch(in context: MobileContext) throws {}
  /// Does nothing by default before the launcher starts.
  public func willStartLauncher(in context: MobileContext) throws {}
  /// Does nothing by default once the launch is done.
  public func didLaunch(in context: MobileContext) throws {}
  /// Ignores events of the system by default.
  public func handle(_ event: SystemEvent, in context: MobileContext) throws {}
}

/// An interface in which every point has its default.
public struct StandardAppInterface: MPaaSAppInterface {
  /// Makes an interface of defaults.
  public init() {}
}
