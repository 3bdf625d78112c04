public import MPaaSTime

extension MPaaSAppInterface {
  public var appKey: String? { nil }
  public var workspaceID: String? { nil }
  public var productID: String? {
    if let appKey, let workspaceID { "\(appKey)-\(workspaceID)" } else { appKey }
  }
  public var productVersion: String { "1.0.0" }
  public var briefName: String? { nil }
  public var bundleIdentifier: String? { nil }
  public var releaseCandidateBundleIdentifier: String? { nil }
  public var channel: String { "default" }
  public var language: TextLanguage { .ofEnvironment }
  public var languageTexts: LanguageTexts { .none }
  public var systemLanguages: [AppLanguage] { AppLanguage.ofSystem }
  public var languagePreference: LanguagePreference {
    #if canImport(Darwin)
      .defaults
    #else
      .none
    #endif
  }
  public var userID: String? { nil }
  public var sessionID: String? { nil }
  public var loginNotificationName: String { "mpaas.login" }
  public var logoutNotificationName: String { "mpaas.logout" }
  public var deviceID: String? { nil }
  public var gateway: GatewayConfiguration? { nil }
  public var gatewayChoice: GatewayChoice? { nil }
  public var rpcTimeout: TimeSpan { .seconds(30) }
  public var signsRPC: Bool { true }
  public var rpcSignKeyName: String? { nil }
  public var commonInterceptor: (any RPCInterceptor)? { nil }
  public var syncServer: SyncServer? { nil }
  public var httpDNSHosts: [String] { [] }
  public var pushServerURL: String? { nil }
  public var pushAppID: String? { nil }
  public var uploadedLogs: Set<LogKind> { [.behavior, .crash, .auto] }
  public var activityInterval: TimeSpan { .zero }
  public var recordsDiagnostics: Bool { true }
  public var logsToConsole: Bool { false }
  public var storageKey: [UInt8]? { nil }
  public var hotpatchKeyName: String? { nil }
  @MainActor public var schemeHandlers: [any SchemeHandler.Type] { [StartApplicationHandler.self] }
  public func canOpen(_ url: AppURL) -> Bool { true }
  public func willLaunch(in context: MobileContext) throws {}
  public func willStartLauncher(in context: MobileContext) throws {}
  public func didLaunch(in context: MobileContext) throws {}
  public func handle(_ event: SystemEvent, in context: MobileContext) throws {}
}

/// An interface in which every point has its default.
public struct StandardAppInterface: MPaaSAppInterface {
  public init() {}
}
