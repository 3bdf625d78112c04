import MPaaSSupport

/// JPEG: the payload is an application segment, APP9, behind those that the picture begins with.
///
/// Source: ITU-T T.81, annex B.
enum JPEGCarrier {
  private static let marker: UInt8 = 0xe9
  private static let identifier = Array("mPaaS-KP".utf8) + [0]

  static func layout(of picture: UnsafeRawBufferPointer) throws(ByteError) -> PictureCarrier.Layout {
    var layout = PictureCarrier.Layout(place: 2)
    var cursor = ByteCursor(picture, at: 2, bigEndian: true)
    while true {
      let start = cursor.offset
      guard try cursor.u8() == 0xff else { throw broken(start) }
      var kind = try cursor.u8()
      // Any number of fill bytes may stand before a marker.
      while kind == 0xff { kind = try cursor.u8() }
      // Behind the start of scan only compressed data follows, and no segment of ours.
      if kind == 0xda || kind == 0xd9 { return layout }
      // Markers without a length belong into the scan.
      guard kind >= 0xc0, !(0xd0...0xd8).contains(kind) else { throw broken(start) }
      let count = Int(try cursor.u16()) - 2
      let body = try cursor.bytes(count)
      if (0xe0...0xef).contains(kind), layout.place == start { layout.place = cursor.offset }
      if kind == marker, body.starts(with: identifier) {
        layout.parts.append((start..<cursor.offset, cursor.offset - count + identifier.count..<cursor.offset))
      }
    }
  }

  private static func broken(_ offset: Int) -> ByteError { ByteError(code: .truncated, offset: offset) }

  /// `payload` is at most 65,500 bytes, which `KeyPairs.limit` sees to.
  static func segment(_ payload: [UInt8]) -> [UInt8] {
    let count = UInt16(clamping: 2 + identifier.count + payload.count)
    return [0xff, marker, UInt8(count >> 8), UInt8(count & 0xff)] + identifier + payload
  }
}
