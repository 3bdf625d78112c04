import MPaaSLogUpload
import MPaaSLogs
import MPaaSSupport

/// A record of text as a value.
struct TextRecord {
  private let raw: UnsafeRawBufferPointer
  private let head: LineHead?
  private let shape: TextShape

  init(_ raw: UnsafeRawBufferPointer, _ head: LineHead?, _ shape: TextShape) {
    self.raw = raw
    self.head = head
    self.shape = shape
  }

  /// - Parameter asksFields: Whether `name=value` in a plain line are fields.
  func item(asksFields: Bool) -> LogItem {
    let text = String(utf8: raw)
    guard let head else {
      var item = LogItem(LogRecord(LogEntry(.info, "", text, type: shape.type), time: nil), text: text)
      item.hasLevel = false
      if asksFields { item.record.entry.fields = Self.pairs(raw) }
      return item
    }
    if head.form == .json {
      // The object may be followed by what is none.
      let line = UnsafeRawBufferPointer(rebasing: raw[..<raw.lineEnd(0)])
      let found = shape.rule == .logan ? LoganLine.record(line) : nil
      if let record = found ?? JSONLine.record(line, head: head, type: shape.type) {
        var item = LogItem(record, text: shape.rule == .logan ? nil : text)
        item.hasLevel = head.level != nil
        return item
      }
    }
    let message = UnsafeRawBufferPointer(rebasing: raw[min(head.message, raw.count)...])
    let tag = String(utf8: UnsafeRawBufferPointer(rebasing: raw[head.tag]))
    var record = LogRecord(
      LogEntry(head.level ?? .info, tag, String(utf8: message), type: shape.type), time: head.time,
      thread: head.thread)
    if head.form == .structured {
      record.entry.fields = StructuredData.fields(raw)
    } else if asksFields {
      record.entry.fields = Self.pairs(message)
    }
    var item = LogItem(record, text: text)
    item.hasLevel = head.level != nil
    return item
  }

  /// The `name=value` and `name="a value"` of a text.
  static func pairs(_ text: UnsafeRawBufferPointer) -> [LogField] {
    var fields: [LogField] = []
    var place = 0
    while let equals = text[place...].firstIndex(of: UInt8(ascii: "=")) {
      var start = equals
      while start > place, text[start - 1].isNamePart { start -= 1 }
      var end = equals + 1
      var value = end..<end
      if end < text.count, text[end] == UInt8(ascii: "\"") {
        end += 1
        let begin = end
        while end < text.count, text[end] != UInt8(ascii: "\"") { end += 1 }
        value = begin..<end
        end = min(end + 1, text.count)
      } else {
        while end < text.count, !text[end].endsValue { end += 1 }
        value = equals + 1..<end
      }
      if start < equals {
        fields.append(
          LogField(
            String(decoding: text[start..<equals], as: UTF8.self),
            .text(String(decoding: text[value], as: UTF8.self))))
      }
      place = max(end, equals + 1)
    }
    return fields
  }
}

extension UInt8 {
  fileprivate var isNamePart: Bool {
    isDigit || (self | 0x20) &- 0x61 < 26 || self == UInt8(ascii: "_") || self == UInt8(ascii: ".")
      || self == UInt8(ascii: "-")
  }

  fileprivate var endsValue: Bool {
    self <= 0x20 || self == UInt8(ascii: ",") || self == UInt8(ascii: ";") || self == UInt8(ascii: "&")
      || self == UInt8(ascii: ")") || self == UInt8(ascii: "]")
  }
}
