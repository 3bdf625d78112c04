package import MPaaSLogs
package import MPaaSSupport

/// A record as a JSON object on a line, by the names that loggers give to its parts.
package enum JSONLine {
  package typealias Line = UnsafeRawBufferPointer

  package enum Part { case time, level, tag, message, subsystem, type, thread, sequence, fields, other }

  /// The kind of a member by its name; our own names come first.
  package static func part(_ name: String) -> Part {
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

  package static func level(_ value: JSONValue) -> LogLevel? {
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
}
