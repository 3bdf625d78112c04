package import MPaaSLogUpload
package import MPaaSLogs
package import MPaaSSupport

/// Records as lines: text that other tools read too, or JSON.
package struct LogText: Sendable {
  private var zone: LogZone
  private var utc = LogZone(.utc)

  package init(_ place: LogZone.Place = .local) { zone = LogZone(place) }

  /// Appends `2026-01-01T00:00:00.015+08:00 INFO Tag [tid] message name=value`, without a line's end.
  package mutating func append(_ record: LogRecord, to text: inout [UInt8]) {
    appendHead(record, to: &text)
    text += record.entry.message.utf8
    for field in record.entry.fields {
      text.append(0x20)
      text += field.name.utf8
      text.append(UInt8(ascii: "="))
      let value = field.value.text
      let isPlain = !value.isEmpty && value.utf8.allSatisfy { $0 > 0x20 && $0 != UInt8(ascii: "\"") && $0 != 0x7f }
      if isPlain { text += value.utf8 } else { JSONValue.append(value, to: &text) }
    }
  }

  /// All that stands before the message, with the space.
  package mutating func appendHead(_ record: LogRecord, to text: inout [UInt8]) {
    if let time = record.time {
      zone.append(time, to: &text)
    } else {
      text.append(UInt8(ascii: "-"))
    }
    text.append(0x20)
    text += record.entry.level.name.utf8
    text.append(0x20)
    if record.entry.tag.isEmpty {
      text.append(UInt8(ascii: "-"))
    } else {
      // A tag is one word, so that it can be read again.
      text += record.entry.tag.utf8.map { $0 <= 0x20 ? UInt8(ascii: "_") : $0 }
    }
    text += " [".utf8
    text += String(record.thread).utf8
    text += "] ".utf8
  }

  /// Appends a JSON object without a line's end; members that a format does not have are left out.
  package mutating func appendJSON(
    _ record: LogRecord, hasLevel: Bool = true, more: [(String, JSONValue)] = [], to text: inout [UInt8]
  ) {
    text += "{".utf8
    var isFirst = true
    func name(_ name: StaticString, _ text: inout [UInt8]) {
      if !isFirst { text.append(UInt8(ascii: ",")) }
      isFirst = false
      text.append(UInt8(ascii: "\""))
      text += UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
      text += "\":".utf8
    }
    if let time = record.time {
      name("time", &text)
      text.append(UInt8(ascii: "\""))
      utc.append(time, digits: nil, to: &text)
      text.append(UInt8(ascii: "\""))
    }
    if hasLevel {
      name("level", &text)
      JSONValue.append(record.entry.level.name, to: &text)
    }
    name("type", &text)
    JSONValue.append(record.entry.type.rawValue, to: &text)
    if !record.entry.subsystem.isEmpty {
      name("subsystem", &text)
      JSONValue.append(record.entry.subsystem, to: &text)
    }
    if !record.entry.tag.isEmpty {
      name("tag", &text)
      JSONValue.append(record.entry.tag, to: &text)
    }
    if record.thread != 0 {
      name("thread", &text)
      text += String(record.thread).utf8
    }
    name("message", &text)
    JSONValue.append(record.entry.message, to: &text)
    if !record.entry.fields.isEmpty {
      name("fields", &text)
      var members: JSONValue.Object = [:]
      for field in record.entry.fields { members[field.name] = field.value.json }
      JSONValue.object(members).append(to: &text)
    }
    if record.sequence != 0 {
      name("sequence", &text)
      text += String(record.sequence).utf8
    }
    if let monotonic = record.monotonic {
      name("monotonic", &text)
      text += String(monotonic).utf8
    }
    if record.boot != 0 {
      name("boot", &text)
      text += String(record.boot).utf8
    }
    if record.followsClockJump {
      name("clock_jump", &text)
      text += "true".utf8
    }
    for (member, value) in more {
      text += ",".utf8
      JSONValue.append(member, to: &text)
      text += ":".utf8
      value.append(to: &text)
    }
    text += "}".utf8
  }
}
