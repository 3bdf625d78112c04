public import MPaaSLogs
public import MPaaSTime

/// Over which networks something is uploaded.
public enum LogNetworkRule: String, Sendable, Hashable, CaseIterable {
  /// Over any network.
  case any
  /// Over Wi-Fi only.
  case wifi
}

/// The times at which the records of a type are uploaded.
public struct MonitorRule: Sendable, Hashable {
  /// So many records wait.
  public var records: Int
  /// Or so many bytes.
  public var bytes: Int
  /// Or one, at once: what is rare.
  public var isUrgent: Bool
  /// The networks over which the records are uploaded.
  public var network: LogNetworkRule
  /// Records of a type that is off are not written.
  public var isOn: Bool

  /// Makes a rule: upload over any network once 100 records or 10 KiB wait, unless told otherwise.
  public init(
    records: Int = 100, bytes: Int = 10 << 10, isUrgent: Bool = false, network: LogNetworkRule = .any, isOn: Bool = true
  ) {
    self.records = records
    self.bytes = bytes
    self.isUrgent = isUrgent
    self.network = network
    self.isOn = isOn
  }

  func isDue(_ waiting: MonitorCount) -> Bool {
    waiting.records > 0 && (isUrgent || waiting.records >= records || waiting.bytes >= bytes)
  }
}

/// The ways in which monitor points of an app are kept and uploaded.
public struct MonitorSettings: Sendable {
  /// Rules that differ from the usual one, by type; alive reports and ends of runs go out at once.
  public var rules: [LogType: MonitorRule] = [
    .alive: MonitorRule(isUrgent: true), .termination: MonitorRule(isUrgent: true),
  ]
  /// The rule for types that `rules` does not name.
  public var usualRule = MonitorRule()
  /// The shortest time between two alive reports.
  public var aliveInterval: TimeSpan = .seconds(1800)
  /// Bytes of all files; beyond, the oldest that are uploaded go first, then the oldest.
  public var size = 20 << 20
  /// Days that what was uploaded stays.
  public var days = 7

  /// Makes settings that have their default throughout.
  public init() {}

  func rule(_ type: LogType) -> MonitorRule { rules[type] ?? usualRule }
}

/// Records and their bytes.
package struct MonitorCount: Sendable, Hashable {
  package var records = 0
  package var bytes = 0

  package init(records: Int = 0, bytes: Int = 0) {
    self.records = records
    self.bytes = bytes
  }
}
