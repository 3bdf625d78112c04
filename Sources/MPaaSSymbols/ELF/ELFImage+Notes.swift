package import MPaaSSupport

/// One note of an ELF file.
package struct ELFNote: Sendable {
  /// The owner of the type, as `GNU`.
  package let owner: String
  package let type: UInt32
  package let descriptor: Bytes
}

extension ELFImage {
  /// The `NT_GNU_BUILD_ID` note's bytes: from the note segments, else from the note sections.
  package var buildID: BuildID? {
    for segment in segments.filter({ $0.type == ELFSegment.note }).prefix(Self.mostNoteAreas) {
      if let found = buildID(at: segment.offset, size: segment.fileSize) { return found }
    }
    for section in sections.filter({ $0.type == .note }).prefix(Self.mostNoteAreas) {
      if let found = buildID(at: section.offset, size: section.size) { return found }
    }
    return nil
  }

  /// Segments or sections of notes that are looked into; linkers write a few.
  static var mostNoteAreas: Int { 64 }

  private func buildID(at offset: UInt64, size: UInt64) -> BuildID? {
    guard let area = bytes.slice(at: offset, size: size) else { return nil }
    var found: BuildID?
    forEachNote(in: area) { note in
      guard note.type == 3, note.owner == "GNU" else { return true }
      found = BuildID(note.descriptor.buffer)
      return found == nil
    }
    return found
  }

  /// Hands over the notes of an area one after another until `body` returns false or one does not fit.
  ///
  /// Names and descriptors are padded to 4 bytes, in 8-aligned areas too (as glibc and binutils read them).
  package func forEachNote(in area: Bytes, _ body: (ELFNote) -> Bool) {
    var cursor = ByteCursor(area.buffer, bigEndian: header.bigEndian)
    while cursor.remaining >= 12, let note = try? nextNote(&cursor, area) {
      guard body(note) else { return }
    }
  }

  private func nextNote(_ cursor: inout ByteCursor, _ area: Bytes) throws(ByteError) -> ELFNote {
    let nameSize = UInt64(try cursor.u32())
    let descriptorSize = UInt64(try cursor.u32())
    let type = try cursor.u32()
    let name = try cursor.bytes(Int(nameSize))
    try cursor.skip(min((4 - nameSize % 4) % 4, UInt64(cursor.remaining)))
    guard let descriptor = area.slice(at: UInt64(cursor.offset), size: descriptorSize) else {
      throw ByteError(code: .truncated, offset: cursor.offset)
    }
    try cursor.skip(descriptorSize)
    try cursor.skip(min((4 - descriptorSize % 4) % 4, UInt64(cursor.remaining)))
    let owner = name.prefix(16).prefix { $0 != 0 }
    return ELFNote(owner: String(decoding: owner, as: UTF8.self), type: type, descriptor: descriptor)
  }
}
