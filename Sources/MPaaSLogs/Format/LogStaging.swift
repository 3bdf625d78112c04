package import MPaaSSupport

/// The records that a writer, running or killed, has staged and not put into a file yet: a picture of one moment.
///
/// Read the staging files of a folder before its `.mplog` files, then nothing is missed; `isSealed(in:)` tells what is
/// in both.
package struct LogStaging: Sendable {
  /// The names of staging files end so.
  package static let suffix = ".mpring"
  /// Staging files begin so.
  package static let magic = StagingHeader.magic

  package struct Segment: Sendable, Hashable {
    /// Its header as the block's will be, as far as it is known: kind `recovered`.
    package let chunk: LogChunk
    package let bytes: [UInt8]
  }

  package let path: String
  package let type: LogType
  package let lane: Int
  package let boot: UInt64
  package var isEncrypted: Bool { !wrappedKey.isEmpty }
  /// In the order of their records.
  package let segments: [Segment]
  package let wrappedKey: [UInt8]

  /// Takes the picture.
  ///
  /// - Throws: `FileError`; `LogError` `log-file-malformed`.
  package init(path: String) throws {
    try self.init(try Bytes.mapping(path), path: path)
  }

  /// - Throws: `LogError` `log-file-malformed`.
  package init(_ file: Bytes, path: String) throws(LogError) {
    guard let header = StagingHeader(file.buffer) else {
      throw LogError(.fileMalformed, ["path": path], at: .file(path))
    }
    self.path = path
    type = header.type
    lane = header.lane
    boot = header.boot
    wrappedKey = header.wrappedKey
    var found: [Segment] = []
    for index in 0..<header.segmentCount {
      let segment = StagingSegment(UnsafeRawBufferPointer(rebasing: file.buffer[header.segment(index)]))
      if let copy = Self.copy(segment, header) { found.append(copy) }
    }
    segments = found.sorted { $0.chunk.firstSequence < $1.chunk.firstSequence }
    withExtendedLifetime(file) {}
  }

  /// Copies a segment that a running writer may free and fill again meanwhile; nil where it is empty.
  private static func copy(_ segment: StagingSegment, _ header: StagingHeader) -> Segment? {
    for _ in 0..<8 {
      guard let state = segment.state, state != .free else { return nil }
      let generation = segment.generation
      guard let before = segment.summary() else { return nil }
      let bytes = Array(segment.records.prefix(before.size))
      guard segment.state != .free, segment.generation == generation else { continue }
      var chunk = LogChunk(.recovered)
      chunk.plainSize = bytes.count
      chunk.recordCount = before.count
      chunk.describe(before)
      chunk.generation = generation
      chunk.staging = header.id
      return Segment(chunk: chunk, bytes: bytes)
    }
    return nil
  }
}

extension LogStaging.Segment {
  /// Tells whether the segment stands as a block in one of `files` already.
  package func isSealed(in files: some Sequence<LogFile>) -> Bool {
    files.contains { file in
      file.blocks.contains { $0.chunk.staging == chunk.staging && $0.chunk.generation == chunk.generation }
    }
  }
}

extension LogChunk {
  /// Takes over what is known of staged records without a key.
  mutating func describe(_ summary: StagedSummary) {
    recordCount = summary.count
    firstSequence = summary.firstSequence
    leastTime = summary.leastTime
    greatestTime = summary.greatestTime
    levels = summary.levels
    tags = .max
    if summary.hasClockJump { flags.insert(.clockJump) }
  }
}
