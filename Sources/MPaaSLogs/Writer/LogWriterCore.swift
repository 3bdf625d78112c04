import CLogRing
import MPaaSAge
import MPaaSLock
import MPaaSSupport

/// The state that a writer and its thread share.
///
/// `@unchecked Sendable`: `sealing` guards all that puts blocks into files; each `TypeLog` has a lock of its own.
final class LogWriterCore: @unchecked Sendable {
  /// Bytes of a staging segment, unless the area is too small for that.
  private static let segmentSize = 1 << 17

  let lane: Int
  private let folder: LogFolder
  private let options: LogWriterOptions
  private let lock: LaneLock
  private let blocks: BlockEncoder
  private let forks: UInt32
  /// Taken before any other lock.
  private let sealing = LogLock()
  /// The log of the most frequent type, found without a lock: the bits of its pointer, 0 until it is there.
  private let diagnostic = AtomicInteger(0)
  private let types = Lock<[LogType: TypeLog]>([:])
  /// Guards what follows, and wakes the thread.
  private let waking = LogLock()
  private var hasWork = false
  private var isEnding = false
  private var isRunning = false
  private let isClosed = AtomicFlag(false)
  /// Records lost with files that had to go, which no record tells of yet; under `sealing`.
  private var lost: [(type: LogType, count: UInt64, reason: String)] = []
  private var retention: LogRetention?

  init(_ folder: LogFolder, _ options: LogWriterOptions) throws {
    self.folder = folder
    self.options = options
    try Directories.create(folder.path)
    if !options.recipients.isEmpty { _ = try LogSecret.fresh(for: options.recipients) }
    lock = try LaneLock(folder)
    lane = lock.lane
    blocks = BlockEncoder(capacity: Self.segmentSize, level: min(max(options.compressionLevel, 1), 19))
    mp_log_watch_forks()
    forks = mp_log_forks()
    let limits = LogRetention.Limits(
      total: options.largestTotal, age: options.longestAge, isAcknowledged: options.isAcknowledged)
    let clock = options.clock
    retention = LogRetention(
      folder, limits, lane: lane, now: { clock.now().wall },
      openPaths: { [unowned self] in Set(types.withLock { $0.values.compactMap(\.files.path) }) },
      lost: { [unowned self] in lost.append(($0, $1, $2)) })
    sealing.withLock {
      for type in folder.types where !folder.stagings(of: type).isEmpty { _ = open(type) }
      LaneLock.others(folder, than: lane) { other in recover(lane: other) }
      retention?.check()
    }
    tellLosses()
  }

  // MARK: Types

  /// The log of a type; nil where its name cannot be a folder's.
  @inline(__always)
  private func log(_ type: LogType) -> TypeLog? {
    if type == .diagnostic, let known = UnsafeRawPointer(bitPattern: diagnostic.load()) {
      return Unmanaged<TypeLog>.fromOpaque(known).takeUnretainedValue()
    }
    return anyLog(type)
  }

  private func anyLog(_ type: LogType) -> TypeLog? {
    if let known = types.withLock({ $0[type] }) { return known }
    return sealing.withLock { open(type) }
  }

  /// Opens the log of a type and recovers what was left of it; under `sealing`.
  private func open(_ type: LogType) -> TypeLog? {
    if let known = types.withLock({ $0[type] }) { return known }
    guard let path = folder.folder(type), let staging = folder.staging(type, lane: lane) else { return nil }
    try? Directories.create(path)
    let files = files(type, lane: lane)
    let found = LeftBehind(folder: folder, type: type, lane: lane).recover(into: files, boot: BootNumber.current)
    let secret = options.recipients.isEmpty ? nil : try? LogSecret.fresh(for: options.recipients)
    guard secret != nil || options.recipients.isEmpty else { return nil }
    let size = min(max(options.stagingSize, 1 << 17), 1 << 26)
    let segmentSize = min(Self.segmentSize, size / 4)
    let header = StagingHeader(
      id: .random(in: 1 ... .max), type: type, lane: lane, boot: BootNumber.current, wrappedKey: secret?.wrapped ?? [],
      segmentSize: segmentSize, segmentCount: size / segmentSize)
    let sequence = max(found.nextSequence, 1)
    let area =
      StagingArea(path: staging + ".new", header: header, secret: secret?.secret, nextSequence: sequence)
      ?? StagingArea(path: nil, header: header, secret: secret?.secret, nextSequence: sequence)
    guard let area else { return nil }
    if area.isShared { try? FileSystem.rename(staging + ".new", to: staging) }
    area.dropped = found.dropped
    let log = TypeLog(type, staging: area, files: files, clock: options.clock, nextSequence: sequence)
    // It stays in there as long as this value does.
    types.withLock { $0[type] = log }
    if type == .diagnostic {
      diagnostic.store(Int(bitPattern: Unmanaged.passUnretained(log).toOpaque()))
    }
    return log
  }

  private func files(_ type: LogType, lane: Int) -> HourFiles {
    let rules = HourFiles.Rules(
      recipients: options.recipients, largestFile: options.largestFile, lane: lane, boot: BootNumber.current,
      clock: options.clock, disk: options.disk)
    return HourFiles(
      folder, type, rules: rules, blocks: blocks,
      makeRoom: { [unowned self] in retention?.makeRoom(except: $0) ?? false },
      wrote: { [unowned self] in retention?.wrote($0) })
  }

  /// Puts into files the records that an ended writer left.
  private func recover(lane: Int) {
    for type in folder.types {
      let files = files(type, lane: lane)
      _ = LeftBehind(folder: folder, type: type, lane: lane).recover(into: files, boot: BootNumber.current)
      files.finish()
      files.settle()
    }
  }

  // MARK: Logging

  func append(_ entry: borrowing LogEntry) {
    guard let log = log(entry.type), !isClosed.load(), mp_log_forks() == forks else { return }
    for _ in 0..<64 {
      switch log.append(entry) {
      case .done: return
      case .closed: return wake()
      case .tooLarge:
        let whole = copy entry
        if !sealing.withLock({ log.appendLarge(whole) }) { log.drop() }
        return
      case .noRoom:
        // The thread does not keep up: the logging thread helps, unless it cannot.
        guard !log.isBlocked, sealing.withLock({ log.makeRoom() }) else {
          log.drop()
          return wake()
        }
      }
    }
    log.drop()
  }

  private func wake() {
    waking.withLock {
      hasWork = true
      waking.signal()
    }
  }

  private var all: [TypeLog] { types.withLock { Array($0.values) } }

  /// Seals what is full, and notes what had to go; whether the disk has room.
  private func sealFull() -> Bool {
    let isDone = sealing.withLock { all.reduce(true) { $1.sealFull() && $0 } }
    tellLosses()
    return isDone
  }

  /// Logs what went with old files.
  private func tellLosses() {
    let lost = sealing.withLock {
      defer { self.lost.removeAll() }
      return self.lost
    }
    for loss in lost { append(TypeLog.note(loss.count, reason: loss.reason, loss.type)) }
  }

  func seal() -> Bool {
    let isDone = sealing.withLock {
      for log in all { log.closeFilling() }
      return all.reduce(true) { $1.sealFull() && $0 }
    }
    tellLosses()
    return isDone
  }

  func flush() {
    sealing.withLock {
      for log in all {
        log.staging.settle()
        log.files.settle()
      }
    }
  }

  // MARK: The thread

  func start() {
    isRunning = true
    if !DetachedThread.start({ self.work() }) { isRunning = false }
  }

  private func work() {
    var isBlocked = false
    while true {
      waking.lock()
      if !hasWork, !isEnding { waking.wait(seconds: isBlocked ? 1 : nil) }
      hasWork = false
      let isEnding = isEnding
      waking.unlock()
      isBlocked = !sealFull()
      if isEnding { break }
    }
    waking.withLock {
      isRunning = false
      waking.signal()
    }
  }

  func close() {
    guard !isClosed.exchange(true), mp_log_forks() == forks else { return }
    waking.lock()
    isEnding = true
    waking.signal()
    while isRunning { waking.wait(seconds: 1) }
    waking.unlock()
    sealing.withLock {
      for log in all {
        log.closeFilling()
        _ = log.sealFull()
        log.files.finish()
        log.files.settle()
      }
    }
    lock.release()
  }
}
