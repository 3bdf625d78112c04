package import MPaaSSupport

/// A zip archive of stored entries, in memory.
///
/// Source: PKWARE APPNOTE 6.3.10, sections 4.3.7, 4.3.12 and 4.3.16. Written with fixed times and no extra fields, so
/// that the same entries give the same bytes; read by rules under which every reader finds the same entries.
package enum StoredZip {
  package struct Entry: Equatable, Sendable {
    package var name: String
    package var contents: [UInt8]
    package var isExecutable: Bool

    package init(name: String, contents: [UInt8], isExecutable: Bool = false) {
      self.name = name
      self.contents = contents
      self.isExecutable = isExecutable
    }
  }

  /// The fields that archives of one use have alike.
  package struct Form: Sendable {
    fileprivate let madeBy: Int
    fileprivate let needed: Int
    fileprivate let flags: Int
    fileprivate let hasPermissions: Bool
    /// The most entries that are read.
    fileprivate let most: Int

    /// Version 1.0, names of ASCII, a few entries.
    package static let plain = Form(madeBy: 20, needed: 10, flags: 0, hasPermissions: false, most: 16)
    /// Version 2.0 of Unix, names of UTF-8, permissions of files.
    package static let files = Form(madeBy: 0x0314, needed: 20, flags: 0x0800, hasPermissions: true, most: 0xffff)
  }

  private static let endSize = 22

  /// Writes the entries; each is far smaller than the 4 GB that a zip without extensions ends at.
  package static func encoded(_ entries: [Entry], _ form: Form = .plain) -> [UInt8] {
    var archive: [UInt8] = []
    var directory: [UInt8] = []
    for entry in entries {
      let offset = archive.count
      let common = commonFields(of: entry, form)
      let mode = form.hasPermissions ? (entry.isExecutable ? 0o100755 : 0o100644) : 0
      archive += little(0x0403_4b50, 4) + common + Array(entry.name.utf8) + entry.contents
      directory += little(0x0201_4b50, 4) + little(form.madeBy, 2) + common
      // Comment, disk, attributes inside and outside, place of the local header.
      directory += little(0, 2) + little(0, 2) + little(0, 2) + little(mode << 16, 4) + little(offset, 4)
      directory += Array(entry.name.utf8)
    }
    let count = little(entries.count, 2)
    let end = little(0x0605_4b50, 4) + little(0, 4) + count + count
    return archive + directory + end + little(directory.count, 4) + little(archive.count, 4) + little(0, 2)
  }

  /// Stored, 1980-01-01 00:00: what the local and the central header have in common.
  private static func commonFields(of entry: Entry, _ form: Form) -> [UInt8] {
    let size = little(entry.contents.count, 4)
    let checksum = little(Int(checksum(entry.contents)), 4)
    return little(form.needed, 2) + little(form.flags, 2) + little(0, 2) + little(0, 2) + little(0x21, 2) + checksum
      + size + size + little(entry.name.utf8.count, 2) + little(0, 2)
  }

  private static func little(_ value: Int, _ size: Int) -> [UInt8] {
    (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private static func checksum(_ bytes: [UInt8]) -> UInt32 { bytes.withUnsafeBytes(Checksum.crc32) }
}

/// The property that makes a zip archive one that is not read, in a word for the error's text.
package struct ZipError: Error, Equatable {
  package let reason: String
}

extension StoredZip {
  /// Reads an archive whose entries lie one behind another from the first byte, with no gap, no comment, no extra field
  /// and no data descriptor, and whose directory says of each entry what its own header says.
  package static func entries(in bytes: Bytes, _ form: Form = .plain) throws(ZipError) -> [Entry] {
    defer { withExtendedLifetime(bytes) {} }
    do {
      return try read(bytes.buffer, form)
    } catch let error as ZipError {
      throw error
    } catch {
      throw ZipError(reason: "truncated")
    }
  }

  private static func read(_ bytes: UnsafeRawBufferPointer, _ form: Form) throws -> [Entry] {
    guard bytes.count >= endSize else { throw ZipError(reason: "truncated") }
    let endOffset = bytes.count - endSize
    var end = ByteCursor(bytes, at: endOffset)
    guard try end.u32() == 0x0605_4b50 else { throw ZipError(reason: "end") }
    guard try end.u32() == 0, case let count = Int(try end.u16()), try end.u16() == count, count <= form.most,
      case let size = Int(try end.u32()), case let start = Int(try end.u32()), try end.u16() == 0,
      start + size == endOffset
    else { throw ZipError(reason: "directory") }
    var local = ByteCursor(bytes)
    var central = ByteCursor(bytes, at: start)
    var entries: [Entry] = []
    for _ in 0..<count {
      entries.append(try entry(&local, &central, form))
    }
    guard local.offset == start, central.offset == endOffset else { throw ZipError(reason: "gap") }
    return entries
  }

  private static func entry(
    _ local: inout ByteCursor, _ central: inout ByteCursor, _ form: Form
  ) throws -> Entry {
    let place = local.offset
    guard try local.u32() == 0x0403_4b50, try central.u32() == 0x0201_4b50 else { throw ZipError(reason: "header") }
    try central.skip(2)
    let fields = try Fields(&local)
    guard try Fields(&central) == fields else { throw ZipError(reason: "mismatch") }
    try fields.check(form)
    guard try central.u16() == 0, try central.u16() == 0 else { throw ZipError(reason: "extra") }
    try central.skip(2)
    let attributes = try central.u32()
    guard Int(try central.u32()) == place else { throw ZipError(reason: "mismatch") }
    let name = [UInt8](try local.bytes(fields.nameLength))
    guard name == [UInt8](try central.bytes(fields.nameLength)) else { throw ZipError(reason: "mismatch") }
    let contents = [UInt8](try local.bytes(fields.size))
    guard checksum(contents) == fields.checksum else { throw ZipError(reason: "checksum") }
    guard let text = String(validUTF8: name) else { throw ZipError(reason: "entries") }
    return Entry(
      name: text, contents: contents, isExecutable: form.hasPermissions && attributes >> 16 & 0o100 != 0)
  }

  /// The fields that the local and the central header both say.
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

    func check(_ form: Form) throws(ZipError) {
      // Bit 3: the sizes follow the contents, where readers look in different places for them.
      guard flags & 0x8 == 0 else { throw ZipError(reason: "descriptor") }
      guard flags == form.flags, method == 0, compressedSize == size else { throw ZipError(reason: "stored") }
      guard extraLength == 0 else { throw ZipError(reason: "extra") }
    }
  }
}
