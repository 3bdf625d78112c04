import MPaaSLogUpload
package import MPaaSLogs
import MPaaSSupport

extension JSONLine {
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
  /// Creates the value of a JSON value; of lists and objects it is their text.
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
