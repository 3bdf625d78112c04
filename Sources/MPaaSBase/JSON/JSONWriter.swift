extension JSONValue {
  /// The value as one line of JSON, members sorted by the bytes of their names.
  package var line: String {
    var text: [UInt8] = []
    append(to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// Appends the value as UTF-8 on one line, members sorted by the bytes of their names.
  package func append(to text: inout [UInt8]) {
    switch self {
    case .null: text += "null".utf8
    case .bool(let value): text += (value ? "true" : "false").utf8
    case .unsigned(let value): text += value.description.utf8
    case .negative(let value): text += value.description.utf8
    case .number(let value): text += (value.isFinite ? value.description : "null").utf8
    case .string(let value): Self.append(value, to: &text)
    case .array(let elements):
      text.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { text.append(UInt8(ascii: ",")) }
        element.append(to: &text)
      }
      text.append(UInt8(ascii: "]"))
    case .object(let members):
      text.append(UInt8(ascii: "{"))
      for (index, member) in members.sortedByName.enumerated() {
        if index > 0 { text.append(UInt8(ascii: ",")) }
        Self.append(member.key, to: &text)
        text.append(UInt8(ascii: ":"))
        member.value.append(to: &text)
      }
      text.append(UInt8(ascii: "}"))
    }
  }

  /// Appends a string with its quotes; control characters are escaped, everything else stands as it is.
  package static func append(_ string: String, to text: inout [UInt8]) {
    let digits = Array("0123456789abcdef".utf8)
    text.append(UInt8(ascii: "\""))
    for byte in string.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): text += [UInt8(ascii: "\\"), byte]
      case 0x0a: text += "\\n".utf8
      case 0x0d: text += "\\r".utf8
      case 0x09: text += "\\t".utf8
      case 0..<0x20, 0x7f: text += "\\u00".utf8 + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      default: text.append(byte)
      }
    }
    text.append(UInt8(ascii: "\""))
  }
}
