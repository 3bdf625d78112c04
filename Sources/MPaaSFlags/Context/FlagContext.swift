/// The person and device that a flag is evaluated for.
///
/// - Source: Unleash's context, https://docs.getunleash.io/reference/unleash-context.
public struct FlagContext: Sendable, Equatable {
  /// The user who is logged in.
  public var userId: String?
  /// The session, which stays the same while no one is logged in.
  public var sessionId: String?
  /// The environment, such as `production`.
  public var environment: String?
  /// The name of the app.
  public var appName: String?
  /// The IP address, of version 4 or 6.
  public var remoteAddress: String?
  /// The time as RFC 3339 has it, such as `2022-01-29T13:00:00.000Z`; nil for now.
  public var currentTime: String?
  /// The name of the machine, for the strategy `applicationHostname`.
  public var hostName: String?
  /// Everything else, by name.
  public var properties: [String: String]

  /// Creates a context; what is not named is unknown.
  public init(
    userId: String? = nil, sessionId: String? = nil, environment: String? = nil, appName: String? = nil,
    remoteAddress: String? = nil, currentTime: String? = nil, properties: [String: String] = [:]
  ) {
    self.userId = userId
    self.sessionId = sessionId
    self.environment = environment
    self.appName = appName
    self.remoteAddress = remoteAddress
    self.currentTime = currentTime
    self.properties = properties
  }
}

/// Facts of the device and the app that conditions of flags name.
public struct DeviceFacts: Sendable, Equatable {
  /// The platform, such as `ios`.
  public var platform: String?
  /// The version of the operating system.
  public var os: String?
  /// The model of the device.
  public var model: String?
  /// The version of the app.
  public var version: String?
  /// The channel that the app was got through.
  public var channel: String?
  /// The city that the device is in.
  public var city: String?
  /// The network that the device is in, such as `wifi`.
  public var network: String?

  /// Creates facts; what is not named is unknown.
  public init(
    platform: String? = nil, os: String? = nil, model: String? = nil, version: String? = nil, channel: String? = nil,
    city: String? = nil, network: String? = nil
  ) {
    self.platform = platform
    self.os = os
    self.model = model
    self.version = version
    self.channel = channel
    self.city = city
    self.network = network
  }

  /// The facts that are known, by the names of their properties.
  public var properties: [String: String] {
    let all = [
      "platform": platform, "os": os, "model": model, "version": version, "channel": channel, "city": city,
      "network": network,
    ]
    return all.compactMapValues { $0 }
  }
}

extension FlagContext {
  /// Adds the facts of a device; properties that are there already stay.
  public mutating func fill(with facts: DeviceFacts) {
    properties.merge(facts.properties) { old, _ in old }
  }
}
