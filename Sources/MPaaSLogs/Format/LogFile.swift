import CLogRing
package import MPaaSSupport

/// A block of a file: its header, and where it stands.
package struct LogBlock: Sendable, Hashable {
  package let chunk: LogChunk
  /// The offset of its header.
  package let offset: Int
  /// Its part, in `LogFile.parts`; nil where the beginning of that part is lost.
  package let part: Int?

  /// Header and content in the file.
  package var range: Range<Int> { offset..<offset + LogChunk.size + chunk.storedSize }
  package var content: Range<Int> { offset + LogChunk.size..<range.upperBound }
}

/// Bytes of a file that are no chunk.
package struct LogGap: Sendable, Hashable {
  package enum Reason: String, Sendable {
    /// The end of what was being written when the process, the device or the disk ended.
    case torn
    case damaged
  }

  package let range: Range<Int>
  package let reason: Reason
}

/// A `.mplog` file: the headers of all blocks, found without decoding any.
///
/// One part or several, one after another; so files that are put together are a file.
package struct LogFile: Sendable {
  package let bytes: Bytes
  /// For error messages only.
  package let path: String
  package private(set) var parts: [LogPart] = []
  /// In the order of the file.
  package private(set) var blocks: [LogBlock] = []
  /// In the order of the file.
  package private(set) var gaps: [LogGap] = []

  /// Tells whether the file begins as one of this format does.
  package static func isLogFile(_ bytes: UnsafeRawBufferPointer) -> Bool { bytes.starts(with: LogChunk.magic) }

  /// Maps and opens a file.
  ///
  /// - Throws: `FileError`; `LogError` as `init(_:path:)` does.
  package init(path: String) throws {
    try self.init(try Bytes.mapping(path), path: path)
  }

  /// Finds all blocks: by the index at the end where there is one, else from header to header.
  ///
  /// - Parameter usesIndex: Whether an index is trusted; `log verify` looks at every header itself.
  /// - Throws: `LogError` `log-file-malformed` where there is no chunk at all. An empty file has none, and is no error.
  package init(_ bytes: Bytes, path: String = "", usesIndex: Bool = true) throws(LogError) {
    self.bytes = bytes
    self.path = path
    defer { withExtendedLifetime(bytes) {} }
    var scan = LogScan(bytes.buffer)
    if usesIndex { scan.runByIndex() } else { scan.run(0..<bytes.count) }
    parts = scan.parts
    blocks = scan.blocks
    gaps = scan.gaps
    guard !parts.isEmpty || !blocks.isEmpty || bytes.isEmpty || scan.sawChunk else {
      throw LogError(.fileMalformed, ["path": path], at: path.isEmpty ? nil : .file(path))
    }
  }

  /// Tells whether any part is encrypted.
  package var isEncrypted: Bool { parts.contains(where: \.isEncrypted) }
  package var recordCount: Int { blocks.reduce(0) { $0 + $1.chunk.recordCount } }
}

/// Goes over a file from header to header.
struct LogScan {
  private let bytes: UnsafeRawBufferPointer
  private(set) var parts: [LogPart] = []
  private(set) var blocks: [LogBlock] = []
  private(set) var gaps: [LogGap] = []
  /// Tells whether anything was a chunk.
  private(set) var sawChunk = false
  private var numbers: [UInt64: Int] = [:]

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  /// Looks at all of `range`, which begins where a chunk should.
  mutating func run(_ range: Range<Int>) {
    var offset = range.lowerBound
    var last: LogBlock?
    while offset < range.upperBound {
      if let block = block(at: offset, before: range.upperBound) {
        add(block)
        last = block
        offset = block.range.upperBound
        continue
      }
      // A block that was cut short before another part was put behind it claims a greater length than it has.
      var start = offset
      if let cut = last, !isWhole(cut) {
        remove(cut)
        start = cut.offset
      }
      last = nil
      let next = nextChunk(after: start, before: range.upperBound)
      gaps.append(LogGap(range: start..<(next ?? range.upperBound), reason: reason(start, next)))
      offset = next ?? range.upperBound
    }
    if let last, !isWhole(last), let next = nextChunk(after: last.offset, before: last.range.upperBound) {
      remove(last)
      gaps.append(LogGap(range: last.offset..<next, reason: .torn))
      run(next..<range.upperBound)
    }
  }

  /// A chunk that is all there before `end`.
  private func block(at offset: Int, before end: Int) -> LogBlock? {
    guard end - offset >= LogChunk.size, let chunk = LogChunk(part(offset..<end)),
      end - offset - LogChunk.size >= chunk.storedSize
    else { return nil }
    return LogBlock(chunk: chunk, offset: offset, part: numbers[chunk.part])
  }

  private func part(_ range: Range<Int>) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[range]) }

  private func isWhole(_ block: LogBlock) -> Bool {
    part(block.content).checksum == block.chunk.checksum
  }

  /// The reason for a hole: what begins as a chunk and has no whole one behind it was being written.
  private func reason(_ start: Int, _ next: Int?) -> LogGap.Reason {
    let rest = part(start..<bytes.count)
    guard rest.starts(with: LogChunk.magic.prefix(rest.count)) || rest.prefix(LogChunk.size).allSatisfy({ $0 == 0 })
    else { return .damaged }
    if rest.count < LogChunk.size { return .torn }
    guard let chunk = LogChunk(rest) else { return next == nil && rest[0] == 0 ? .torn : .damaged }
    return chunk.storedSize > (next ?? bytes.count) - start - LogChunk.size ? .torn : .damaged
  }

  /// The next place behind `offset` where a header stands.
  private func nextChunk(after offset: Int, before end: Int) -> Int? {
    var place = offset + 1
    while end - place >= LogChunk.size {
      guard let found = part(place..<end).firstIndex(of: LogChunk.magic[0]) else { return nil }
      place += found
      if end - place >= LogChunk.size, LogChunk(part(place..<end)) != nil { return place }
      place += 1
    }
    return nil
  }

  private mutating func add(_ block: LogBlock) {
    sawChunk = true
    switch block.chunk.kind {
    case .part:
      guard isWhole(block), let found = LogPart(part(block.content), id: block.chunk.part) else {
        gaps.append(LogGap(range: block.range, reason: .damaged))
        return
      }
      guard numbers[found.id] == nil else { return }
      numbers[found.id] = parts.count
      parts.append(found)
    case .records, .recovered: blocks.append(block)
    case .index:
      if !isWhole(block) { gaps.append(LogGap(range: block.range, reason: .damaged)) }
    }
  }

  private mutating func remove(_ block: LogBlock) {
    if blocks.last == block { blocks.removeLast() }
    if gaps.last?.range == block.range { gaps.removeLast() }
  }
}

extension LogScan {
  /// Looks at all of the file, at parts that have an index by that.
  mutating func runByIndex() {
    guard let index = LogIndex(bytes, endingAt: bytes.count) else { return run(0..<bytes.count) }
    run(0..<index.start)
    // The two copies of the part's beginning, and what the index does not tell.
    run(index.start..<index.firstBlock)
    for entry in index.entries {
      add(LogBlock(chunk: entry.chunk, offset: entry.offset, part: numbers[entry.chunk.part]))
    }
  }
}

extension UnsafeRawBufferPointer {
  package var checksum: UInt32 { mp_log_crc32c(0, baseAddress, count) }
}
