/// A point of the launch, of which the app's interface is told once.
enum LaunchPoint: String {
  case willLaunch
  case willStartLauncher
  case didLaunch
}

extension MobileContext {
  /// Tells the interface of a point of the launch, unless it was told before; one that threw is told again.
  func tell(_ point: LaunchPoint) throws(FrameworkError) {
    guard !told.contains(point) else { return }
    do {
      switch point {
      case .willLaunch: try interface.willLaunch(in: self)
      case .willStartLauncher: try interface.willStartLauncher(in: self)
      case .didLaunch: try interface.didLaunch(in: self)
      }
    } catch {
      throw interfaceFailed("\(point.rawValue)(in:)", error)
    }
    told.insert(point)
  }

  func interfaceFailed(_ point: String, _ error: any Error) -> FrameworkError {
    FrameworkError(
      .interfaceFailed, .parameter(point), values: ["type": "\(type(of: interface))", "reason": "\(error)"],
      underlying: error)
  }

  /// Tells the observers of `interface.loginNotificationName` that a user logged in.
  ///
  /// - Returns: The errors of those that threw.
  @discardableResult
  public func announceLogin() -> [FrameworkError] { announce(interface.loginNotificationName) }

  /// Tells the observers of `interface.logoutNotificationName` that the user logged out.
  ///
  /// - Returns: The errors of those that threw.
  @discardableResult
  public func announceLogout() -> [FrameworkError] { announce(interface.logoutNotificationName) }

  private func announce(_ name: String) -> [FrameworkError] {
    var values: MessageValues = [:]
    values["userID"] = interface.userID
    return trigger(NamedEvent(name, values: values))
  }

  /// The transport with the app's common interceptor between it and its callers.
  public nonisolated func intercepted(_ transport: MessageTransport) -> MessageTransport {
    interface.commonInterceptor?.around(transport) ?? transport
  }

  /// The address of the server that sends notifications: the gateway's, else the interface's.
  ///
  /// - Throws: `gateway-section-missing`.
  public nonisolated func pushServer() throws(FrameworkError) -> String? {
    try gatewaySettings()?.pushServer ?? interface.pushServerURL
  }
}

extension FrameworkError.Code {
  /// A point of the app's interface threw.
  public static let interfaceFailed = FrameworkError.Code(
    "interface-failed",
    en: "{name} of {type} failed: {reason}.",
    enHelp: "A point of the launch is told again as the launch is.",
    zh: "{type} 的 {name} 失败：{reason}。",
    zhHelp: "再次启动时会重新调用该启动回调。")
}
