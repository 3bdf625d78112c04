import CLogRing

/// A record in a staging segment: a header, then tag, subsystem, message and fields, which may be encrypted.
///
/// The size is written last; a checksum over the rest of it tells a record that was written whole.
package struct StagedRecord {
  /// Bytes before the tag.
  static let headerSize = 56
  /// Records begin at multiples of this.
  static let alignment = 8

  let start: Int
  /// The offset of the next record.
  package let end: Int
  private let bytes: UnsafeRawBufferPointer

  /// Bytes that a record takes.
  @inline(__always)
  static func size(_ body: Int) -> Int { (headerSize + body + alignment - 1) & ~(alignment - 1) }

  /// The record at `offset` of a segment; nil where there is none that is whole.
  package init?(_ segment: UnsafeRawBufferPointer, at offset: Int, generation: UInt64) {
    guard offset >= 0, offset <= segment.count - Self.headerSize, let base = segment.baseAddress else { return nil }
    let size = Int(mp_log_published(base.advanced(by: offset).assumingMemoryBound(to: UInt32.self)))
    guard size >= Self.headerSize, size % Self.alignment == 0, size <= segment.count - offset else { return nil }
    let bytes = UnsafeRawBufferPointer(rebasing: segment[offset..<offset + size])
    let checksum = mp_log_crc32c(UInt32(truncatingIfNeeded: generation), base + offset + 8, size - 8)
    guard bytes.number(4) == checksum else { return nil }
    self.bytes = bytes
    start = offset
    end = offset + size
    let sizes = UInt64(tagSize) + UInt64(subsystemSize) + UInt64(messageSize) + UInt64(fieldsSize)
    guard sizes <= UInt64(size - Self.headerSize) else { return nil }
  }

  package var sequence: UInt64 { bytes.number(8) }
  package var time: Int64 { bytes.number(16) }
  package var monotonic: UInt64 { bytes.number(24) }
  package var thread: UInt64 { bytes.number(32) }
  package var level: UInt8 { bytes[40] }
  package var flags: LogRecordFlags { LogRecordFlags(rawValue: bytes[41]) }
  private var tagSize: UInt16 { bytes.number(42) }
  private var subsystemSize: UInt16 { bytes.number(44) }
  package var messageSize: UInt32 { bytes.number(48) }
  package var fieldsSize: UInt32 { bytes.number(52) }

  var bodySize: Int { Int(tagSize) + Int(subsystemSize) + Int(messageSize) + Int(fieldsSize) }
  /// All that may be encrypted.
  package var body: Range<Int> { start + Self.headerSize..<start + Self.headerSize + bodySize }
  package var tag: Range<Int> { body.lowerBound..<body.lowerBound + Int(tagSize) }
  package var subsystem: Range<Int> { tag.upperBound..<tag.upperBound + Int(subsystemSize) }
}
