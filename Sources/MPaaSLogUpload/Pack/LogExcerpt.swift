import MPaaSLogs
import MPaaSSupport

/// The part of a file in a window of time: whole blocks of ours, whole lines of text, all of any other.
struct LogExcerpt: Sendable {
  let type: LogType
  let format: LogFormat
  let pieces: [Bytes]
  let records: Int?
  let isWhole: Bool

  var size: UInt64 { pieces.reduce(0) { $0 + UInt64($1.count) } }

  /// - Returns: nil where nothing of the file is of the window.
  init?(_ file: LogFiles.File, from: Int64, to: Int64) throws {
    let bytes = try Bytes.mapping(file.path)
    guard !bytes.isEmpty else { return nil }
    if LogFile.isLogFile(bytes.buffer) {
      self.init(try LogFile(bytes, path: file.path), file, from, to)
    } else if bytes.buffer.starts(with: LogStaging.magic) {
      try self.init(staging: file, from, to)
    } else if Self.isText(bytes) {
      self.init(text: bytes, file, from, to)
    } else {
      // Written after the window began: it may hold some of it.
      guard file.modified >= from / 1_000_000_000 else { return nil }
      self.init(
        type: file.type ?? .diagnostic, format: FileKind.of(bytes.buffer).format, pieces: [bytes], records: nil,
        isWhole: true)
    }
  }

  private init(type: LogType, format: LogFormat, pieces: [Bytes], records: Int?, isWhole: Bool) {
    self.type = type
    self.format = format
    self.pieces = pieces
    self.records = records
    self.isWhole = isWhole
  }

  private static func isText(_ bytes: Bytes) -> Bool {
    withExtendedLifetime(bytes) { FileKind.of(bytes.buffer) == .text }
  }

  /// Takes the records that a writer has staged at this moment: its records have checksums of their own.
  private init?(staging file: LogFiles.File, _ from: Int64, _ to: Int64) throws {
    let bytes = try Bytes.reading(file.path)
    let staging = try LogStaging(path: file.path)
    let inside = staging.segments.filter { $0.chunk.greatestTime >= from && $0.chunk.leastTime < to }
    guard !inside.isEmpty else { return nil }
    self.init(
      type: staging.type, format: .mplog, pieces: [bytes],
      records: inside.reduce(0) { $0 + $1.chunk.recordCount }, isWhole: true)
  }

  /// The blocks of the window, each part's beginning before them.
  private init?(_ log: LogFile, _ file: LogFiles.File, _ from: Int64, _ to: Int64) {
    let inside = log.blocks.filter { $0.chunk.greatestTime >= from && $0.chunk.leastTime < to }
    guard !inside.isEmpty else { return nil }
    let records = inside.reduce(0) { $0 + $1.chunk.recordCount }
    let type = log.parts.first?.type ?? file.type ?? .diagnostic
    if inside.count == log.blocks.count {
      self.init(type: type, format: .mplog, pieces: [log.bytes], records: records, isWhole: true)
      return
    }
    var ranges: [Range<Int>] = []
    var begun = Set<Int>()
    var end = 0
    for block in log.blocks {
      defer { end = block.range.upperBound }
      guard let part = block.part else { continue }
      let isWanted = block.chunk.greatestTime >= from && block.chunk.leastTime < to
      if begun.insert(part).inserted { ranges.append(end..<block.offset) }
      guard isWanted else { continue }
      if ranges.last?.upperBound == block.offset, let last = ranges.popLast() {
        ranges.append(last.lowerBound..<block.range.upperBound)
      } else {
        ranges.append(block.range)
      }
    }
    self.init(
      type: type, format: .mplog,
      pieces: ranges.compactMap { log.bytes[checked: UInt64($0.lowerBound)..<UInt64($0.upperBound)] },
      records: records, isWhole: false)
  }

  /// The lines from the first record of the window to the last.
  private init?(text bytes: Bytes, _ file: LogFiles.File, _ from: Int64, _ to: Int64) {
    var shape = TextShape(zone: LogZone(.local), reference: file.modified)
    defer { withExtendedLifetime(bytes) {} }
    let format = shape.learn(from: UnsafeRawBufferPointer(rebasing: bytes.buffer.prefix(1 << 16)))
    let type = file.type ?? .diagnostic
    guard shape.hasHeads else {
      guard file.modified >= from / 1_000_000_000 else { return nil }
      self.init(type: type, format: format, pieces: [bytes], records: nil, isWhole: true)
      return
    }
    var reader = shape.reader
    var first: Int?
    var last = 0
    var records = 0
    var start = 0
    var isInside = false
    while start < bytes.count {
      let end = bytes.buffer.lineEnd(start)
      if let head = reader.head(bytes.buffer.line(start, end)) {
        isInside = head.time.map { $0 >= from && $0 < to } ?? isInside
        if isInside { records += 1 }
      }
      if isInside {
        first = first ?? start
        last = min(end + 1, bytes.count)
      }
      start = end + 1
    }
    guard let first, let piece = bytes[checked: UInt64(first)..<UInt64(last)] else { return nil }
    self.init(
      type: type, format: format, pieces: [piece], records: records, isWhole: piece.count == bytes.count)
  }
}
