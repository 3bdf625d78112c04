import MPaaSTime

extension MPaaSAppInterface {
  /// Refuses what cannot be, before anything is started with it.
  ///
  /// - Throws: `interface-malformed`, naming the point.
  func check() throws(FrameworkError) {
    for (point, text) in [("appKey", appKey), ("workspaceID", workspaceID), ("deviceID", deviceID)] {
      if let text, text.isEmpty || text.contains(where: \.isWhitespace) {
        throw malformed(point, "\"\(text)\"", "[^ ]+")
      }
    }
    if let url = pushServerURL, !GatewayConfiguration.isAddress(url) {
      throw malformed("pushServerURL", "\"\(url)\"", "https://…")
    }
    if loginNotificationName.isEmpty || loginNotificationName == logoutNotificationName {
      throw malformed("loginNotificationName", "\"\(loginNotificationName)\"", "≠ logoutNotificationName")
    }
    if let key = storageKey, key.count != 32 { throw malformed("storageKey", "\(key.count)", "32 × UInt8") }
    if rpcTimeout <= .zero { throw malformed("rpcTimeout", "\(rpcTimeout)", "> 0") }
    if let server = syncServer, !(1...65_535 ~= server.port) {
      throw malformed("syncServer.port", "\(server.port)", "1…65535")
    }
  }

  private func malformed(_ point: String, _ value: String, _ wanted: String) -> FrameworkError {
    FrameworkError(
      .interfaceMalformed, .parameter(point),
      values: ["value": value, "type": "\(Self.self)", "wanted": wanted])
  }
}

extension FrameworkError.Code {
  /// A point of the app's interface has a value that cannot be.
  public static let interfaceMalformed = FrameworkError.Code(
    "interface-malformed",
    en: "{name} of {type} is {value}; it must be {wanted}.",
    enHelp: "Correct it in the type that conforms to MPaaSAppInterface.",
    zh: "{type} 的 {name} 为 {value}，必须是：{wanted}。",
    zhHelp: "请在遵循 MPaaSAppInterface 的类型中更正。")
}

extension MobileContext {
  /// The servers that the app talks to in its environment, with the user's own values (`GatewayChoice`); nil where
  /// there is neither.
  ///
  /// - Throws: `gateway-section-missing`, `gateway-address-malformed`.
  public nonisolated func gatewaySettings() throws(FrameworkError) -> GatewaySettings? {
    try interface.gatewaySettings(for: environment)
  }
}
