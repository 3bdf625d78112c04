import MPaaSLock
import MPaaSSupport
import MPaaSTime

/// One run of a queue: picks what may go, hands it to threads, and writes down what became of it.
final class TransferRun: Sendable {
  private enum Step: Sendable {
    case finished(TransferErrand, TransferFault?)
    case looked
  }

  private let queue: TransferQueue
  private let only: Set<TransferID>?
  private let patience: TransferPatience
  private let device: @Sendable () -> DeviceState
  private let events: @Sendable (TransferEvent) -> Void
  private let told = Lock<[TransferID: TransferHindrance]>([:])
  /// The time that an attempt after another may bring nothing; nil has no limit.
  private let standstill: TimeSpan?
  /// The time when each transfer began here or brought something, and how much of it there was.
  private let progress = Lock<[TransferID: (moved: Int64, at: TimeSpan)]>([:])

  init(
    _ queue: TransferQueue, only: Set<TransferID>?, patience: TransferPatience, standstill: TimeSpan?,
    device: @escaping @Sendable () -> DeviceState, events: @escaping @Sendable (TransferEvent) -> Void
  ) {
    self.queue = queue
    self.only = only
    self.patience = patience
    self.standstill = standstill
    self.device = device
    self.events = events
  }

  func run() async throws(TransferError) -> TransferSummary {
    try queue.forget()
    let result: Result<TransferSummary, TransferError> = await withTaskGroup(of: Step.self) { group in
      do throws(TransferError) {
        return .success(try await self.drive(&group))
      } catch {
        self.stopAll()
        await group.waitForAll()
        return .failure(error)
      }
    }
    return try result.get()
  }

  private func drive(_ group: inout TaskGroup<Step>) async throws(TransferError) -> TransferSummary {
    var summary = TransferSummary()
    var going: [TransferID: TransferClaim] = [:]
    var isLooking = false
    while true {
      if Task.isCancelled { stopAll(going.keys) }
      let (hindered, due) = Task.isCancelled ? ([:], nil) : try begin(&going, &group)
      if going.isEmpty {
        summary.waiting = hindered
        guard !Task.isCancelled, isWorthWaiting(hindered) else {
          group.cancelAll()
          return summary
        }
        if let skip = queue.times.skip, let due {
          skip(due)
          continue
        }
      }
      if !isLooking {
        isLooking = true
        let pause = min(due ?? .milliseconds(200), .milliseconds(200))
        group.addTask {
          try? await Task.sleep(for: max(pause, .milliseconds(5)))
          return .looked
        }
      }
      switch await group.next() {
      case .finished(let errand, let fault)?:
        try finish(errand, fault, &summary)
        queue.unregister(errand.id)
        going[errand.id] = nil
      case .looked?: isLooking = false
      case nil: return summary
      }
    }
  }

  private func isWorthWaiting(_ hindered: [TransferID: TransferHindrance]) -> Bool {
    switch patience {
    case .none: false
    case .retries: hindered.contains { $0.value == .retry && !isStandingStill($0.key) }
    case .all: !hindered.isEmpty
    }
  }

  /// Notes how much of a transfer there is; more than before begins its time anew.
  private func note(_ id: TransferID, moved: Int64) {
    let now = queue.times.now()
    progress.withLock { progress in
      if let last = progress[id], moved <= last.moved { return }
      progress[id] = (moved, now)
    }
  }

  /// Tells whether a transfer has brought nothing for too long.
  private func isStandingStill(_ id: TransferID) -> Bool {
    guard let standstill, let last = progress.withLock({ $0[id] }) else { return false }
    return queue.times.now() - last.at >= standstill
  }

  private func stopAll(_ identifiers: some Sequence<TransferID>) {
    for id in identifiers { queue.stop(id, .stopped) }
  }

  private func stopAll() { queue.stopAll(.stopped) }

  // MARK: Beginning

  /// Begins what may go while there is room; gives what may not with the reason, and when the next pause ends.
  private func begin(
    _ going: inout [TransferID: TransferClaim], _ group: inout TaskGroup<Step>
  ) throws(TransferError) -> (hindered: [TransferID: TransferHindrance], due: TimeSpan?) {
    var hindered: [TransferID: TransferHindrance] = [:]
    var due: Double?
    let state = device()
    let now = queue.wall()
    let open: [TransferState] = [.waiting, .active, .cancelled]
    let records = try queue.with { [only] store throws(TransferError) in try store.records(open, only: only) }
    for record in records where going[record.id] == nil {
      if let only, !only.contains(record.id) { continue }
      if record.state == .cancelled, record.location == nil { continue }
      if let deadline = record.transfer.deadline, deadline < now, record.state != .cancelled {
        try expire(record)
        continue
      }
      if let hindrance = try hindrance(record, state, now) {
        hindered[record.id] = hindrance
        note(hindrance, record.id)
        if hindrance == .retry, let time = record.notBefore { due = min(due ?? time, time) }
        continue
      }
      guard going.count < queue.options.parallel else { continue }
      guard let claim = TransferClaim.take(record.id, in: queue.path + ".hands") else {
        hindered[record.id] = .elsewhere
        note(.elsewhere, record.id)
        continue
      }
      if try begin(record.id, &group) { going[record.id] = claim }
    }
    return (hindered, due.map { .milliseconds(Int(max($0 - now, 0) * 1000) + 1) })
  }

  /// Begins a transfer that is in this process's hand; false where it has changed meanwhile.
  private func begin(_ id: TransferID, _ group: inout TaskGroup<Step>) throws(TransferError) -> Bool {
    guard var record = try queue.record(id) else { return false }
    let isTermination = record.state == .cancelled && record.location != nil
    guard isTermination || record.state == .waiting || record.state == .active else { return false }
    if !isTermination {
      record.state = .active
      record.notBefore = nil
      record.updated = queue.wall()
      guard try queue.write(record, from: [.waiting, .active]) else { return false }
    }
    let used = device().network == .cellular ? try queue.cellularBytes() : 0
    let (first, transfer) = (record.moved, record.transfer)
    let errand = TransferErrand(
      record, queue,
      mayGoOn: { [device, queue] in
        let state = device()
        guard state.allows(transfer, queue.options) == nil else { return false }
        guard state.network == .cellular, let quota = queue.options.cellularQuota else { return true }
        return used + max((queue.movedNow(id) ?? first) - first, 0) <= quota
      }, tell: events)
    queue.register(errand)
    note(id, moved: first)
    told.withLock { $0[id] = nil }
    if !isTermination { events(.began(id)) }
    group.addTask {
      await withCheckedContinuation { continuation in
        DetachedThread.run {
          do throws(TransferFault) {
            try errand.isTermination ? errand.terminate() : errand.perform()
            continuation.resume(returning: .finished(errand, nil))
          } catch {
            continuation.resume(returning: .finished(errand, error))
          }
        }
      }
    }
    return true
  }

  private func hindrance(
    _ record: TransferRecord, _ state: DeviceState, _ now: Double
  ) throws(TransferError) -> TransferHindrance? {
    if let hindrance = state.allows(record.transfer, queue.options) { return hindrance }
    if state.network == .cellular, let quota = queue.options.cellularQuota, try queue.cellularBytes() >= quota {
      return .quota
    }
    // A clock that was set back since then says nothing of the pause.
    if let time = record.notBefore, now < time, now >= record.updated - 1 { return .retry }
    return nil
  }

  private func note(_ hindrance: TransferHindrance, _ id: TransferID) {
    let isNew = told.withLock { told in
      defer { told[id] = hindrance }
      return told[id] != hindrance
    }
    if isNew, hindrance != .retry { events(.waiting(id, hindrance)) }
  }

  // MARK: Ending

  private func expire(_ expired: TransferRecord) throws(TransferError) {
    var record = expired
    record.state = .failed
    record.error = TransferError.Code.expired.word
    record.exit = TransferError.Code.expired.exit.rawValue
    record.reason = nil
    record.updated = queue.wall()
    if try queue.write(record, from: [.waiting, .active]) { events(.finished(record)) }
  }

  private func finish(
    _ errand: TransferErrand, _ fault: TransferFault?, _ summary: inout TransferSummary
  ) throws(TransferError) {
    var record = errand.record
    // Bytes that went count against the day's quota, also where the server has none of them.
    if device().network == .cellular { try queue.addCellular(max(record.moved - errand.beginning, 0)) }
    note(record.id, moved: record.moved)
    if fault != nil { record.moved = errand.certain }
    record.updated = queue.wall()
    guard !errand.isTermination else { return try finishTermination(record, fault) }
    switch fault {
    case nil:
      record.state = .done
      record.moved = record.size ?? record.moved
      record.failures = 0
      (record.error, record.reason, record.notBefore) = (nil, nil, nil)
      try queue.write(record, from: TransferState.allCases)
      summary.done.append(record.id)
      if record.transfer.removesFile, !record.transfer.isDownload { try? FileSystem.remove(record.transfer.file) }
      events(.finished(record))
    case .lasting(let error):
      record.state = .failed
      record.attempts += 1
      record.error = error.code.word
      record.exit = error.code.exit.rawValue
      record.reason = error.values["reason"] ?? error.values["path"]
      try queue.write(record, from: [.active])
      summary.failed.append(record.id)
      events(.finished(record))
    case .passing(let word, let reason, let retryAfter):
      try rest(&record, word, reason, retryAfter, hasMoved: record.moved > errand.beginning)
    case .ended:
      record.state = try queue.state(of: record.id) ?? .cancelled
      if record.state == .active { record.state = .waiting }
      try queue.write(record, from: [.active, .paused, .cancelled])
      if record.state == .cancelled { events(.finished(record)) }
    }
  }

  /// Waits before the next attempt: as long as the server says, else a random part of a time that doubles.
  private func rest(
    _ record: inout TransferRecord, _ word: String, _ reason: String, _ retryAfter: TimeSpan?, hasMoved: Bool
  ) throws(TransferError) {
    let options = queue.options
    record.state = .waiting
    record.attempts += 1
    record.failures = hasMoved ? 1 : record.failures + 1
    (record.error, record.reason) = (word, reason)
    var pause: TimeSpan
    // "At once" after a failure would be a storm.
    if let retryAfter, retryAfter > .zero {
      pause = min(retryAfter, .seconds(86400))
    } else if record.failures % max(options.failuresBeforeRest, 1) == 0 {
      pause = .milliseconds(Int(options.rest * 1000))
    } else {
      let most = options.firstPause * Double(1 << min(record.failures - 1, 20))
      pause = queue.times.jitter(.milliseconds(Int(min(most, options.longestPause) * 1000)))
    }
    pause = max(pause, .zero)
    let seconds = Double(pause.milliseconds) / 1000
    record.notBefore = record.updated + seconds
    try queue.write(record, from: [.active])
    events(.retrying(record.id, error: word, reason: reason, seconds: seconds))
  }

  /// The server has removed its part, or will by itself.
  private func finishTermination(_ ended: TransferRecord, _ fault: TransferFault?) throws(TransferError) {
    if case .ended? = fault { return }
    var record = ended
    record.location = nil
    try queue.write(record, from: [.cancelled])
  }
}

extension DeviceState {
  /// The reason why a transfer may not go on this device now; nil where it may.
  func allows(_ transfer: Transfer, _ options: TransferOptions) -> TransferHindrance? {
    if network == .none { return .network }
    if transfer.network == .wifi, network != .wifi { return .wifi }
    let least = max(transfer.leastBattery ?? 0, options.leastBattery ?? 0)
    if let battery, !isCharging, battery < least { return .battery }
    return nil
  }
}
