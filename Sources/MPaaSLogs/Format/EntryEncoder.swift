import CLogRing

/// Writes entries as staged records, not encrypted yet.
struct EntryEncoder {
  /// The sizes of an entry, known before it is written.
  struct Sizes {
    let tag: Int
    let subsystem: Int
    let message: Int
    let fields: Int
    /// Tells whether the message is longer than `message`.
    let isShortened: Bool

    /// Bytes of all texts.
    var body: Int { tag + subsystem + message + fields }
    /// Bytes of the whole record.
    var record: Int { StagedRecord.size(body) }
  }

  /// Numbers that a record has beside its entry.
  struct Stamp {
    var sequence: UInt64
    var time: Int64
    var monotonic: UInt64
    var thread: UInt64
    var flags: LogRecordFlags
  }

  /// The longest tag or subsystem.
  static let longestLabel = 1 << 12
  /// The longest message with its fields.
  static let longestText = 1 << 23

  private var fields: [UInt8] = []

  /// Looks at an entry, which is the one that `write` writes next.
  mutating func measure(_ entry: borrowing LogEntry) -> Sizes {
    if !entry.fields.isEmpty || !fields.isEmpty { encodeFields(entry.fields) }
    let message = entry.message.utf8.count
    let room = Self.longestText - fields.count
    return Sizes(
      tag: min(entry.tag.utf8.count, Self.longestLabel), subsystem: min(entry.subsystem.utf8.count, Self.longestLabel),
      message: min(message, room), fields: fields.count, isShortened: message > room)
  }

  private mutating func encodeFields(_ list: [LogField]) {
    fields.removeAll(keepingCapacity: true)
    for field in list {
      let before = fields.count
      LogFields.append(field, to: &fields)
      if fields.count > Self.longestText / 2 {
        fields.removeLast(fields.count - before)
        break
      }
    }
  }

  /// Writes the record but for its size, which tells that it is there, and its checksum.
  func write(
    _ entry: borrowing LogEntry, _ sizes: Sizes, _ stamp: Stamp, to record: UnsafeMutableRawPointer
  ) {
    record.storeBytes(of: stamp.sequence.littleEndian, toByteOffset: 8, as: UInt64.self)
    record.storeBytes(of: stamp.time.littleEndian, toByteOffset: 16, as: Int64.self)
    record.storeBytes(of: stamp.monotonic.littleEndian, toByteOffset: 24, as: UInt64.self)
    record.storeBytes(of: stamp.thread.littleEndian, toByteOffset: 32, as: UInt64.self)
    var flags = stamp.flags
    if sizes.isShortened { flags.insert(.shortened) }
    record.storeBytes(of: entry.level.rawValue, toByteOffset: 40, as: UInt8.self)
    record.storeBytes(of: flags.rawValue, toByteOffset: 41, as: UInt8.self)
    record.storeBytes(of: UInt16(sizes.tag).littleEndian, toByteOffset: 42, as: UInt16.self)
    record.storeBytes(of: UInt32(sizes.subsystem).littleEndian, toByteOffset: 44, as: UInt32.self)
    record.storeBytes(of: UInt32(sizes.message).littleEndian, toByteOffset: 48, as: UInt32.self)
    record.storeBytes(of: UInt32(sizes.fields).littleEndian, toByteOffset: 52, as: UInt32.self)
    var place = record + StagedRecord.headerSize
    Self.copy(entry.tag, sizes.tag, to: &place)
    Self.copy(entry.subsystem, sizes.subsystem, to: &place)
    Self.copy(entry.message, sizes.message, to: &place)
    if sizes.fields > 0 {
      fields.withUnsafeBytes {
        if let base = $0.baseAddress { place.copyMemory(from: base, byteCount: sizes.fields) }
      }
    }
  }

  @inline(__always)
  private static func copy(_ text: String, _ size: Int, to place: inout UnsafeMutableRawPointer) {
    guard size > 0 else { return }
    let target = place
    let isDone: Void? = text.utf8.withContiguousStorageIfAvailable { bytes in
      if let base = bytes.baseAddress { target.copyMemory(from: base, byteCount: size) }
    }
    if isDone == nil {
      for (index, byte) in text.utf8.prefix(size).enumerated() {
        target.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
      }
    }
    place += size
  }
}
