/// The facts about a device that a rollout is decided by.
public struct DeviceFacts: Sendable, Equatable {
  /// The user's or the device's identifier: stable, since percentages go by it, and never sent anywhere.
  public var id: String
  /// The app's bundle identifier or key, as bundles name it.
  public var app: String
  /// The app's version, `8.1.0`.
  public var appVersion: String
  /// Such as `release` or `beta`.
  public var channel: String
  /// The city in which the device is; nil where it is not known.
  public var city: String?
  /// Such as `iPhone16,2`.
  public var model: String?
  /// Such as `wifi`, `5g`.
  public var network: String?
  /// The version of the operating system; nil where it is not known.
  public var systemVersion: String?

  /// Makes the facts of a device: the channel `release`, and nothing known beyond what is given.
  public init(
    id: String, app: String, appVersion: String, channel: String = "release", city: String? = nil,
    model: String? = nil, network: String? = nil, systemVersion: String? = nil
  ) {
    self.id = id
    self.app = app
    self.appVersion = appVersion
    self.channel = channel
    self.city = city
    self.model = model
    self.network = network
    self.systemVersion = systemVersion
  }
}
