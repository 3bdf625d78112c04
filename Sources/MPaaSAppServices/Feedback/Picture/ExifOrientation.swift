import MPaaSSupport

/// The one fact of Exif that a picture needs to be shown as it was taken.
enum ExifOrientation {
  private static let tag: UInt16 = 0x0112
  private static let short: UInt16 = 3

  /// Reads the orientation, 1 to 8, of a TIFF structure; nil where it has none, or is no such structure.
  ///
  /// - Source: TIFF 6.0, section 2; CIPA DC-008 (Exif 2.32), 4.6.4.
  static func read(_ tiff: UnsafeRawBufferPointer) -> UInt8? {
    let isBig: Bool
    switch tiff.prefix(2) {
    case let order where order.elementsEqual("MM".utf8): isBig = true
    case let order where order.elementsEqual("II".utf8): isBig = false
    default: return nil
    }
    var cursor = ByteCursor(tiff, at: 2, bigEndian: isBig)
    do throws(ByteError) {
      guard try cursor.u16() == 42, let start = Int(exactly: try cursor.u32()), start < tiff.count else { return nil }
      cursor.offset = start
      for _ in 0..<(try cursor.u16()) {
        let (tag, type, count) = (try cursor.u16(), try cursor.u16(), try cursor.u32())
        let value = try cursor.u16()
        try cursor.skip(2)
        guard tag == Self.tag else { continue }
        return type == short && count == 1 && (1...8).contains(value) ? UInt8(value) : nil
      }
    } catch { return nil }
    return nil
  }

  /// A TIFF structure that holds an orientation and nothing else.
  static func structure(_ orientation: UInt8) -> [UInt8] {
    // The order of bytes, 42, the place of the only directory; one entry; the value, left-justified; no other directory.
    Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0]
  }
}
