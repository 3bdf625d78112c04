package import MPaaSSupport
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The reason why a file is no index that can be used.
package enum IndexFileError: Error, Sendable, Equatable {
  case notAnIndex
  case otherVersion(UInt32)
  case damaged
}

/// An index file over its mapped bytes.
///
/// Header and tables are checked at once; what they lead to when it is first read, a chunk at a time, so that one
/// address costs no pass over the file. It can be shared between threads.
package final class IndexFile: Sendable {
  let bytes: Bytes
  package let hasDebugInfo: Bool
  /// Bytes of an address: 4 or 8.
  package let addressSize: Int
  let pages: Range<Int>
  let entries: Range<Int>
  let blocks: Range<Int>
  let parts: Range<Int>
  let nodes: Range<Int>
  let references: Range<Int>
  let pool: Range<Int>
  let digests: Range<Int>
  private let sources: Range<Int>
  private let checksums: Range<Int>
  private let body: Int
  private let checked: CheckedChunks

  /// Checks the header and the tables.
  ///
  /// - Parameter bytes: The whole file, mapped.
  package init(_ bytes: Bytes) throws(IndexFileError) {
    var cursor = SectionCursor(bytes.buffer, bigEndian: false)
    guard cursor.u64() == IndexFormat.magic else { throw .notAnIndex }
    let version = cursor.u32()
    guard version == IndexFormat.version else { throw .otherVersion(version) }
    let checksum = cursor.u32()
    let size = cursor.u64()
    let flags = cursor.u32()
    addressSize = cursor.u32() == 4 ? 4 : 8
    let sectionCount = cursor.u32()
    let chunkSize = cursor.u32()
    let body = cursor.u64()
    let tableEnd =
      IndexFormat.headerSize + IndexFormat.Section.allCases.count * IndexFormat.sectionEntrySize
    guard !cursor.isBroken, size == UInt64(bytes.count), sectionCount == UInt32(IndexFormat.Section.allCases.count),
      chunkSize == UInt32(IndexFormat.chunkSize), body >= UInt64(tableEnd), body <= size,
      UnsafeRawBufferPointer(rebasing: bytes.buffer[16..<Int(body)]).crc32 == checksum
    else { throw .damaged }
    var sections: [Range<Int>] = []
    for _ in IndexFormat.Section.allCases {
      let start = cursor.u64()
      let (end, overflow) = start.addingReportingOverflow(cursor.u64())
      guard !cursor.isBroken, !overflow, end <= size else { throw .damaged }
      sections.append(Int(start)..<Int(end))
    }
    let chunks = (bytes.count - Int(body) + IndexFormat.chunkSize - 1) / IndexFormat.chunkSize
    func section(_ section: IndexFormat.Section) -> Range<Int> { sections[section.rawValue] }
    guard section(.checksums).count == chunks * 4, section(.checksums).upperBound <= Int(body),
      sections.dropFirst().allSatisfy({ $0.lowerBound >= Int(body) && $0.upperBound <= bytes.count - IndexFormat.slack }
      )
    else { throw .damaged }
    self.bytes = bytes
    self.body = Int(body)
    hasDebugInfo = flags & IndexFormat.Flags.hasDebugInfo != 0
    checksums = section(.checksums)
    sources = section(.sources)
    pages = section(.pages)
    entries = section(.entries)
    blocks = section(.blocks)
    parts = section(.parts)
    nodes = section(.nodes)
    references = section(.references)
    pool = section(.pool)
    digests = section(.digests)
    checked = CheckedChunks(count: chunks)
    // Every look-up searches all of the pages.
    guard isIntact(pages.lowerBound, pages.upperBound) else { throw .damaged }
  }

  /// Tells whether the bytes of the range are those that were written; each chunk is looked at once.
  @inline(__always)
  func isIntact(_ start: Int, _ end: Int) -> Bool {
    guard start < end else { return true }
    var chunk = (start &- body) >> 14
    let last = (end &- 1 &- body) >> 14
    while chunk <= last {
      if !checked[chunk], !check(chunk) { return false }
      chunk &+= 1
    }
    return true
  }

  /// Tells whether every part is as it was written: a pass over the whole file.
  var isWhole: Bool { isIntact(body, bytes.count) }

  /// Tells whether a damaged file may have been an index with debug information; only one that plainly had none has
  /// not.
  static func mayHaveDebugInfo(_ bytes: Bytes) -> Bool {
    var cursor = SectionCursor(bytes.buffer, bigEndian: false)
    guard cursor.u64() == IndexFormat.magic else { return true }
    cursor.skip(16)
    let flags = cursor.u32()
    return cursor.isBroken || flags & IndexFormat.Flags.hasDebugInfo != 0
  }

  @inline(never)
  private func check(_ chunk: Int) -> Bool {
    guard chunk >= 0, chunk < checked.count else { return false }
    let start = body + chunk * IndexFormat.chunkSize
    let end = min(start + IndexFormat.chunkSize, bytes.count)
    let found = UnsafeRawBufferPointer(rebasing: bytes.buffer[start..<end]).crc32
    let wanted = bytes.buffer.loadUnaligned(fromByteOffset: checksums.lowerBound + chunk * 4, as: UInt32.self)
    guard found == UInt32(littleEndian: wanted) else { return false }
    checked.set(chunk)
    return true
  }

  /// The files that the index was made of; nil where the list is damaged.
  package var files: [IndexedFile]? {
    guard isIntact(sources.lowerBound, sources.upperBound) else { return nil }
    var cursor = SectionCursor(bytes.buffer, at: sources.lowerBound, end: sources.upperBound, bigEndian: false)
    var files: [IndexedFile] = []
    for _ in 0..<min(cursor.uleb(), 16) {
      guard let role = IndexedFile.Role(rawValue: cursor.u8()), let path = cursor.counted() else { return nil }
      let size = cursor.u64()
      let modified = Int64(bitPattern: cursor.u64())
      guard let id = cursor.counted() else { return nil }
      files.append(IndexedFile(role: role, path: path, size: size, modified: modified, buildID: BuildID(hex: id)))
    }
    return cursor.isBroken ? nil : files
  }
}

extension SectionCursor {
  /// A text behind its length; nil where it does not end inside.
  fileprivate mutating func counted() -> String? {
    let count = uleb()
    guard count <= UInt64(end - offset) else { return nil }
    let start = offset
    skip(count)
    return String(utf8: UnsafeRawBufferPointer(rebasing: buffer[start..<offset]))
  }
}

/// The chunks that were compared with their checksums; set by any thread, never taken back.
private final class CheckedChunks: @unchecked Sendable {
  // `@unchecked`: the memory holds atomics and is given back with the last user.
  private let flags: UnsafeMutablePointer<Atomic<UInt8>>
  let count: Int

  init(count: Int) {
    self.count = count
    flags = .allocate(capacity: max(count, 1))
    for index in 0..<count { (flags + index).initialize(to: Atomic(0)) }
  }

  deinit {
    flags.deinitialize(count: count)
    flags.deallocate()
  }

  @inline(__always)
  subscript(chunk: Int) -> Bool {
    UInt(bitPattern: chunk) < UInt(bitPattern: count) && flags[chunk].load(ordering: .relaxed) != 0
  }

  func set(_ chunk: Int) {
    flags[chunk].store(1, ordering: .relaxed)
  }
}
