package import MPaaSLogs

/// The number of records, their kinds and times.
package struct LogStatistics: Sendable {
  package var records = 0
  package var levels: [LogLevel: Int] = [:]
  package var types: [LogType: Int] = [:]
  package var tags: [String: Int] = [:]
  /// By the hour, in hours since 1970.
  package var hours: [Int64: Int] = [:]
  package var first: Int64?
  package var last: Int64?
  package var clockJumps = 0
  /// Records that a writer had no room for, by its own notes.
  package var dropped: Int64 = 0

  package init() {}

  package mutating func add(_ item: LogItem) {
    let record = item.record
    records += 1
    if item.hasLevel { levels[record.entry.level, default: 0] += 1 }
    types[record.entry.type, default: 0] += 1
    if !record.entry.tag.isEmpty { tags[record.entry.tag, default: 0] += 1 }
    if record.followsClockJump { clockJumps += 1 }
    for field in record.entry.fields where field.name == "dropped" {
      if case .integer(let count) = field.value, count > 0 { dropped &+= count }
    }
    guard let time = record.time else { return }
    first = min(first ?? time, time)
    last = max(last ?? time, time)
    hours[time / 3_600_000_000_000, default: 0] += 1
  }
}
