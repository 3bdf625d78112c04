package import MPaaSLogs

/// The division of a file of text into records.
package struct TextShape: Sendable {
  /// Tells whether lines begin records by what stands at their front; else every line is a record.
  package var hasHeads = false
  package var zone: LogZone
  /// The time at which the file was written last, in seconds since 1970.
  package var reference: Int64
  package var type = LogType.diagnostic
  /// Reads records of a writer whose lines are none of the usual.
  package var rule = Rule.lines

  package enum Rule: Sendable { case lines, logan }

  package init(hasHeads: Bool = false, zone: LogZone, reference: Int64, type: LogType = .diagnostic) {
    self.hasHeads = hasHeads
    self.zone = zone
    self.reference = reference
    self.type = type
  }

  package var reader: LineReader {
    LineReader(stamps: TimeStampReader(zone: zone, reference: min(max(reference, 0), 9_000_000_000)))
  }

  /// Looks at the first lines: whether any begins a record by what it says, and of what kind they are.
  package mutating func learn(from sample: UnsafeRawBufferPointer) -> LogFormat {
    var reader = reader
    var counts: [LineHead.Form: Int] = [:]
    var start = 0
    while start < sample.count {
      let end = sample.lineEnd(start)
      if let head = reader.head(sample.line(start, end)) { counts[head.form, default: 0] += 1 }
      start = end + 1
    }
    hasHeads = !counts.isEmpty
    switch counts.max(by: { $0.value < $1.value })?.key {
    case .json: return .json
    case .syslog, .structured: return .syslog
    default: return .text
    }
  }
}
