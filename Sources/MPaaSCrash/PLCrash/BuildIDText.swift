/// Bytes as lower-case hexadecimal digits.
enum BuildIDText {
  static func hex(_ bytes: some Collection<UInt8>) -> String { bytes.hexadecimal }

  /// The bytes of hexadecimal digits; nil for anything else.
  static func bytes(_ hex: String) -> [UInt8]? {
    let digits = hex.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    guard digits.count == hex.utf8.count, digits.count % 2 == 0 else { return nil }
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }
}
