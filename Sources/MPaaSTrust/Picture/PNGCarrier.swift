import MPaaSSupport

/// PNG: the payload is a chunk of the private type `mpKs`, just before the end.
///
/// Source: PNG (third edition), section 5.
enum PNGCarrier {
  /// Ancillary, private, safe to copy: programs that do not know it keep it or drop it, and show the picture.
  private static let type = "mpKs"

  static func layout(of picture: UnsafeRawBufferPointer) throws(ByteError) -> PictureCarrier.Layout {
    var layout = PictureCarrier.Layout()
    var cursor = ByteCursor(picture, at: PNG.signature.count, bigEndian: true)
    while true {
      let start = cursor.offset
      let count = Int(try cursor.u32())
      let checked = try cursor.bytes(count + 4)
      let sum = try cursor.u32()
      let name = checked.prefix(4)
      guard name.elementsEqual("IHDR".utf8) == (start == PNG.signature.count) else { throw broken(start) }
      if name.elementsEqual("IEND".utf8) {
        layout.place = start
        return layout
      }
      guard name.elementsEqual(type.utf8) else { continue }
      guard Checksum.crc32(checked) == sum else { throw broken(start) }
      layout.parts.append((start..<cursor.offset, start + 8..<start + 8 + count))
    }
  }

  private static func broken(_ offset: Int) -> ByteError { ByteError(code: .truncated, offset: offset) }

  static func chunk(_ payload: [UInt8]) -> [UInt8] { PNG.chunk(type, payload) }
}
