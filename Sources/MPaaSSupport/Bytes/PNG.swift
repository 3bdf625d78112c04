/// The pieces that a PNG file is made of (ISO/IEC 15948, 5).
package enum PNG {
  package static let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

  /// A chunk with its length and its checksum.
  ///
  /// - Parameter type: Four letters.
  package static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
    let checked = Array(type.utf8) + content
    return number(UInt32(content.count)) + checked + number(checked.withUnsafeBytes { Checksum.crc32($0) })
  }

  /// The first chunk, of a picture with 8 bits each of red, green and blue, and no interlacing (11.2.2).
  package static func header(width: Int, height: Int) -> [UInt8] {
    chunk("IHDR", number(UInt32(width)) + number(UInt32(height)) + [8, 2, 0, 0, 0])
  }

  /// Four bytes, the highest first.
  package static func number(_ number: UInt32) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }
}
