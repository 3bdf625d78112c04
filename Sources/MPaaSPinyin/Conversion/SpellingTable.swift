/// The bytes of every reading in one spelling, filled in as readings are met: 15 bytes and their number.
///
/// Indexed by the 14 bits of a reading; bit 14 adds 儿 to the syllable, bit 15 a capital letter.
struct SpellingTable: ~Copyable {
  static let erhua = 1 << 14
  static let capital = 1 << 15

  let spelling: Spelling
  private let entries: UnsafeMutablePointer<SIMD16<UInt8>>

  /// The number of bytes of an entry that is not filled in yet.
  private static let unknown = SIMD16<UInt8>(repeating: 0xFF)

  init(_ spelling: Spelling, hasVariants: Bool) {
    self.spelling = spelling
    let count = hasVariants ? 1 << 16 : 1 << 14
    entries = .allocate(capacity: count)
    entries.initialize(repeating: Self.unknown, count: count)
  }

  deinit {
    entries.deallocate()
  }

  /// The bytes for a reading.
  ///
  /// - Parameter variant: `erhua` and `capital`, or neither; only where the table was made with variants.
  @inline(__always) func bytes(_ reading: Reading, variant: Int = 0) -> SIMD16<UInt8> {
    let entry = entries[Int(reading.rawValue) | variant]
    return entry[15] != 0xFF ? entry : fill(reading, variant)
  }

  @inline(never) private func fill(_ reading: Reading, _ variant: Int) -> SIMD16<UInt8> {
    let text = spelling.text(
      reading, hasErhua: variant & Self.erhua != 0, isCapital: variant & Self.capital != 0)
    var bytes = SIMD16<UInt8>()
    for (index, byte) in text.utf8.prefix(15).enumerated() { bytes[index] = byte }
    bytes[15] = UInt8(min(text.utf8.count, 15))
    entries[Int(reading.rawValue) | variant] = bytes
    return bytes
  }
}
