/// Addresses as people and programs write them.
package enum AddressText {
  /// Reads hexadecimal digits with or without `0x`, spaces around; nil for anything else or more than 64 bits.
  package static func parse(_ text: String) -> UInt64? {
    var text = text
    return text.withUTF8 { parse(UnsafeRawBufferPointer($0)) }
  }

  /// The same for the bytes of a text.
  package static func parse(_ text: UnsafeRawBufferPointer) -> UInt64? {
    var place = 0
    while place < text.count, isSpace(text[place]) { place += 1 }
    if place + 1 < text.count, text[place] == UInt8(ascii: "0"), text[place + 1] | 0x20 == UInt8(ascii: "x") {
      place += 2
    }
    let start = place
    var value: UInt64 = 0
    while place < text.count, let digit = digit(text[place]) {
      guard value >> 60 == 0 else { return nil }
      value = value << 4 | digit
      place += 1
    }
    guard place > start else { return nil }
    while place < text.count, isSpace(text[place]) { place += 1 }
    return place == text.count ? value : nil
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
