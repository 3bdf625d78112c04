import MPaaSSupport
import MPaaSTrust

/// A small picture to carry keys where there is no other: a square with a gradient, uncompressed.
enum BlankPicture {
  private static let side = 32

  /// The picture as PNG, 8 bits each of red, green and blue.
  static let png: [UInt8] = {
    var rows: [UInt8] = []
    for row in 0..<side {
      rows.append(0)
      for column in 0..<side { rows += [UInt8(40 + row * 4), UInt8(80 + column * 4), 200] }
    }
    return PNG.signature + PNG.header(width: side, height: side) + PNG.chunk("IDAT", zlib(rows)) + PNG.chunk("IEND", [])
  }()

  /// `bytes`, fewer than 65,536, as one stored block (RFC 1950, RFC 1951 section 3.2.4).
  private static func zlib(_ bytes: [UInt8]) -> [UInt8] {
    let count = UInt16(clamping: bytes.count)
    let length = [UInt8(count & 0xff), UInt8(count >> 8)]
    return [0x78, 0x01, 0x01] + length + length.map { ~$0 } + bytes + PNG.number(Checksum.adler32(bytes))
  }
}
