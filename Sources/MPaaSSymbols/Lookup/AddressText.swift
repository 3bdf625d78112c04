/// Addresses as people and programs write them.
package enum AddressText {
  /// Reads hexadecimal digits with or without `0x`, spaces around; nil for anything else or more than 64 bits.
  package static func parse(_ text: some Collection<UInt8>) -> UInt64? {
    var digits = text.drop(while: isSpace)
    if digits.first == UInt8(ascii: "0"), let second = digits.dropFirst().first, second | 0x20 == UInt8(ascii: "x") {
      digits = digits.dropFirst(2)
    }
    var value: UInt64 = 0
    var count = 0
    while let byte = digits.first, let digit = digit(byte) {
      guard value >> 60 == 0 else { return nil }
      value = value << 4 | digit
      count += 1
      digits = digits.dropFirst()
    }
    return count > 0 && digits.allSatisfy(isSpace) ? value : nil
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
  }

  private static func digit(_ byte: UInt8) -> UInt64? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(byte - UInt8(ascii: "A") + 10)
    default: nil
    }
  }
}
