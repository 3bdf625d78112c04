import MPaaSSupport

/// A zip archive of stored entries, which is all that the v1 scheme needs.
///
/// Source: PKWARE APPNOTE 6.3.10, sections 4.3.7, 4.3.12 and 4.3.16. Written with fixed times and no extra fields, so
/// that the same entries give the same bytes; read by rules under which every reader finds the same entries.
enum StoredZip {
  struct Entry: Equatable {
    var name: String
    var contents: [UInt8]
  }

  private static let localSize = 30
  private static let centralSize = 46
  private static let endSize = 22

  /// Writes the entries; each is far smaller than the 4 GB that a zip without extensions ends at.
  static func encoded(_ entries: [Entry]) -> [UInt8] {
    var archive: [UInt8] = []
    var directory: [UInt8] = []
    for entry in entries {
      let offset = archive.count
      let common = commonFields(of: entry)
      archive += little(0x0403_4b50, 4) + common + Array(entry.name.utf8) + entry.contents
      directory += little(0x0201_4b50, 4) + little(20, 2) + common
      // Comment, disk, attributes inside and outside, place of the local header.
      directory += little(0, 2) + little(0, 2) + little(0, 2) + little(0, 4) + little(offset, 4)
      directory += Array(entry.name.utf8)
    }
    let count = little(entries.count, 2)
    let end = little(0x0605_4b50, 4) + little(0, 4) + count + count
    return archive + directory + end + little(directory.count, 4) + little(archive.count, 4) + little(0, 2)
  }

  /// Version 1.0, no flags, stored, 1980-01-01 00:00: what the local and the central header have in common.
  private static func commonFields(of entry: Entry) -> [UInt8] {
    let size = little(entry.contents.count, 4)
    let checksum = little(Int(checksum(entry.contents)), 4)
    return little(10, 2) + little(0, 2) + little(0, 2) + little(0, 2) + little(0x21, 2) + checksum + size + size
      + little(entry.name.utf8.count, 2) + little(0, 2)
  }

  private static func little(_ value: Int, _ size: Int) -> [UInt8] {
    (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private static func checksum(_ bytes: [UInt8]) -> UInt32 { bytes.withUnsafeBytes(Checksum.crc32) }
}

/// What makes a zip archive one that is not read, in a word for the error's text.
struct ZipError: Error, Equatable {
  let reason: String
}

extension StoredZip {
  /// Reads an archive whose entries lie one behind another from the first byte, with no gap, no comment, no extra field
  /// and no data descriptor, and whose directory says of each entry what its own header says.
  static func entries(in bytes: Bytes) throws(ZipError) -> [Entry] {
    do {
      return try read(bytes.buffer)
    } catch let error as ZipError {
      throw error
    } catch {
      throw ZipError(reason: "truncated")
    }
  }

  private static func read(_ bytes: UnsafeRawBufferPointer) throws -> [Entry] {
    guard bytes.count >= endSize else { throw ZipError(reason: "truncated") }
    let endOffset = bytes.count - endSize
    var end = ByteCursor(bytes, at: endOffset)
    guard try end.u32() == 0x0605_4b50 else { throw ZipError(reason: "end") }
    guard try end.u32() == 0, case let count = Int(try end.u16()), try end.u16() == count, count <= 16,
      case let size = Int(try end.u32()), case let start = Int(try end.u32()), try end.u16() == 0,
      start + size == endOffset
    else { throw ZipError(reason: "directory") }
    var local = ByteCursor(bytes)
    var central = ByteCursor(bytes, at: start)
    var entries: [Entry] = []
    for _ in 0..<count {
      entries.append(try entry(&local, &central))
    }
    guard local.offset == start, central.offset == endOffset else { throw ZipError(reason: "gap") }
    return entries
  }

  private static func entry(_ local: inout ByteCursor, _ central: inout ByteCursor) throws -> Entry {
    let place = local.offset
    guard try local.u32() == 0x0403_4b50, try central.u32() == 0x0201_4b50 else { throw ZipError(reason: "header") }
    try central.skip(2)
    let fields = try Fields(&local)
    guard try Fields(&central) == fields else { throw ZipError(reason: "mismatch") }
    try fields.check()
    guard try central.u16() == 0, try central.u16() == 0 else { throw ZipError(reason: "extra") }
    try central.skip(6)
    guard Int(try central.u32()) == place else { throw ZipError(reason: "mismatch") }
    let name = [UInt8](try local.bytes(fields.nameLength))
    guard name == [UInt8](try central.bytes(fields.nameLength)) else { throw ZipError(reason: "mismatch") }
    let contents = [UInt8](try local.bytes(fields.size))
    guard checksum(contents) == fields.checksum else { throw ZipError(reason: "checksum") }
    return Entry(name: String(decoding: name, as: UTF8.self), contents: contents)
  }

  /// What the local and the central header both say.
  private struct Fields: Equatable {
    let flags: UInt16
    let method: UInt16
    let checksum: UInt32
    let compressedSize: Int
    let size: Int
    let nameLength: Int
    let extraLength: UInt16

    init(_ cursor: inout ByteCursor) throws(ByteError) {
      try cursor.skip(2)
      flags = try cursor.u16()
      method = try cursor.u16()
      try cursor.skip(4)
      checksum = try cursor.u32()
      compressedSize = Int(try cursor.u32())
      size = Int(try cursor.u32())
      nameLength = Int(try cursor.u16())
      extraLength = try cursor.u16()
    }

    func check() throws(ZipError) {
      // Bit 3: the sizes stand behind the contents, where readers look in different places for them.
      guard flags & 0x8 == 0 else { throw ZipError(reason: "descriptor") }
      guard flags == 0, method == 0, compressedSize == size else { throw ZipError(reason: "stored") }
      guard extraLength == 0 else { throw ZipError(reason: "extra") }
    }
  }
}
