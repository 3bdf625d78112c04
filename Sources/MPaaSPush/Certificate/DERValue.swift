/// Values in the distinguished encoding of ASN.1 (X.690), as certificates need them.
enum DERValue {
  /// A value with its tag and its length.
  static func tagged(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    var length = [UInt8(truncatingIfNeeded: content.count)]
    if content.count > 0xff {
      length = [0x82, UInt8(truncatingIfNeeded: content.count >> 8), UInt8(truncatingIfNeeded: content.count)]
    } else if content.count > 0x7f {
      length.insert(0x81, at: 0)
    }
    return [tag] + length + content
  }

  static func sequence(_ parts: [UInt8]...) -> [UInt8] { tagged(0x30, Array(parts.joined())) }
  static func set(_ parts: [UInt8]...) -> [UInt8] { tagged(0x31, Array(parts.joined())) }
  static func octets(_ bytes: [UInt8]) -> [UInt8] { tagged(0x04, bytes) }
  static func text(_ text: String) -> [UInt8] { tagged(0x0c, Array(text.utf8)) }
  static let yes: [UInt8] = [0x01, 0x01, 0xff]

  /// A whole number from 0 up, of its bytes from the highest on.
  static func integer(_ bytes: [UInt8]) -> [UInt8] {
    let bytes = Array(bytes.drop { $0 == 0 })
    return tagged(0x02, (bytes.first ?? 0x80) & 0x80 == 0 ? bytes : [0] + bytes)
  }

  static func bits(_ bytes: [UInt8], unused: UInt8 = 0) -> [UInt8] { tagged(0x03, [unused] + bytes) }

  /// An object identifier of numbers with dots, the first two of which are below 40.
  static func identifier(_ text: String) -> [UInt8] {
    let numbers = text.split(separator: ".").compactMap { UInt32($0) }
    guard numbers.count > 2 else { return tagged(0x06, []) }
    var bytes = [UInt8(truncatingIfNeeded: numbers[0] * 40 + numbers[1])]
    for number in numbers[2...] {
      var groups = [UInt8(number & 0x7f)]
      var rest = number >> 7
      while rest > 0 {
        groups.append(UInt8(rest & 0x7f) | 0x80)
        rest >>= 7
      }
      bytes += groups.reversed()
    }
    return tagged(0x06, bytes)
  }
}
