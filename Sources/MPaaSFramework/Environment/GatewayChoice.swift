/// The choice of a user on the app's page of the system's settings (Settings.bundle): one of the environments, or
/// `Customizing` with addresses of their own.
///
/// ```swift
/// let choice = GatewayChoice { UserDefaults.standard.string(forKey: $0) }
/// ```
public struct GatewayChoice: Sendable, Hashable {
  /// The key of the environment; projects of the old kit use `kMPSelectedEnvironment`.
  public static let environmentKeys = ["gateway_environment", "kMPSelectedEnvironment"]
  /// The choice that stands for addresses of the user's own.
  public static let customizing = "Customizing"
  /// The keys of `GatewayConfig.plist` that can be customized.
  public static let addressKeys = [
    "mPaasRpcGateway", "mPaasRpcETagURL", "mPaasLogServerGateway", "mPaasLogProductId", "mPaasPushServerGateway",
    "mPaasPushAppId",
  ]

  /// The chosen section of `GatewayConfig.plist`, or `Customizing`; nil where no choice was made.
  public let name: String?
  /// The user's own values by the keys of `GatewayConfig.plist`; empty unless `Customizing` is chosen.
  public let values: [String: String]

  /// Reads a choice.
  ///
  /// - Parameter setting: The text that the settings keep under a key.
  public init(_ setting: (String) -> String?) {
    let name = Self.environmentKeys.lazy.compactMap(setting).first { !$0.isEmpty }
    var values: [String: String] = [:]
    if name == Self.customizing {
      for key in Self.addressKeys {
        let text = setting(Self.settingKey(of: key))?.trimmingBlanks ?? ""
        if !text.isEmpty { values[key] = text }
      }
    }
    self.name = name
    self.values = values
  }

  /// The key under which Settings.bundle keeps a customized value.
  public static func settingKey(of key: String) -> String { "gateway_custom_\(key)" }

  /// The settings with the user's own values in the place of theirs.
  ///
  /// - Throws: `gateway-address-malformed` for an address that is none.
  package func applied(to settings: GatewaySettings?) throws(FrameworkError) -> GatewaySettings? {
    guard !values.isEmpty else { return settings }
    for key in Self.addressKeys where GatewaySettings.addresses.contains(key) {
      guard let value = values[key], !GatewayConfiguration.isAddress(value) else { continue }
      throw FrameworkError(
        .gatewayAddressMalformed, .parameter("\(Self.customizing).\(key)"),
        values: ["file": "Settings.bundle", "value": value])
    }
    return GatewaySettings(values: (settings?.values ?? [:]).merging(values) { _, own in own })
  }
}

extension String {
  fileprivate var trimmingBlanks: String {
    let end = lastIndex { !$0.isWhitespace }.map { index(after: $0) } ?? startIndex
    return String(self[..<end].drop { $0.isWhitespace })
  }
}
