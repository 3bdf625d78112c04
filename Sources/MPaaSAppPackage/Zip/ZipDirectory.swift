package import MPaaSSupport

/// The entries of a zip by its central directory, so that what is not wanted is never decompressed.
///
/// Source: PKWARE APPNOTE 6.3.10, sections 4.3.7, 4.3.12, 4.3.14 to 4.3.16 and 4.5.3.
package struct ZipDirectory: Sendable {
  package struct Entry: Sendable {
    /// The path as it stands there, with replacements where it is not UTF-8.
    package let name: String
    /// Bytes.
    package let nameLength: Int
    package let method: UInt16
    package let isEncrypted: Bool
    package let checksum: UInt32
    package let compressedSize: UInt64
    package let size: UInt64
    /// The place of the local header.
    package let header: UInt64
    /// The place of the entry in the directory.
    package let place: UInt64

    package var isFolder: Bool { name.hasSuffix("/") }
  }

  /// Something that cannot be true, and where it stands.
  package struct Fault: Error, Equatable {
    package let reason: String
    package let offset: UInt64

    package init(reason: String, offset: UInt64) { (self.reason, self.offset) = (reason, offset) }
  }

  package private(set) var entries: [Entry] = []
  /// Faults that leave the rest of the directory to be read.
  package private(set) var faults: [Fault] = []
  /// The place where the directory begins.
  package let start: UInt64

  private static let endSignature: UInt32 = 0x0605_4b50
  private static let longEndSignature: UInt32 = 0x0606_4b50
  private static let entrySignature: UInt32 = 0x0201_4b50
  private static let localSignature: UInt32 = 0x0403_4b50

  /// Tells whether bytes begin as a zip with entries, or an empty one, does.
  package static func matches(_ bytes: Bytes) -> Bool {
    guard bytes.count >= 22 else { return false }
    return bytes.buffer.starts(with: [0x50, 0x4b, 3, 4]) || bytes.buffer.starts(with: [0x50, 0x4b, 5, 6])
  }

  /// - Parameter most: Entries that are read.
  package init(_ bytes: Bytes, most: Int) throws(Fault) {
    let end = try Self.end(bytes)
    start = UInt64(end.directory)
    var cursor = ByteCursor(bytes.buffer, at: end.directory)
    for index in 0..<end.count {
      guard entries.count < most else {
        faults.append(Fault(reason: "entries > \(most)", offset: UInt64(cursor.offset)))
        break
      }
      let place = cursor.offset
      guard let entry = try? Self.entry(&cursor) else {
        faults.append(Fault(reason: "directory entry \(index) of \(end.count)", offset: UInt64(place)))
        break
      }
      entries.append(entry)
    }
    findOverlaps(before: UInt64(end.directory))
  }

  /// The compressed bytes of an entry.
  package func stored(_ entry: Entry, of bytes: Bytes) throws(Fault) -> Bytes {
    let fault = Fault(reason: "local header", offset: entry.header)
    guard let start = Int(exactly: entry.header), start <= bytes.count else { throw fault }
    var cursor = ByteCursor(bytes.buffer, at: start)
    do throws(ByteError) {
      guard try cursor.u32() == Self.localSignature else { throw ByteError(code: .unsupportedSize, offset: start) }
      try cursor.skip(22)
      let name = try cursor.u16()
      let extra = try cursor.u16()
      try cursor.skip(Int(name) + Int(extra))
    } catch {
      throw fault
    }
    guard let content = bytes.slice(at: UInt64(cursor.offset), size: entry.compressedSize) else {
      throw Fault(reason: "compressed size \(entry.compressedSize)", offset: entry.place + 20)
    }
    return content
  }

  // MARK: - Reading

  /// The place of the directory and the number of its entries, by the record at the end of the file.
  private static func end(_ bytes: Bytes) throws(Fault) -> (directory: Int, count: UInt64) {
    let last = bytes.count - 22
    var place = last
    while place >= max(0, last - 0xffff) {
      var cursor = ByteCursor(bytes.buffer, at: place)
      if (try? cursor.u32()) == endSignature, let found = try? end(bytes, at: place) { return found }
      place -= 1
    }
    throw Fault(reason: "end of central directory", offset: UInt64(bytes.count))
  }

  private static func end(_ bytes: Bytes, at place: Int) throws -> (directory: Int, count: UInt64) {
    var cursor = ByteCursor(bytes.buffer, at: place + 10)
    var count = UInt64(try cursor.u16())
    let size = UInt64(try cursor.u32())
    var directory = UInt64(try cursor.u32())
    let comment = Int(try cursor.u16())
    guard cursor.offset + comment <= bytes.count else { throw ByteError(code: .truncated, offset: cursor.offset) }
    // A locator before the record points to the form of zips beyond 4 GB.
    if count == 0xffff || size == 0xffff_ffff || directory == 0xffff_ffff, place >= 20 {
      var locator = ByteCursor(bytes.buffer, at: place - 20)
      if try locator.u32() == 0x0706_4b50 {
        try locator.skip(4)
        let long = try locator.u64()
        guard let start = Int(exactly: long) else { throw ByteError(code: .truncated, offset: place) }
        var record = ByteCursor(bytes.buffer, at: start)
        guard try record.u32() == longEndSignature else { throw ByteError(code: .unsupportedSize, offset: start) }
        try record.skip(28)
        count = try record.u64()
        try record.skip(8)
        directory = try record.u64()
      }
    }
    guard let start = Int(exactly: directory), start <= place else {
      throw ByteError(code: .truncated, offset: place + 16)
    }
    return (start, count)
  }

  private static func entry(_ cursor: inout ByteCursor) throws -> Entry {
    let place = cursor.offset
    guard try cursor.u32() == entrySignature else { throw ByteError(code: .unsupportedSize, offset: place) }
    try cursor.skip(4)
    let flags = try cursor.u16()
    let method = try cursor.u16()
    try cursor.skip(4)
    let checksum = try cursor.u32()
    var compressed = UInt64(try cursor.u32())
    var size = UInt64(try cursor.u32())
    let nameLength = Int(try cursor.u16())
    let extraLength = Int(try cursor.u16())
    let commentLength = Int(try cursor.u16())
    try cursor.skip(8)
    var header = UInt64(try cursor.u32())
    let name = String(utf8: try cursor.bytes(nameLength))
    var extra = ByteCursor(try cursor.bytes(extraLength))
    try cursor.skip(commentLength)
    while extra.remaining >= 4, let kind = try? extra.u16(), let length = try? extra.u16() {
      guard var field = (try? extra.bytes(Int(length))).map({ ByteCursor($0) }) else { break }
      guard kind == 1 else { continue }
      if size == 0xffff_ffff { size = try field.u64() }
      if compressed == 0xffff_ffff { compressed = try field.u64() }
      if header == 0xffff_ffff { header = try field.u64() }
    }
    return Entry(
      name: name, nameLength: nameLength, method: method, isEncrypted: flags & 1 != 0, checksum: checksum,
      compressedSize: compressed,
      size: size, header: header, place: UInt64(place))
  }

  /// Finds entries that share bytes: a few that are read thousands of times are a bomb.
  private mutating func findOverlaps(before directory: UInt64) {
    let order = entries.indices.sorted { entries[$0].header < entries[$1].header }
    var end: UInt64 = 0
    for index in order {
      let entry = entries[index]
      let least = entry.header.addingReportingOverflow(30 + UInt64(entry.nameLength))
      let (next, overflow) = least.partialValue.addingReportingOverflow(entry.compressedSize)
      if entry.header < end || least.overflow || overflow || next > directory {
        faults.append(Fault(reason: "overlap: \(entry.name)", offset: entry.place))
      }
      end = max(end, overflow ? .max : next)
    }
  }
}
