import MPaaSSupport

/// Object identifiers of ASN.1 as text.
enum ObjectIdentifierText {
  /// Numbers with dots; the hexadecimal digits of bytes that are no identifier.
  static func text(of bytes: ArraySlice<UInt8>) -> String {
    var numbers: [UInt64] = []
    var value: UInt64 = 0
    for byte in bytes {
      guard value < 1 << 56 else { return bytes.hexadecimal }
      value = value << 7 | UInt64(byte & 0x7f)
      guard byte & 0x80 == 0 else { continue }
      if numbers.isEmpty {
        let first = min(value / 40, 2)
        numbers = [first, value - first * 40]
      } else {
        numbers.append(value)
      }
      value = 0
    }
    guard !numbers.isEmpty, bytes.last.map({ $0 & 0x80 == 0 }) ?? false else { return bytes.hexadecimal }
    return numbers.map { "\($0)" }.joined(separator: ".")
  }
}
