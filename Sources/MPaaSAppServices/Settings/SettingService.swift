public import MPaaSFramework

/// The servers and IDs of an app in the environment that was chosen for it.
///
/// It stands for `MPSettingService`.
///
/// The four choices are `Release`, `Pre-release` and `Debug`, sections of `GatewayConfig.plist`, and `Customizing` with
/// the user's own addresses; further sections can be chosen by their names. The choice stands under
/// `kMPSelectedEnvironment` in the app's settings; without one it is `Release`. Another choice counts from the next
/// start on.
///
/// ```swift
/// let settings = try SettingService(gateway, callbacks) { UserDefaults.standard.string(forKey: $0) }
/// let address = settings[.rpcGateway]
/// ```
public struct SettingService: Sendable {
  /// The choices that `Settings.bundle` offers, in its order.
  public static let environments = [GatewayChoice.customizing, "Release", "Pre-release", "Debug"]
  /// The key that the choice is kept under.
  public static let environmentKey = "kMPSelectedEnvironment"

  /// The section in use; nil where the service is off.
  public let environment: String?
  private let gateway: GatewaySettings?
  private let callbacks: SettingCallbacks

  /// Reads the settings.
  ///
  /// - Parameters:
  ///   - gateway: The contents of `GatewayConfig.plist`; nil turns the service off, and the callbacks answer alone.
  ///   - callbacks: The values of an app without the service.
  ///   - isRelease: Whether this is a build for everybody, which no choice leads to another environment.
  ///   - setting: The text that the app's settings keep under a key.
  /// - Throws: `FrameworkError` `gateway-section-missing` where the chosen section is not there, and
  ///   `gateway-address-malformed` for an address of the user's that is none.
  public init(
    _ gateway: GatewayConfiguration?, callbacks: SettingCallbacks = SettingCallbacks(), isRelease: Bool = false,
    setting: (String) -> String?
  ) throws(FrameworkError) {
    self.callbacks = callbacks
    guard let gateway else {
      (environment, self.gateway) = (nil, nil)
      return
    }
    let choice = GatewayChoice { isRelease ? nil : setting($0) }
    let name = choice.name ?? gateway.selected ?? "Release"
    if name == GatewayChoice.customizing {
      // Fields that the user left empty are as in the release.
      self.gateway = try choice.applied(to: gateway.sections["Release"])
    } else {
      self.gateway = try gateway.settings(named: name)
    }
    environment = name
  }

  /// All strings of the environment by their keys; empty where the service is off.
  public var settings: [String: String] { gateway?.values ?? [:] }

  /// True where the service is on, and the callbacks only fill gaps.
  public var isOn: Bool { environment != nil }

  /// The value of a key: of the environment, in the spelling of either generation, else of the app's callbacks; nil
  /// where neither has one.
  public subscript(key: SettingKey) -> String? {
    configured(key) ?? callbacks.value(key).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The value of any key; nil where there is none.
  public subscript(key: String) -> String? {
    if let known = SettingKey(rawValue: key) { return self[known] }
    return settings[key].flatMap { $0.isEmpty ? nil : $0 }
  }

  private func configured(_ key: SettingKey) -> String? {
    switch key {
    case .pushAppID: gateway?.pushAppID
    case .pushServer: gateway?.pushServer
    case .logServer: gateway?.logGateway
    case .logProductID: gateway?.logProductID
    case .rpcGateway: gateway?.rpcGateway
    case .rpcETagURL: gateway?.rpcETagURL
    }
  }
}
