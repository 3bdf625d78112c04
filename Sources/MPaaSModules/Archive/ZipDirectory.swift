import MPaaSSupport

/// The central directory of a zip, held against the local headers and the end of the file.
///
/// libarchive reads names from the local headers and ignores what follows the end, other programs read the directory:
/// they have to see the same. Source: APPNOTE.TXT 6.3.10, sections 4.3.7, 4.3.12, 4.3.14 to 4.3.16.
struct ZipDirectory {
  private let bytes: UnsafeRawBufferPointer
  private let name: String

  init(_ bytes: UnsafeRawBufferPointer, name: String) {
    self.bytes = bytes
    self.name = name
  }

  func check(_ limits: ModuleArchiveLimits) throws(ModuleError) {
    do {
      let end = try self.end()
      guard end.count <= UInt64(limits.entries) else {
        throw ArchivePath.error(.archiveTooManyEntries, "", in: name, "\(limits.entries)")
      }
      var cursor = ByteCursor(bytes, at: Int(end.offset))
      var records: [Record] = []
      for _ in 0..<end.count { records.append(try checkEntry(&cursor)) }
      guard cursor.offset == end.limit else { throw damaged("central directory") }
      try checkGaps(records, before: Int(end.offset))
    } catch let error as ModuleError {
      throw error
    } catch {
      throw damaged("central directory")
    }
  }

  private func damaged(_ reason: String, _ path: String = "") -> ModuleError {
    ArchivePath.error(.archiveDamaged, path, in: name, reason)
  }

  /// The beginning and end of the directory, and how many entries it has.
  private func end() throws -> (offset: UInt64, limit: Int, count: UInt64) {
    let place = try endRecord()
    var cursor = ByteCursor(bytes, at: place + 10)
    var count = UInt64(try cursor.u16())
    var size = UInt64(try cursor.u32())
    var offset = UInt64(try cursor.u32())
    var limit = place
    if count == 0xffff || size == 0xffff_ffff || offset == 0xffff_ffff, place >= 20 {
      var locator = ByteCursor(bytes, at: place - 20)
      if try locator.u32() == 0x0706_4b50 {
        try locator.skip(4)
        guard let start = Int(exactly: try locator.u64()), start <= bytes.count - 56 else { throw damaged("zip64") }
        var record = ByteCursor(bytes, at: start)
        guard try record.u32() == 0x0606_4b50 else { throw damaged("zip64") }
        try record.skip(28)
        (count, size, offset) = (try record.u64(), try record.u64(), try record.u64())
        limit = start
      }
    }
    let (sum, overflow) = offset.addingReportingOverflow(size)
    // Bytes between the two, or before the archive, would be seen by some readers only.
    guard !overflow, sum == UInt64(limit) else { throw damaged("central directory") }
    return (offset, limit, count)
  }

  /// The record at the very end, whose comment reaches to the file's last byte.
  private func endRecord() throws -> Int {
    var place = bytes.count - 22
    let lowest = max(0, place - 0xffff)
    var hasRecord = false
    while place >= lowest {
      if bytes[place] == 0x50, bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self).littleEndian == 0x0605_4b50 {
        hasRecord = true
        let comment = bytes.loadUnaligned(fromByteOffset: place + 20, as: UInt16.self).littleEndian
        if place + 22 + Int(comment) == bytes.count { return place }
      }
      place -= 1
    }
    throw hasRecord ? ArchivePath.error(.archiveTrailingBytes, "", in: name) : damaged("end of central directory")
  }

  /// The bytes that an entry has in front of the directory.
  private struct Record {
    let start: Int
    /// Behind its content; nil where the directory does not tell its size in 32 bits.
    let end: Int?
    /// True if sizes follow the content.
    let hasDescriptor: Bool
  }

  /// Refuses bytes in front of the first entry, between two, and in front of the directory: programs that read from the
  /// front see entries there that others do not.
  private func checkGaps(_ records: [Record], before directory: Int) throws {
    var last = Record(start: 0, end: 0, hasDescriptor: false)
    for record in records.sorted(by: { $0.start < $1.start }) + [
      Record(start: directory, end: nil, hasDescriptor: false)
    ] {
      if let end = last.end {
        // A descriptor has 12 bytes, 20 with 64-bit sizes, and 4 more with its signature.
        let gap = record.start - end
        let isFine = last.hasDescriptor ? [12, 16, 20, 24].contains(gap) : gap == 0
        guard isFine else { throw end == 0 ? damaged("bytes in front") : damaged("bytes between entries") }
      }
      last = record
    }
  }

  private func checkEntry(_ cursor: inout ByteCursor) throws -> Record {
    guard try cursor.u32() == 0x0201_4b50 else { throw damaged("central directory") }
    try cursor.skip(4)
    let flags = try cursor.u16()
    try cursor.skip(10)
    let size = try cursor.u32()
    try cursor.skip(4)
    let lengths = (name: Int(try cursor.u16()), extra: Int(try cursor.u16()), comment: Int(try cursor.u16()))
    try cursor.skip(8)
    let place = Int(try cursor.u32())
    let path = try cursor.bytes(lengths.name)
    try cursor.skip(lengths.extra + lengths.comment)
    let shown = String(utf8: path)
    guard !path.contains(0) else {
      throw ArchivePath.error(.archiveNameControl, String(shown.map { $0 == "\0" ? "?" : $0 }), in: name)
    }
    var local = ByteCursor(bytes, at: place)
    guard try local.u32() == 0x0403_4b50 else { throw damaged("local header", shown) }
    try local.skip(22)
    let count = Int(try local.u16())
    let extra = Int(try local.u16())
    guard try local.bytes(count).elementsEqual(path) else { throw damaged("local header", shown) }
    try local.skip(extra)
    return Record(
      start: place, end: size == .max ? nil : local.offset + Int(size), hasDescriptor: flags & 8 != 0)
  }
}
