import MPaaSDigests

/// The records that an app logs, and the share of them that is shown.
public struct LogSettings: Sendable {
  /// Records below it are not made at all.
  public var minimumLevel: LogLevel
  /// Other least levels for subsystems, by their names.
  public var subsystemLevels: [String: LogLevel] = [:]
  /// The devices of a thousand that log records below `error`; `device` decides which ones.
  public var samplingPerMille = 1000
  /// The text that tells the devices of a sample apart: the same text always decides alike.
  public var device = ""
  /// The builds in which private values are replaced; release builds unless set.
  public var redaction = LogRedaction.inRelease
  /// Kept over starts, hashes of private values can be compared over starts; a fresh one otherwise.
  public var hashKey: [UInt8]?

  /// Makes settings for all records from a level on, with the other defaults.
  public init(minimumLevel: LogLevel = .info) {
    self.minimumLevel = minimumLevel
  }

  /// Tells whether the device is in the sample.
  var isSampled: Bool {
    if samplingPerMille >= 1000 { return true }
    if samplingPerMille <= 0 { return false }
    let number = device.utf8.sha256.prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    return number % 1000 < UInt32(samplingPerMille)
  }
}
