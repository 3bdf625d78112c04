import CLogRing
import MPaaSSupport

/// The beginning of a staging file: whose it is, and the wrapped key of what is staged in it.
struct StagingHeader: Sendable, Hashable {
  static let magic: [UInt8] = [0x89, 0x4d, 0x50, 0x4c, 0x52, 0x0a, 0x1a, 0x0a]
  static let version: UInt32 = 1
  private static let fixedSize = 56

  var id: UInt32
  var type: LogType
  var lane: Int
  var boot: UInt64
  var wrappedKey: [UInt8]
  var segmentSize: Int
  var segmentCount: Int

  /// The offset of the first segment: a whole page, on all systems.
  var size: Int { (Self.fixedSize + type.rawValue.utf8.count + wrappedKey.count + 16383) & ~16383 }
  var fileSize: Int { size + segmentSize * segmentCount }

  init(
    id: UInt32, type: LogType, lane: Int, boot: UInt64, wrappedKey: [UInt8], segmentSize: Int, segmentCount: Int
  ) {
    self.id = id
    self.type = type
    self.lane = lane
    self.boot = boot
    self.wrappedKey = wrappedKey
    self.segmentSize = segmentSize
    self.segmentCount = segmentCount
  }

  /// Reads the beginning of a staging file; nil where it is none, or was not finished.
  init?(_ file: UnsafeRawBufferPointer) {
    guard file.count >= Self.fixedSize, file.starts(with: Self.magic), file.number(12) == Self.version else {
      return nil
    }
    let typeSize = Int(file.number(44, UInt32.self)), keySize = Int(file.number(48, UInt32.self))
    let used = Self.fixedSize + typeSize + keySize
    guard used <= file.count,
      file.number(8) == UnsafeRawBufferPointer(rebasing: file[12..<used]).checksum
    else { return nil }
    segmentSize = Int(file.number(20, UInt32.self))
    segmentCount = Int(file.number(24, UInt32.self))
    id = file.number(28)
    boot = file.number(32)
    lane = Int(file.number(40, UInt32.self))
    let rest = UnsafeRawBufferPointer(rebasing: file[Self.fixedSize..<used])
    type = LogType(rawValue: String(utf8: UnsafeRawBufferPointer(rebasing: rest.prefix(typeSize))))
    wrappedKey = Array(rest.suffix(keySize))
    guard segmentSize > StagingSegment.headerSize, segmentSize % 64 == 0, segmentSize <= LogChunk.largestContent / 2,
      segmentCount > 0, segmentCount <= 1024, fileSize <= file.count
    else { return nil }
  }

  /// Writes the header; its checksum, without which it is none, last.
  func write(to file: UnsafeMutableRawBufferPointer) {
    let type = Array(type.rawValue.utf8)
    file.copyBytes(from: Self.magic)
    file.put(Self.version, 12)
    file.put(UInt32(truncatingIfNeeded: size), 16)
    file.put(UInt32(truncatingIfNeeded: segmentSize), 20)
    file.put(UInt32(truncatingIfNeeded: segmentCount), 24)
    file.put(id, 28)
    file.put(boot, 32)
    file.put(UInt32(truncatingIfNeeded: lane), 40)
    file.put(UInt32(truncatingIfNeeded: type.count), 44)
    file.put(UInt32(truncatingIfNeeded: wrappedKey.count), 48)
    file.put(UInt32(0), 52)
    let text = type + wrappedKey
    UnsafeMutableRawBufferPointer(rebasing: file[Self.fixedSize...]).copyBytes(from: text)
    let covered = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(file)[12..<(Self.fixedSize + text.count)])
    file.put(covered.checksum, 8)
  }

  /// The bytes of a segment in the file.
  func segment(_ index: Int) -> Range<Int> {
    size + index * segmentSize..<size + (index + 1) * segmentSize
  }

  /// The place of the number of records that were dropped and not told of yet: in the first segment's header.
  var droppedOffset: Int { segment(0).lowerBound + 32 }

  func dropped(_ file: UnsafeRawBufferPointer) -> UInt64 { file.number(droppedOffset) }
}

/// A part of a staging file that is filled, sealed as one block and filled again.
struct StagingSegment {
  enum State: UInt32 {
    case free = 0
    case filling = 1
    case full = 2
  }

  /// Bytes before the first record: state, generation, the first sequence, and the one behind the last.
  static let headerSize = 64
  static let generationOffset = 8
  static let firstSequenceOffset = 16
  static let endSequenceOffset = 24

  let bytes: UnsafeRawBufferPointer

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  var state: State? {
    guard let base = bytes.baseAddress else { return nil }
    return State(rawValue: mp_log_published(base.assumingMemoryBound(to: UInt32.self)))
  }
  var generation: UInt64 { bytes.number(Self.generationOffset) }
  var firstSequence: UInt64 { bytes.number(Self.firstSequenceOffset) }
  /// The number that the first record behind the segment has; 0 while it is being filled.
  var endSequence: UInt64 { bytes.number(Self.endSequenceOffset) }
  var records: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[Self.headerSize...]) }

  /// The facts of block headers about the records; nil where there is none.
  ///
  /// - Parameter limit: Bytes that are looked at.
  func summary(limit: Int = .max) -> StagedSummary? {
    var summary: StagedSummary?
    var offset = 0
    let generation = generation
    let records = UnsafeRawBufferPointer(rebasing: records.prefix(limit))
    while let record = StagedRecord(records, at: offset, generation: generation),
      summary?.endSequence ?? record.sequence == record.sequence, record.sequence < .max
    {
      if summary == nil { summary = StagedSummary(record) } else { summary?.add(record) }
      offset = record.end
    }
    return summary
  }
}

/// The facts known of staged records without a key.
struct StagedSummary: Sendable, Hashable {
  let firstSequence: UInt64
  private(set) var endSequence: UInt64
  let firstTime: Int64
  private(set) var leastTime: Int64
  private(set) var greatestTime: Int64
  private(set) var levels: UInt8
  private(set) var hasClockJump: Bool
  /// Bytes of the segment's records.
  private(set) var size: Int

  init(_ record: StagedRecord) {
    firstSequence = record.sequence
    endSequence = record.sequence + 1
    firstTime = record.time
    leastTime = record.time
    greatestTime = record.time
    levels = 1 << (record.level & 7)
    hasClockJump = record.flags.contains(.followsClockJump)
    size = record.end
  }

  mutating func add(_ record: StagedRecord) {
    endSequence = record.sequence + 1
    leastTime = min(leastTime, record.time)
    greatestTime = max(greatestTime, record.time)
    levels |= 1 << (record.level & 7)
    hasClockJump = hasClockJump || record.flags.contains(.followsClockJump)
    size = record.end
  }

  var count: Int { Int(endSequence - firstSequence) }
}
