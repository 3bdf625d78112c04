import MPaaSSupport

/// Deflate for pictures that are mostly even: runs of one byte, and everything else as it is, in the fixed code.
///
/// Source: RFC 1951, 3.2.5 and 3.2.6; RFC 1950 around it. An app that links the theme library needs no zlib for it.
struct RunDeflate {
  private var bytes: [UInt8] = [0x78, 0x01]
  private var bits: UInt32 = 0
  private var count: UInt32 = 0

  static func zlib(_ content: [UInt8]) -> [UInt8] {
    var writer = RunDeflate()
    writer.write(content)
    return writer.bytes + PNG.number(Checksum.adler32(content))
  }

  private mutating func write(_ content: [UInt8]) {
    // The last block, in the fixed code.
    put(0b011, 3)
    var at = 0
    while at < content.count {
      let byte = content[at]
      literal(UInt32(byte))
      at += 1
      var run = 0
      while at + run < content.count, content[at + run] == byte { run += 1 }
      at += run
      while run >= 3 {
        // No rest of one or two, which would have to be written as they are.
        let length = run > 258 && run < 261 ? 255 : min(run, 258)
        repeated(length)
        run -= length
      }
      for _ in 0..<run { literal(UInt32(byte)) }
    }
    literal(256)
    if count > 0 { put(0, 8 - count) }
  }

  /// The code of a literal, the end, or a length.
  private mutating func literal(_ symbol: UInt32) {
    switch symbol {
    case 0...143: code(0x30 + symbol, 8)
    case 144...255: code(0x190 + symbol - 144, 9)
    case 256...279: code(symbol - 256, 7)
    default: code(0xc0 + symbol - 280, 8)
    }
  }

  /// The byte before once more, `length` times.
  private mutating func repeated(_ length: Int) {
    if length == 258 {
      literal(285)
    } else {
      var (base, extra, symbol) = (3, UInt32(0), UInt32(257))
      // Eight lengths without further bits, then four to each number of further bits.
      var step = 8
      while length >= base + step << Int(extra) {
        base += step << Int(extra)
        symbol += UInt32(step)
        extra += 1
        step = 4
      }
      let rest = UInt32(length - base)
      literal(symbol + rest >> extra)
      put(rest & ((1 << extra) - 1), extra)
    }
    // A distance of one byte.
    code(0, 5)
  }

  /// A Huffman code: its highest bit first.
  private mutating func code(_ code: UInt32, _ length: UInt32) {
    var reversed: UInt32 = 0
    for bit in 0..<length { reversed |= (code >> bit & 1) << (length - 1 - bit) }
    put(reversed, length)
  }

  private mutating func put(_ value: UInt32, _ length: UInt32) {
    bits |= value << count
    count += length
    while count >= 8 {
      bytes.append(UInt8(truncatingIfNeeded: bits))
      bits >>= 8
      count -= 8
    }
  }
}
