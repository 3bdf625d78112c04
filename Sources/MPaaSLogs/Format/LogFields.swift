/// Fields as a record carries them: kind, size of the name, size of the value, then `name=value` as text.
///
/// So a search for `name=value` finds it in the bytes as they are.
package enum LogFields {
  package enum Kind: UInt8 {
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
