import CLogRing
import MPaaSSupport

/// The log of one type: where its records are staged, and the files that they are put into.
///
/// `@unchecked Sendable`: `lock` guards all that threads that log change; sealing is done by one thread at a time,
/// under the writer's own lock, which is taken before this one.
final class TypeLog: @unchecked Sendable {
  private struct State {
    var encoder = EntryEncoder()
    var clock = ClockFollower()
    var nextSequence: UInt64
    /// The segment that is being filled.
    var current: Int?
    /// Tells whether the disk is full, so that there is no waiting for room.
    var isBlocked = false
  }

  enum Outcome {
    case done
    /// A segment was closed: there is something to seal.
    case closed
    /// All segments are full.
    case noRoom
    /// It needs a block of its own.
    case tooLarge
  }

  let type: LogType
  let staging: StagingArea
  let files: HourFiles
  private let clock: LogClock
  private let lock = LogLock()
  private let state: UnsafeMutablePointer<State>

  /// The tag of what the writer itself says.
  static let ownTag = "MPaaSLogs"

  init(_ type: LogType, staging: StagingArea, files: HourFiles, clock: LogClock, nextSequence: UInt64) {
    self.type = type
    self.staging = staging
    self.files = files
    self.clock = clock
    state = .allocate(capacity: 1)
    state.initialize(to: State(nextSequence: nextSequence))
  }

  deinit {
    state.deinitialize(count: 1)
    state.deallocate()
  }

  /// Stages an entry.
  func append(_ entry: borrowing LogEntry) -> Outcome {
    lock.lock()
    defer { lock.unlock() }
    guard staging.dropped > 0 else { return stage(entry) }
    let first = stage(Self.note(staging.dropped, reason: "no-room", type))
    guard first == .done || first == .closed else { return first }
    staging.dropped = 0
    let second = stage(entry)
    return second == .done ? first : second
  }

  /// A record that says how many others are missing.
  static func note(_ count: UInt64, reason: String, _ type: LogType) -> LogEntry {
    LogEntry(
      .warning, ownTag, "dropped=\(count)", type: type,
      fields: [LogField("dropped", .integer(Int64(clamping: count))), LogField("reason", .text(reason))])
  }

  private func stage(_ entry: borrowing LogEntry) -> Outcome {
    let sizes = state.pointee.encoder.measure(entry)
    let size = sizes.record
    if size > staging.capacity { return .tooLarge }
    let stamp = state.pointee.clock.stamp(clock.now())
    var outcome = Outcome.done
    if let current = state.pointee.current {
      let segment = staging.segments[current]
      if staging.capacity - segment.used < size || !segment.hour.contains(stamp.time) {
        closeCurrent()
        outcome = .closed
      }
    }
    if state.pointee.current == nil, !beginSegment(stamp.time) { return .noRoom }
    guard let current = state.pointee.current else { return .noRoom }
    write(
      entry, sizes,
      EntryEncoder.Stamp(
        sequence: state.pointee.nextSequence, time: stamp.time, monotonic: stamp.monotonic, thread: mp_log_thread(),
        flags: stamp.isJump ? .followsClockJump : []), to: &staging.segments[current])
    state.pointee.nextSequence += 1
    return outcome
  }

  @inline(__always)
  private func write(
    _ entry: borrowing LogEntry, _ sizes: EntryEncoder.Sizes, _ stamp: EntryEncoder.Stamp,
    to segment: inout StagingArea.Segment
  ) {
    let size = sizes.record
    let record = segment.plain + segment.used
    let target = segment.mapped + StagingSegment.headerSize + segment.used
    state.pointee.encoder.write(entry, sizes, stamp, to: record)
    record.storeBytes(of: UInt32(size), as: UInt32.self)
    let header = StagedRecord.headerSize
    (target + 8).copyMemory(from: record + 8, byteCount: header - 8)
    mp_log_mix(target + header, record + header, segment.keystream.map { $0 + (segment.used + header) }, sizes.body)
    let checksum = mp_log_crc32c(UInt32(truncatingIfNeeded: segment.generation), target + 8, size - 8)
    target.storeBytes(of: checksum.littleEndian, toByteOffset: 4, as: UInt32.self)
    // From here on the record is there, whatever happens to the process.
    mp_log_publish(target.assumingMemoryBound(to: UInt32.self), UInt32(size).littleEndian)
    segment.used += size
    segment.endSequence = stamp.sequence + 1
  }

  private func closeCurrent() {
    guard let current = state.pointee.current else { return }
    staging.finish(current)
    state.pointee.current = nil
  }

  private func beginSegment(_ time: Int64) -> Bool {
    guard let free = freeSegment() else { return false }
    staging.begin(free, sequence: state.pointee.nextSequence, hour: LogHour(time).range)
    state.pointee.current = free
    return true
  }

  /// Looks at states only: another thread may be making a segment ready whose state it changes afterwards.
  private func freeSegment() -> Int? {
    for index in 0..<staging.segments.count where staging.segments[index].state == .free { return index }
    return nil
  }

  private func oldestFullSegment() -> Int? {
    var oldest: Int?
    for index in 0..<staging.segments.count
    where staging.segments[index].state == .full && staging.segments[index].used > 0 {
      if oldest.map({ staging.segments[index].firstSequence < staging.segments[$0].firstSequence }) ?? true {
        oldest = index
      }
    }
    return oldest
  }

  /// Takes note of an entry that found no room.
  func drop() {
    lock.withLock { staging.dropped += 1 }
  }

  var isBlocked: Bool { lock.withLock { state.pointee.isBlocked } }

  /// Has the segment that is being filled sealed too.
  func closeFilling() {
    lock.withLock {
      if let current = state.pointee.current, staging.segments[current].used > 0 { closeCurrent() }
    }
  }

  // MARK: Under the lock of sealing

  /// Seals the oldest full segment, where none is free; false where it cannot be.
  func makeRoom() -> Bool { lock.withLock { freeSegment() != nil } || sealOldest() }

  /// Puts the oldest full segment into its file; false where there is none, or no room on the disk.
  func sealOldest() -> Bool {
    let oldest = lock.withLock { oldestFullSegment() }
    guard let oldest else { return false }
    let segment = staging.segments[oldest]
    let records = UnsafeRawBufferPointer(start: segment.plain, count: segment.used)
    let isWritten = files.write(
      records, at: segment.hour.lowerBound, staging: staging.header.id, generation: segment.generation)
    let isReady = isWritten && staging.renew(oldest)
    lock.withLock {
      if isReady { staging.segments[oldest].state = .free }
      state.pointee.isBlocked = !isWritten
    }
    return isWritten
  }

  /// Seals all full segments; false where the disk has no room for one.
  func sealFull() -> Bool {
    while sealOldest() {}
    return !isBlocked
  }

  /// Writes an entry that no segment has room for as a block of its own, behind all before it.
  func appendLarge(_ entry: LogEntry) -> Bool {
    let prepared = lock.withLock { () -> (memory: [UInt64], size: Int, time: Int64) in
      closeCurrent()
      let sizes = state.pointee.encoder.measure(entry)
      let stamp = state.pointee.clock.stamp(clock.now())
      var memory = [UInt64](repeating: 0, count: sizes.record / 8)
      memory.withUnsafeMutableBytes { target in
        guard let base = target.baseAddress else { return }
        state.pointee.encoder.write(
          entry, sizes,
          EntryEncoder.Stamp(
            sequence: state.pointee.nextSequence, time: stamp.time, monotonic: stamp.monotonic,
            thread: mp_log_thread(), flags: stamp.isJump ? .followsClockJump : []), to: base)
        target.put(UInt32(sizes.record), 0)
      }
      state.pointee.nextSequence += 1
      return (memory, sizes.record, stamp.time)
    }
    guard sealFull() else { return false }
    return prepared.memory.withUnsafeBytes {
      files.write($0, at: LogHour(prepared.time).range.lowerBound, staging: 0, generation: 0)
    }
  }
}
