package import MPaaSSupport

/// A core file over its mapped bytes: what memory it holds and what its notes say.
///
/// Source: gABI chapter 5 "Program Header"; the notes as Linux' `fs/binfmt_elf.c` writes them.
package struct CoreFile: Sendable {
  /// The whole file; offsets in errors count from its first byte.
  package let bytes: Bytes
  let segments: [Segment]
  let notes: CoreNotes
  let machine: UInt16
  /// Bytes that the program headers promise and the file does not have: it was cut off while it was written.
  package let missingBytes: UInt64

  /// Memory that was mapped; `contents` is shorter than the memory where the kernel left it out.
  struct Segment: Sendable {
    let address: UInt64
    let size: UInt64
    let contents: Bytes
    let isReadable: Bool
    let isExecutable: Bool
    let isWritable: Bool

    var end: UInt64 { address + size }
  }

  private struct Header {
    var type: UInt32
    var flags: UInt32
    var offset: UInt64
    var address: UInt64
    var fileSize: UInt64
    var memorySize: UInt64
  }

  /// Reads a core of this machine's architecture.
  ///
  /// - Throws: `CoreError` with the offset of what cannot be true.
  package init(_ bytes: Bytes) throws(CoreError) {
    self.bytes = bytes
    guard bytes.count >= 64, bytes.buffer.prefix(4).elementsEqual([0x7f, 0x45, 0x4c, 0x46]) else {
      throw CoreError(.notELF)
    }
    guard bytes.buffer[4] == 2, bytes.buffer[5] == 1 else { throw CoreError(.otherShape, offset: 4) }
    let headers: [Header]
    let type: UInt16
    do throws(ByteError) {
      var cursor = ByteCursor(bytes.buffer, at: 16)
      type = try cursor.u16()
      machine = try cursor.u16()
      headers = try Self.programHeaders(bytes)
    } catch {
      throw CoreError(.truncated, offset: 32)
    }
    guard type == 4 else { throw CoreError(.notCore, offset: 16) }
    guard machine == Self.thisMachine else { throw CoreError(.otherMachine(machine), offset: 18) }
    var missing: UInt64 = 0
    segments = headers.compactMap { Self.segment($0, bytes, &missing) }.sorted { $0.address < $1.address }
    missingBytes = missing
    var notes = CoreNotes()
    for header in headers where header.type == 4 {
      let end = UInt64(bytes.count)
      guard header.offset < end else { continue }
      if let part = bytes.slice(at: header.offset, size: min(header.fileSize, end - header.offset)) { notes.read(part) }
    }
    self.notes = notes
    guard !notes.threads.isEmpty else { throw CoreError(.noThreads) }
  }

  /// Reads the core at `path`, which errors name.
  ///
  /// - Throws: `FileError` where it cannot be read, `CoreError` where it is none.
  package init(path: String) throws {
    let bytes = try Bytes.mapping(path)
    do throws(CoreError) {
      try self.init(bytes)
    } catch {
      var error = error
      error.path = path
      throw error
    }
  }

  static var thisMachine: UInt16 {
    #if arch(arm64)
      183
    #else
      62
    #endif
  }

  private static func programHeaders(_ bytes: Bytes) throws(ByteError) -> [Header] {
    var cursor = ByteCursor(bytes.buffer, at: 32)
    let table = try cursor.u64()
    let sections = try cursor.u64()
    cursor.offset = 54
    let entrySize = try cursor.u16()
    var count = UInt64(try cursor.u16())
    if count == 0xffff, let section = Int(exactly: sections), section <= bytes.count {
      // PN_XNUM: more than fit; the first section's sh_info has the number.
      var first = ByteCursor(bytes.buffer, at: section)
      try first.skip(44)
      count = UInt64(try first.u32())
    }
    guard entrySize == 56, let start = Int(exactly: table), start <= bytes.count,
      count <= UInt64(bytes.count - start) / 56
    else { throw ByteError(code: .truncated, offset: 32) }
    cursor.offset = start
    var headers: [Header] = []
    headers.reserveCapacity(Int(count))
    for _ in 0..<count { headers.append(try header(&cursor)) }
    return headers
  }

  private static func header(_ cursor: inout ByteCursor) throws(ByteError) -> Header {
    var header = Header(
      type: try cursor.u32(), flags: try cursor.u32(), offset: try cursor.u64(), address: try cursor.u64(), fileSize: 0,
      memorySize: 0)
    try cursor.skip(8)
    header.fileSize = try cursor.u64()
    header.memorySize = try cursor.u64()
    try cursor.skip(8)
    return header
  }

  private static func segment(_ header: Header, _ bytes: Bytes, _ missing: inout UInt64) -> Segment? {
    guard header.type == 1, header.memorySize > 0, header.memorySize <= .max - header.address else { return nil }
    let wanted = min(header.fileSize, header.memorySize)
    let end = UInt64(bytes.count)
    let present = header.offset < end ? min(wanted, end - header.offset) : 0
    missing = missing.addingReportingOverflow(wanted - present).partialValue
    return Segment(
      address: header.address, size: header.memorySize,
      contents: bytes.slice(at: header.offset, size: present) ?? .empty, isReadable: header.flags & 4 != 0,
      isExecutable: header.flags & 1 != 0, isWritable: header.flags & 2 != 0)
  }
}
