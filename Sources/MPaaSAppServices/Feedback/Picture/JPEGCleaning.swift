import MPaaSSupport

/// The segments of a JPEG file, copied without those that say where, when and by whom it was taken.
///
/// The tables and the coded picture are copied byte by byte. Of all else only what is needed to show it stays: the
/// density of JFIF (without its small picture), color profiles, Adobe's color transform, and of Exif the orientation.
/// Positions in Exif, in XMP and in Photoshop's blocks go, and so do comments, further pictures and films behind the end.
///
/// - Source: ITU-T T.81, annex B; T.871 (JFIF); ICC.1, B.4.
enum JPEGCleaning {
  private static let start: UInt8 = 0xd8
  private static let end: UInt8 = 0xd9
  private static let scan: UInt8 = 0xda
  private static let exif = Array("Exif\0\0".utf8)
  private static let jfif = Array("JFIF\0".utf8)
  private static let profile = Array("ICC_PROFILE\0".utf8)
  private static let adobe = Array("Adobe".utf8)

  /// The same picture without what it need not say.
  ///
  /// - Throws: `AppServiceError` `feedback-picture-damaged` with the place of the first byte that cannot be so.
  static func cleaned(_ file: UnsafeRawBufferPointer) throws(AppServiceError) -> [UInt8] {
    var cursor = ByteCursor(file, bigEndian: true)
    do throws(ByteError) {
      guard try cursor.u16() == 0xff00 | UInt16(start) else { throw .damaged(at: 0) }
      return try segments(&cursor, file)
    } catch {
      throw AppServiceError(
        .feedbackPictureDamaged, ["kind": "JPEG"], at: .bytes(file: "picture", offset: UInt64(error.offset)))
    }
  }

  private static func segments(
    _ cursor: inout ByteCursor, _ file: UnsafeRawBufferPointer
  ) throws(ByteError) -> [UInt8] {
    var output: [UInt8] = [0xff, start]
    output.reserveCapacity(file.count)
    var (hasFrame, hasScan, hasOrientation) = (false, false, false)
    while true {
      let place = cursor.offset
      let marker = try marker(&cursor)
      if marker == end {
        guard hasScan else { throw .damaged(at: place) }
        return output + [0xff, end]
      }
      let length = try cursor.u16()
      guard length >= 2, !isBare(marker) else { throw .damaged(at: place) }
      let content = try cursor.bytes(Int(length) - 2)
      if marker == 0xe1, content.starts(with: exif) {
        if !hasOrientation, let segment = orientation(content) { output += segment }
        hasOrientation = true
      } else if let kept = kept(marker, content) {
        append(marker, kept, to: &output)
      }
      if isFrame(marker) { hasFrame = true }
      guard marker == scan else { continue }
      guard hasFrame else { throw .damaged(at: place) }
      hasScan = true
      try copyScan(&cursor, file, to: &output)
    }
  }

  /// The next marker; bytes that fill up in front of it are passed over.
  private static func marker(_ cursor: inout ByteCursor) throws(ByteError) -> UInt8 {
    let place = cursor.offset
    guard try cursor.u8() == 0xff else { throw .damaged(at: place) }
    var marker = try cursor.u8()
    while marker == 0xff { marker = try cursor.u8() }
    guard marker != 0 else { throw .damaged(at: place) }
    return marker
  }

  /// Copies coded data up to the next marker that is neither a restart nor a byte in disguise.
  private static func copyScan(
    _ cursor: inout ByteCursor, _ file: UnsafeRawBufferPointer, to output: inout [UInt8]
  ) throws(ByteError) {
    let start = cursor.offset
    var place = start
    while place + 1 < file.count {
      if file[place] == 0xff {
        let next = file[place + 1]
        if next != 0, next != 0xff, !(0xd0...0xd7).contains(next) {
          output += file[start..<place]
          cursor.offset = place
          return
        }
        place += next == 0xff ? 1 : 2
      } else {
        place += 1
      }
    }
    throw .damaged(at: file.count)
  }

  /// Markers that no length follows, and which have no place between segments.
  private static func isBare(_ marker: UInt8) -> Bool { marker == 1 || (0xd0...start).contains(marker) }

  /// Tells whether a marker begins a frame, rather than a table that has its number in the same row.
  private static func isFrame(_ marker: UInt8) -> Bool {
    (0xc0...0xcf).contains(marker) && ![0xc4, 0xc8, 0xcc].contains(marker)
  }

  /// The part of a segment that stays; nil where nothing does.
  private static func kept(_ marker: UInt8, _ content: UnsafeRawBufferPointer) -> [UInt8]? {
    switch marker {
    case 0xc0...0xcf, scan...0xdf: Array(content)
    // Version, units and densities; no small picture.
    case 0xe0 where content.starts(with: jfif) && content.count >= 14: Array(content.prefix(12)) + [0, 0]
    case 0xe2 where content.starts(with: profile): Array(content)
    case 0xee where content.starts(with: adobe) && content.count >= 12: Array(content.prefix(12))
    default: nil
    }
  }

  private static func orientation(_ content: UnsafeRawBufferPointer) -> [UInt8]? {
    let tiff = UnsafeRawBufferPointer(rebasing: content.dropFirst(exif.count))
    guard let orientation = ExifOrientation.read(tiff), orientation != 1 else { return nil }
    var segment: [UInt8] = []
    append(0xe1, exif + ExifOrientation.structure(orientation), to: &segment)
    return segment
  }

  private static func append(_ marker: UInt8, _ content: [UInt8], to output: inout [UInt8]) {
    let length = content.count + 2
    output += [0xff, marker, UInt8(truncatingIfNeeded: length >> 8), UInt8(truncatingIfNeeded: length)] + content
  }
}
