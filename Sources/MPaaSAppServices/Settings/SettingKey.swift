/// The settings that every app has, by the fixed keys of `GatewayConfig.plist`.
public enum SettingKey: String, Sendable, Hashable, CaseIterable {
  /// The app's ID for remote notifications.
  case pushAppID = "mPaasPushAppId"
  /// The address of the server that sends notifications.
  case pushServer = "mPaasPushServerGateway"
  /// The address that logs and reports go to.
  case logServer = "mPaasLogServerGateway"
  /// The product's ID for logs.
  case logProductID = "mPaasLogProductId"
  /// The address that calls go to.
  case rpcGateway = "mPaasRpcGateway"
  /// The address that ETags of calls come from.
  case rpcETagURL = "mPaasRpcETagURL"
}

/// The app's own answers, which count where the setting service is off or has none: `appRPCGatewayURL` and so on.
public struct SettingCallbacks: Sendable {
  /// The address that calls go to: `appRPCGatewayURL`.
  public var rpcGateway: @Sendable () -> String?
  /// The address that ETags of calls come from: `appRPCETagURL`.
  public var rpcETagURL: @Sendable () -> String?
  /// The app's ID for remote notifications: `appPushAppId`.
  public var pushAppID: @Sendable () -> String?
  /// The address that logs and reports go to: `appRemoteLogServerURL`.
  public var logServer: @Sendable () -> String?
  /// The product's ID for logs: `appRemoteLogProductId`.
  public var logProductID: @Sendable () -> String?

  /// Creates answers; by themselves there are none.
  public init(
    rpcGateway: @escaping @Sendable () -> String? = { nil }, rpcETagURL: @escaping @Sendable () -> String? = { nil },
    pushAppID: @escaping @Sendable () -> String? = { nil }, logServer: @escaping @Sendable () -> String? = { nil },
    logProductID: @escaping @Sendable () -> String? = { nil }
  ) {
    self.rpcGateway = rpcGateway
    self.rpcETagURL = rpcETagURL
    self.pushAppID = pushAppID
    self.logServer = logServer
    self.logProductID = logProductID
  }

  func value(_ key: SettingKey) -> String? {
    switch key {
    case .rpcGateway: rpcGateway()
    case .rpcETagURL: rpcETagURL()
    case .pushAppID: pushAppID()
    case .pushServer: nil
    case .logServer: logServer()
    case .logProductID: logProductID()
    }
  }
}
