import MPaaSSupport
package import MPaaSTrust
import Testing

@testable package import MPaaSLogs

/// Makes `.mplog` files in memory, with times and numbers that a test says.
package struct SampleLog {
  package private(set) var bytes: [UInt8] = []
  package private(set) var records: [LogRecord] = []
  private let encoder: PartEncoder
  private var entries = EntryEncoder()
  private var generation: UInt64 = 0

  package init(_ type: LogType = .diagnostic, recipients: [AgeRecipient] = [], boot: UInt64 = 7) throws {
    encoder = try PartEncoder(
      type, lane: 0, boot: boot, created: 1_700_000_000_000_000_000, recipients: recipients,
      blocks: BlockEncoder(capacity: 1 << 17))
    append(encoder.beginning, isBlock: false)
  }

  private mutating func append(_ chunk: [UInt8], isBlock: Bool) {
    bytes += chunk
    chunk.withUnsafeBytes { encoder.wrote($0, isBlock: isBlock) }
  }

  /// The records as a staging segment has them, not encrypted.
  package static func staged(_ records: [LogRecord]) -> [UInt8] {
    var entries = EntryEncoder()
    return staged(records, &entries)
  }

  private static func staged(_ records: [LogRecord], _ entries: inout EntryEncoder) -> [UInt8] {
    var segment: [UInt8] = []
    for record in records {
      let sizes = entries.measure(record.entry)
      var bytes = [UInt8](repeating: 0, count: sizes.record)
      bytes.withUnsafeMutableBytes { target in
        guard let base = target.baseAddress else { return }
        let stamp = EntryEncoder.Stamp(
          sequence: record.sequence, time: record.time ?? 0, monotonic: record.monotonic ?? 0, thread: record.thread,
          flags: record.followsClockJump ? .followsClockJump : [])
        entries.write(record.entry, sizes, stamp, to: base)
        target.put(UInt32(sizes.record), 0)
      }
      segment += bytes
    }
    return segment
  }

  /// Adds a block of `records`, whose numbers follow each other.
  package mutating func add(_ records: [LogRecord]) throws {
    let segment = Self.staged(records, &entries)
    generation += 1
    let block = segment.withUnsafeBytes { encoder.block($0, staging: 9, generation: generation).map { Array($0) } }
    append(try #require(block), isBlock: true)
    self.records += records
  }

  package mutating func end() throws {
    append(try #require(encoder.ending), isBlock: false)
  }

  /// Records as an app could log them, from number `first` on.
  package static func records(_ count: Int, from first: UInt64 = 1, boot: UInt64 = 7) -> [LogRecord] {
    (0..<count).map { index in
      let number = first + UInt64(index)
      var fields: [LogField] = []
      if index % 3 == 0 { fields = [LogField("code", .integer(Int64(number) - 5)), LogField("paid", .flag(true))] }
      if index % 5 == 0 { fields.append(LogField("路径", .text("/首页?a=b"))) }
      if index % 7 == 0 { fields.append(LogField("ratio", .real(0.5 * Double(index)))) }
      let entry = LogEntry(
        LogLevel(rawValue: UInt8(index % 6)) ?? .info, ["Network", "Cart", "", "支付"][index % 4],
        index % 11 == 0 ? "" : "order \(number) 已付款\nof user \(number % 17)",
        subsystem: ["", "com.example.shop"][index % 2], fields: fields)
      let time = 1_700_000_000_000_000_000 + Int64(number) * 1_234_000 - (index > 50 ? 86_400_000_000_000 : 0)
      return LogRecord(
        entry, sequence: number, time: time, monotonic: 5_000_000_000 + number * 1_234_000, thread: number % 3 + 100,
        boot: boot, followsClockJump: index == 51)
    }
  }
}
