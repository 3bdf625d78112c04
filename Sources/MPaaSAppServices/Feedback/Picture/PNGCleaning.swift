import MPaaSSupport

/// The chunks of a PNG file, copied without those that say where, when and by whom it was made.
///
/// Chunks that draw the picture are copied byte by byte; texts (XMP among them), times and all chunks that nothing here knows
/// go, and so does what lies behind the end. Of Exif only the orientation stays.
///
/// - Source: ISO/IEC 15948 (PNG, third edition), 5 and 11.
enum PNGCleaning {
  /// The chunks that a picture is drawn by.
  private static let drawn: Set<String> = [
    "IHDR", "PLTE", "IDAT", "tRNS", "gAMA", "cHRM", "sRGB", "iCCP", "cICP", "mDCV", "cLLI", "sBIT", "bKGD", "pHYs",
  ]

  /// The same picture without what it need not say.
  ///
  /// - Throws: `AppServiceError` `feedback-picture-damaged` with the place of the first chunk that cannot be so.
  static func cleaned(_ file: UnsafeRawBufferPointer) throws(AppServiceError) -> [UInt8] {
    var cursor = ByteCursor(file, at: PNG.signature.count, bigEndian: true)
    do throws(ByteError) {
      guard file.starts(with: PNG.signature) else { throw .damaged(at: 0) }
      return try chunks(&cursor, file)
    } catch {
      throw AppServiceError(
        .feedbackPictureDamaged, ["kind": "PNG"], at: .bytes(file: "picture", offset: UInt64(error.offset)))
    }
  }

  private static func chunks(_ cursor: inout ByteCursor, _ file: UnsafeRawBufferPointer) throws(ByteError) -> [UInt8] {
    var output = PNG.signature
    output.reserveCapacity(file.count)
    var (isFirst, hasData, hasOrientation) = (true, false, false)
    while true {
      let place = cursor.offset
      let (type, content) = try chunk(&cursor, file)
      guard isFirst == (type == "IHDR") else { throw .damaged(at: place) }
      isFirst = false
      if type == "IEND" {
        guard hasData else { throw .damaged(at: place) }
        return output + PNG.chunk("IEND", [])
      }
      if type == "IDAT" { hasData = true }
      if drawn.contains(type) {
        output += file[place..<cursor.offset]
      } else if type == "eXIf", !hasOrientation {
        hasOrientation = true
        guard let orientation = ExifOrientation.read(content), orientation != 1 else { continue }
        output += PNG.chunk(type, ExifOrientation.structure(orientation))
      } else if type.utf8.first.map({ $0 & 0x20 == 0 }) ?? true {
        // Without a chunk that must be known the picture would be another one.
        throw .damaged(at: place)
      }
    }
  }

  /// The next chunk, whose checksum is right.
  private static func chunk(
    _ cursor: inout ByteCursor, _ file: UnsafeRawBufferPointer
  ) throws(ByteError) -> (type: String, content: UnsafeRawBufferPointer) {
    let place = cursor.offset
    let length = try cursor.u32()
    guard length < 1 << 31 else { throw .damaged(at: place) }
    let type = try cursor.bytes(4)
    guard type.allSatisfy({ (0x61...0x7a).contains($0 | 0x20) }) else {
      throw .damaged(at: place)
    }
    let content = try cursor.bytes(Int(length))
    let checked = UnsafeRawBufferPointer(rebasing: file[place + 4..<cursor.offset])
    guard try cursor.u32() == Checksum.crc32(checked) else { throw .damaged(at: place) }
    return (String(decoding: type, as: UTF8.self), content)
  }
}
