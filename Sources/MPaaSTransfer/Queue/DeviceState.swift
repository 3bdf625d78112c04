/// The means that a device can spend on transfers at the moment.
public struct DeviceState: Sendable, Hashable {
  /// The connection of the device.
  public enum Network: String, Sendable, Hashable, CaseIterable {
    /// By nothing.
    case none
    /// By a mobile network.
    case cellular
    /// By Wi-Fi.
    case wifi
  }

  /// The network that the device is connected by.
  public var network: Network
  /// 0…1; nil where there is no battery.
  public var battery: Double?
  /// True where a charger feeds the device.
  public var isCharging: Bool

  /// Makes a state: on Wi-Fi and charging, without a battery, unless told otherwise.
  public init(network: Network = .wifi, battery: Double? = nil, isCharging: Bool = true) {
    self.network = network
    self.battery = battery
    self.isCharging = isCharging
  }
}
