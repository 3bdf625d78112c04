import MPaaSSupport

/// Fields as a record carries them: kind, size of the name, size of the value, then `name=value` as text.
///
/// So a search for `name=value` finds it in the bytes as they are.
package enum LogFields {
  enum Kind: UInt8 {
    case text = 0
    case integer = 1
    case real = 2
    case flag = 3
  }

  /// Appends a field.
  static func append(_ field: LogField, to bytes: inout [UInt8]) {
    var name = field.name
    name.withUTF8 { name in
      switch field.value {
      case .text(var value): value.withUTF8 { append(.text, name, $0, to: &bytes) }
      case .integer(let value): append(.integer, name, String(value), to: &bytes)
      case .real(let value): append(.real, name, String(value), to: &bytes)
      case .flag(let value): append(.flag, name, value ? "true" : "false", to: &bytes)
      }
    }
  }

  private static func append(
    _ kind: Kind, _ name: UnsafeBufferPointer<UInt8>, _ value: String, to bytes: inout [UInt8]
  ) {
    var value = value
    value.withUTF8 { append(kind, name, $0, to: &bytes) }
  }

  private static func append(
    _ kind: Kind, _ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]
  ) {
    bytes.append(kind.rawValue)
    bytes.append(varint: UInt64(name.count))
    bytes.append(varint: UInt64(value.count))
    bytes.append(contentsOf: name)
    bytes.append(UInt8(ascii: "="))
    bytes.append(contentsOf: value)
  }

  /// Calls `body` with each field: the kind's number, the name and the value as text; stops where it is malformed.
  package static func forEach(
    _ bytes: UnsafeRawBufferPointer,
    _ body: (_ kind: UInt8, _ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Void
  ) {
    var cursor = ByteCursor(bytes)
    while !cursor.isAtEnd {
      guard let kind = try? cursor.u8(), let nameSize = try? cursor.uleb(), let valueSize = try? cursor.uleb(),
        let nameSize = Int(exactly: nameSize), let valueSize = Int(exactly: valueSize),
        let name = try? cursor.bytes(nameSize), (try? cursor.skip(1)) != nil, let value = try? cursor.bytes(valueSize)
      else { return }
      body(kind, name, value)
    }
  }

  /// The fields as values.
  package static func values(_ bytes: UnsafeRawBufferPointer) -> [LogField] {
    guard !bytes.isEmpty else { return [] }
    var fields: [LogField] = []
    forEach(bytes) { kind, name, value in
      let text = String(utf8: value)
      let value: LogValue =
        switch Kind(rawValue: kind) {
        case .integer: Int64(text).map { .integer($0) } ?? .text(text)
        case .real: Double(text).map { .real($0) } ?? .text(text)
        case .flag: .flag(text == "true")
        default: .text(text)
        }
      fields.append(LogField(String(utf8: name), value))
    }
    return fields
  }
}

extension [UInt8] {
  /// Appends an unsigned LEB128 number.
  @inline(__always)
  mutating func append(varint: UInt64) {
    var rest = varint
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(rest))
  }
}
