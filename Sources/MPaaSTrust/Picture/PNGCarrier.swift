import MPaaSSupport

/// PNG: the payload is a chunk of the private type `mpKs`, just before the end.
///
/// Source: PNG (third edition), section 5.
enum PNGCarrier {
  static let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
  /// Ancillary, private, safe to copy: programs that do not know it keep it or drop it, and show the picture.
  private static let type = Array("mpKs".utf8)

  static func layout(of picture: UnsafeRawBufferPointer) throws(ByteError) -> PictureCarrier.Layout {
    var layout = PictureCarrier.Layout()
    var cursor = ByteCursor(picture, at: signature.count, bigEndian: true)
    while true {
      let start = cursor.offset
      let count = Int(try cursor.u32())
      let checked = try cursor.bytes(count + 4)
      let sum = try cursor.u32()
      let name = checked.prefix(4)
      guard name.elementsEqual("IHDR".utf8) == (start == signature.count) else { throw broken(start) }
      if name.elementsEqual("IEND".utf8) {
        layout.place = start
        return layout
      }
      guard name.elementsEqual(type) else { continue }
      guard Checksum.crc32(checked) == sum else { throw broken(start) }
      layout.parts.append((start..<cursor.offset, start + 8..<start + 8 + count))
    }
  }

  private static func broken(_ offset: Int) -> ByteError { ByteError(code: .truncated, offset: offset) }

  static func chunk(_ payload: [UInt8]) -> [UInt8] { chunk(type, payload) }

  static func chunk(_ type: [UInt8], _ payload: [UInt8]) -> [UInt8] {
    let checked = type + payload
    return bytes(UInt32(payload.count)) + checked + bytes(checked.withUnsafeBytes { Checksum.crc32($0) })
  }

  static func bytes(_ number: UInt32) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }
}
