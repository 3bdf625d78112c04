import CLogRing

/// Collects the columns of a block in memory that stays.
struct ColumnBuilder {
  private var levels = ByteColumn()
  private var labels = ByteColumn()
  private var threads = ByteColumn()
  private var times = ByteColumn()
  private var messages = ByteColumn()
  private var fields = ByteColumn()
  private var head = ByteColumn()
  private var text = ByteColumn()
  private var labelTable = LabelTable()
  private var threadNumbers: [UInt64] = []
  private var clockOffsets: [(index: Int, offset: Int64)] = []
  private var baseTime: Int64 = 0

  func deallocate() {
    for column in [levels, labels, threads, times, messages, fields, head, text] { column.deallocate() }
    labelTable.deallocate()
  }

  var contentSize: Int {
    LogColumn.headerSize + head.count + levels.count + labels.count + threads.count + times.count + messages.count
      + fields.count + text.count
  }

  private mutating func begin(_ size: Int) {
    levels.clear()
    labels.clear()
    threads.clear()
    times.clear()
    messages.clear()
    fields.clear()
    head.clear()
    text.clear()
    labelTable.clear()
    threadNumbers.removeAll(keepingCapacity: true)
    clockOffsets.removeAll(keepingCapacity: true)
    let most = size / StagedRecord.headerSize + 1
    levels.reserve(most)
    // No number takes more than 10 bytes.
    labels.reserve(most * 5)
    threads.reserve(most * 5)
    times.reserve(most * 10)
    messages.reserve(most * 5)
    fields.reserve(most * 5)
    text.reserve(size)
  }

  /// Reads staged records, not encrypted, and tells the chunk what they are.
  mutating func read(
    _ records: UnsafeRawBufferPointer, generation: UInt64, bits: LogTagBits, _ chunk: inout LogChunk
  ) {
    begin(records.count)
    var offset = 0
    var levelBits: UInt8 = 0, flags: UInt8 = 0
    var last: Int64 = 0
    var first = true
    var count = 0
    while let record = TrustedRecord(records, at: offset) {
      let time = record.time / 1000
      if first {
        chunk.firstSequence = record.sequence
        chunk.leastTime = record.time
        chunk.greatestTime = record.time
        baseTime = time
        last = time
        first = false
      }
      chunk.leastTime = min(chunk.leastTime, record.time)
      chunk.greatestTime = max(chunk.greatestTime, record.time)
      times.append(signed: time &- last)
      last = time
      let ahead = record.time &- Int64(bitPattern: record.monotonic)
      if clockOffsets.last?.offset != ahead { clockOffsets.append((count, ahead)) }
      levelBits |= 1 << (record.level & 7)
      flags |= record.flags
      levels.append(record.level | record.flags << 4)
      labels.append(varint: UInt64(labelTable.index(of: record)))
      threads.append(varint: thread(record.thread))
      messages.append(varint: UInt64(record.messageSize))
      fields.append(varint: UInt64(record.fieldsSize))
      text.append(record.text)
      text.append(UInt8(ascii: "\n"))
      count += 1
      offset = record.end
    }
    chunk.recordCount = count
    chunk.levels = levelBits
    if LogRecordFlags(rawValue: flags).contains(.followsClockJump) { chunk.flags.insert(.clockJump) }
    writeHead(bits, &chunk)
  }

  private mutating func thread(_ thread: UInt64) -> UInt64 {
    if let known = threadNumbers.firstIndex(of: thread) { return UInt64(known) }
    threadNumbers.append(thread)
    return UInt64(threadNumbers.count - 1)
  }

  private mutating func writeHead(_ bits: LogTagBits, _ chunk: inout LogChunk) {
    var tags: UInt64 = 0
    head.reserve(labelTable.size + 20 * (threadNumbers.count + 2 * clockOffsets.count + 4))
    head.append(varint: UInt64(labelTable.count))
    labelTable.forEach { tag, subsystem in
      tags |= bits.bit(tag)
      head.append(varint: UInt64(tag.count))
      head.append(tag)
      head.append(varint: UInt64(subsystem.count))
      head.append(subsystem)
    }
    chunk.tags = tags
    head.append(varint: UInt64(threadNumbers.count))
    for thread in threadNumbers { head.append(varint: thread) }
    head.append(varint: UInt64(clockOffsets.count))
    for (index, offset) in clockOffsets {
      head.append(varint: UInt64(index))
      head.append(signed: offset)
    }
    head.append(signed: baseTime)
  }

  /// Writes the content; `target` has room for `contentSize` bytes.
  func write(to target: UnsafeMutableRawBufferPointer) {
    var offset = LogColumn.headerSize
    func put(_ column: ByteColumn) {
      UnsafeMutableRawBufferPointer(rebasing: target[offset...]).copyMemory(from: column.bytes)
      offset += column.count
    }
    put(head)
    for (index, column) in [levels, labels, threads, times, messages, fields].enumerated() {
      target.put(UInt32(truncatingIfNeeded: column.count), 4 + 4 * index)
      put(column)
    }
    target.put(UInt32(truncatingIfNeeded: offset), 0)
    put(text)
  }
}

/// A record in memory of our own, which no other process can have changed: its numbers are taken as they are.
struct TrustedRecord {
  private let base: UnsafeRawPointer
  let end: Int

  /// The record at `offset`; nil behind the last one.
  @inline(__always)
  init?(_ records: UnsafeRawBufferPointer, at offset: Int) {
    guard offset + StagedRecord.headerSize <= records.count, let start = records.baseAddress else { return nil }
    base = start + offset
    let size = Int(base.load(as: UInt32.self))
    guard size >= StagedRecord.headerSize, offset + size <= records.count else { return nil }
    end = offset + size
  }

  var sequence: UInt64 { base.load(fromByteOffset: 8, as: UInt64.self) }
  var time: Int64 { base.load(fromByteOffset: 16, as: Int64.self) }
  var monotonic: UInt64 { base.load(fromByteOffset: 24, as: UInt64.self) }
  var thread: UInt64 { base.load(fromByteOffset: 32, as: UInt64.self) }
  var level: UInt8 { base.load(fromByteOffset: 40, as: UInt8.self) & 15 }
  var flags: UInt8 { base.load(fromByteOffset: 41, as: UInt8.self) & 15 }
  var tagSize: Int { Int(base.load(fromByteOffset: 42, as: UInt16.self)) }
  var subsystemSize: Int { Int(base.load(fromByteOffset: 44, as: UInt16.self)) }
  var messageSize: Int { Int(base.load(fromByteOffset: 48, as: UInt32.self)) }
  var fieldsSize: Int { Int(base.load(fromByteOffset: 52, as: UInt32.self)) }

  /// Tag and subsystem.
  var label: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: base + StagedRecord.headerSize, count: tagSize + subsystemSize)
  }
  /// Message and fields.
  var text: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      start: base + StagedRecord.headerSize + tagSize + subsystemSize, count: messageSize + fieldsSize)
  }
}

/// Bytes that grow, in memory that is kept.
struct ByteColumn {
  private var memory: UnsafeMutableRawPointer
  private var capacity: Int
  private(set) var count = 0

  init() {
    capacity = 1 << 12
    memory = .allocate(byteCount: capacity, alignment: 16)
  }

  func deallocate() {
    memory.deallocate()
  }

  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: memory, count: count) }

  mutating func clear() {
    count = 0
  }

  /// Makes room for `size` bytes in all; what is there already is lost where it has to grow.
  mutating func reserve(_ size: Int) {
    guard capacity < size else { return }
    memory.deallocate()
    capacity = size + size / 4
    memory = .allocate(byteCount: capacity, alignment: 16)
  }

  @inline(__always)
  mutating func append(_ byte: UInt8) {
    memory.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
    count += 1
  }

  @inline(__always)
  mutating func append(varint: UInt64) {
    var rest = varint
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(truncatingIfNeeded: rest))
  }

  /// Appends a signed LEB128 number.
  @inline(__always)
  mutating func append(signed: Int64) {
    var rest = signed
    while rest < -64 || rest >= 64 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(truncatingIfNeeded: rest) & 0x7f)
  }

  @inline(__always)
  mutating func append(_ more: UnsafeRawBufferPointer) {
    guard let base = more.baseAddress else { return }
    (memory + count).copyMemory(from: base, byteCount: more.count)
    count += more.count
  }
}
