import MPaaSSupport

/// A record as a JSON object on a line, by the names that loggers give to its parts.
enum JSONLine {
  typealias Line = UnsafeRawBufferPointer

  enum Part { case time, level, tag, message, subsystem, type, thread, sequence, fields, other }

  /// What a member is, by its name; our own names come first.
  static func part(_ name: String) -> Part {
    switch name {
    case "time", "timestamp", "ts", "@timestamp", "t", "date", "datetime", "asctime", "l": .time
    case "level", "severity", "lvl", "loglevel", "levelname", "log.level": .level
    case "tag", "logger", "category", "label", "component", "logger_name": .tag
    case "message", "msg", "c", "text": .message
    case "subsystem": .subsystem
    case "type": .type
    case "thread", "tid", "thread_id", "i": .thread
    case "sequence": .sequence
    case "fields": .fields
    default: .other
    }
  }

  /// Time, level and tag of an object, without building the rest; nil where the line is none.
  static func head(_ line: Line, _ stamps: inout TimeStampReader) -> LineHead? {
    var head = LineHead(form: .json)
    var reader = stamps
    var skim = JSONSkim(line)
    let isObject = skim.object { name, skim in
      guard let text = skim.text(name) else { return false }
      switch part(text) {
      case .time where head.time == nil:
        skim.skipSpace()
        let start = skim.offset
        guard skim.skip() else { return false }
        head.time = time(line, start..<skim.offset, &reader)
      case .level where head.level == nil:
        guard let value = skim.value() else { return false }
        head.level = level(value)
      case .tag:
        skim.skipSpace()
        guard skim.next == UInt8(ascii: "\"") else { return skim.skip() }
        guard let range = skim.stringRange() else { return false }
        head.tag = range
      default: return skim.skip()
      }
      return true
    }
    stamps = reader
    return isObject ? head : nil
  }

  /// The time that a JSON value at `range` is: text in any form, or seconds, milliseconds, micro- or nanoseconds.
  private static func time(_ line: Line, _ range: Range<Int>, _ stamps: inout TimeStampReader) -> Int64? {
    guard let first = range.first else { return nil }
    if line[first] == UInt8(ascii: "\"") {
      let text = Line(rebasing: line[range.dropFirst().dropLast()])
      return stamps.stamp(text, at: 0)?.time
    }
    let text = Line(rebasing: line[range])
    // Digit by digit: a floating-point number has no nanoseconds of this century.
    if let stamp = stamps.stamp(text, at: 0), stamp.end == text.count { return stamp.time }
    guard let value = try? JSONValue(reading: text), let number = value.double else {
      return nil
    }
    return nanoseconds(value, number)
  }

  private static func nanoseconds(_ value: JSONValue, _ number: Double) -> Int64? {
    let scales: [(Double, Double)] = [(9e9, 1e9), (9e12, 1e6), (9e15, 1e3), (9e18, 1)]
    guard number >= 0, let scale = scales.first(where: { number < $0.0 })?.1 else { return nil }
    if let whole = value.integer(Int64.self) { return whole * Int64(scale) }
    return Int64(exactly: (number * scale).rounded())
  }

  static func level(_ value: JSONValue) -> LogLevel? {
    if let text = value.string { return LineReader.level(named: text) }
    // bunyan's and pino's numbers.
    guard let number = value.integer(Int.self) else { return nil }
    switch number {
    case 10..<20: return .verbose
    case 20..<30: return .debug
    case 30..<40: return .info
    case 40..<50: return .warning
    case 50..<60: return .error
    case 60...: return .fatal
    default: return nil
    }
  }

  /// The whole record; members that are none of its parts become fields.
  static func record(_ line: Line, head: LineHead, type: LogType) -> LogRecord? {
    guard let members = (try? JSONValue(reading: line))?.object else { return nil }
    var record = LogRecord(LogEntry(head.level ?? .info, "", "", type: type), time: head.time)
    for (name, value) in members.sorted(by: { $0.key < $1.key }) {
      switch part(name) {
      case .message where record.entry.message.isEmpty && value.string != nil:
        record.entry.message = value.string ?? ""
      case .tag where record.entry.tag.isEmpty && value.string != nil: record.entry.tag = value.string ?? ""
      case .subsystem: record.entry.subsystem = value.string ?? ""
      case .type: record.entry.type = value.string.map(LogType.init) ?? type
      case .thread: record.thread = value.integer() ?? 0
      case .sequence: record.sequence = value.integer() ?? 0
      case .time where head.time != nil, .level where head.level != nil: break
      case .fields:
        for (name, value) in (value.object ?? [:]).sorted(by: { $0.key < $1.key }) {
          record.entry.fields.append(LogField(name, LogValue(value)))
        }
      default: record.entry.fields.append(LogField(name, LogValue(value)))
      }
    }
    return record
  }
}

extension LogValue {
  /// What a JSON value is; lists and objects as their text.
  init(_ value: JSONValue) {
    switch value {
    case .bool(let flag): self = .flag(flag)
    case .string(let text): self = .text(text)
    case .number(let number): self = .real(number)
    case .negative(let number): self = .integer(number)
    case .unsigned(let number): self = Int64(exactly: number).map(LogValue.integer) ?? .real(Double(number))
    default: self = .text(value.line)
    }
  }

  var json: JSONValue {
    switch self {
    case .text(let text): .string(text)
    case .integer(let number): JSONValue(number)
    case .real(let number): JSONValue(number) ?? .null
    case .flag(let flag): .bool(flag)
    }
  }

  /// As lines of text have it.
  package var text: String {
    switch self {
    case .text(let text): text
    case .integer(let number): String(number)
    case .real(let number): number.description
    case .flag(let flag): flag ? "true" : "false"
    }
  }
}
