/// The codewords of a text in byte mode, with those of error correction, in the order in which they are placed.
///
/// - Source: ISO/IEC 18004:2015, 7.4.5, 7.4.10, 7.5 and 7.6.
enum QRCodewords {
  static func all(_ text: [UInt8], _ version: QRVersion, _ level: QRLevel) -> [UInt8] {
    let (blocks, data) = (version.blocks(level), data(text, version, level))
    let correction = ReedSolomon(version.correction(level))
    // The last blocks have one codeword of data more.
    let (short, long) = (data.count / blocks, data.count % blocks)
    var place = 0
    let parts = (0..<blocks).map { block in
      let count = short + (block < blocks - long ? 0 : 1)
      defer { place += count }
      return Array(data[place..<place + count])
    }
    let corrections = parts.map { correction.codewords($0) }
    let first = (0...short).flatMap { place in parts.compactMap { place < $0.count ? $0[place] : nil } }
    return first + (0..<version.correction(level)).flatMap { place in corrections.map { $0[place] } }
  }

  /// The mode, the length and the text, filled up to the version's codewords of data.
  private static func data(_ text: [UInt8], _ version: QRVersion, _ level: QRLevel) -> [UInt8] {
    let room = version.data(level)
    // The mode and the length take 12 or 20 bits, so that all bytes of the text are moved by half of one.
    var nibbles: [UInt8] = [4]
    let count = UInt16(truncatingIfNeeded: text.count)
    for shift in stride(from: version.countBits - 4, through: 0, by: -4) {
      nibbles.append(UInt8(truncatingIfNeeded: count >> UInt16(shift)) & 15)
    }
    for byte in text { nibbles += [byte >> 4, byte & 15] }
    // The end: four bits of zero, which make the last byte whole.
    if nibbles.count < room * 2 { nibbles.append(0) }
    var data = stride(from: 0, to: nibbles.count - 1, by: 2).map { nibbles[$0] << 4 | nibbles[$0 + 1] }
    var filler: UInt8 = 0xec
    while data.count < room {
      data.append(filler)
      filler ^= 0xec ^ 0x11
    }
    return data
  }
}
