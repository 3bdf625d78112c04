import MPaaSLock
import MPaaSSupport
public import MPaaSTime
public import MPaaSTransfer

extension ReportQueue {
  /// Reports of this server that may still come there, oldest first.
  package func waiting() throws -> [TransferRecord] {
    let now = clock.now()
    return try queue.records([.waiting, .active, .failed]).filter { record in
      guard isMine(record), FileStatus(record.transfer.file) != nil else { return false }
      // A wrong token or address may be mended: such a report is tried again now and then.
      return record.state != .failed || (!record.isContentRefused && isDue(failed: record, now))
    }.sorted { $0.id.rawValue < $1.id.rawValue }
  }

  private func isDue(failed record: TransferRecord, _ now: Double) -> Bool {
    record.updated < begun || record.updated + 3600 <= now
  }

  private func isMine(_ record: TransferRecord) -> Bool {
    record.transfer.tag == Self.tag && record.transfer.url.hasPrefix(server.url + "/")
  }

  /// Brings reports to the server.
  ///
  /// - Parameters:
  ///   - attempts: How often each is sent, at most.
  ///   - longest: Seconds; a pause between attempts that is longer is not waited for: the report stays in the queue.
  ///   - retrying: Told of each failure.
  /// - Returns: What became of each, as far as it still stands in the queue.
  package func deliver(
    _ wanted: some Sequence<TransferID>, attempts: Int, longest: Double = 60,
    device: @escaping @Sendable () -> DeviceState, retrying: @escaping @Sendable (TransferEvent) -> Void = { _ in }
  ) async throws -> [TransferID: ReportDelivery] {
    let tally = Tally()
    var open = Set(wanted)
    while !open.isEmpty {
      let summary = try await queue.run(only: open, patience: .none, device: device) { event in
        tally.take(event)
        if case .retrying = event { retrying(event) }
      }
      var due: Double?
      let now = clock.now()
      for id in open {
        guard let record = try tally.ended(id) ?? queue.record(id) else {
          tally.forget(id)
          open.remove(id)
          continue
        }
        tally.note(record)
        let wait = record.state.isFinal ? nil : summary.waiting[id].flatMap { self.wait(record, $0, now) }
        guard let wait, tally.tries(id) < attempts, wait <= longest, !Task.isCancelled else {
          open.remove(id)
          continue
        }
        due = min(due ?? .infinity, now + wait)
      }
      if let due, !Task.isCancelled {
        try? await Task.sleep(for: .milliseconds(Int(max(due - clock.now(), 0) * 1000) + 1))
      }
    }
    return try settle(tally.records)
  }

  /// Seconds until a transfer that could not go may be looked at again; nil where that is not for the queue to say.
  private func wait(_ record: TransferRecord, _ hindrance: TransferHindrance, _ now: Double) -> Double? {
    switch hindrance {
    case .retry: min(max((record.notBefore ?? now) - now, 0), 1e9)
    case .elsewhere: 0.05
    case .network, .wifi, .battery, .quota: nil
    }
  }

  /// Remembers what has arrived.
  private func settle(_ records: [TransferRecord]) throws -> [TransferID: ReportDelivery] {
    var deliveries: [TransferID: ReportDelivery] = [:]
    for record in records {
      if record.state == .done, let digest = record.transfer.sha256 { try memory.remember(server, digest) }
      deliveries[record.id] = ReportDelivery(record)
    }
    return deliveries
  }

  /// Brings what waits and is due: the oldest report first, and the others once the server takes that one.
  ///
  /// So a server that is away is asked once, however many reports there are.
  /// - Parameters:
  ///   - other: What is left alone.
  ///   - isThere: Whether the server has just been seen to take reports: then pauses are not kept.
  @discardableResult
  package func goOn(
    except other: Set<TransferID> = [], isThere: Bool = false, device: @escaping @Sendable () -> DeviceState
  ) async throws -> [ReportDelivery] {
    var all = try waiting().filter { !other.contains($0.id) }
    var gone: [ReportDelivery] = []
    var isThere = isThere
    if !isThere {
      let now = clock.now()
      guard let first = all.first(where: { $0.isDue(now) }) else { return [] }
      all.removeAll { $0.id == first.id }
      if first.state == .failed { try renew(first) }
      gone = Array(try await deliver([first.id], attempts: 1, longest: 0, device: device).values)
      isThere = try gone.contains { try $0.state == .done || queue.record($0.id)?.isContentRefused == true }
    }
    guard isThere, !all.isEmpty, !Task.isCancelled else { return gone }
    // A server that asked for a pause itself has it.
    for record in all where record.state != .active && record.status != 429 { try renew(record) }
    // A few at a time: each step of a run looks at all that it may move.
    var rest = all.map(\.id)[...]
    while !rest.isEmpty, !Task.isCancelled {
      let some = try await deliver(rest.prefix(64), attempts: 1, longest: 0, device: device).values
      gone += some.sorted { $0.id.rawValue < $1.id.rawValue }
      rest = rest.dropFirst(64)
      // It went away again.
      if !some.contains(where: { $0.state.isFinal }) { break }
    }
    return gone
  }

  /// Has a transfer go on now.
  private func renew(_ record: TransferRecord) throws {
    // The folder was moved, or came back from a backup; the digest says whether it is the same report.
    if record.error == TransferError.Code.fileChanged.word { try queue.acceptFile(record.id) }
    try queue.resume(record.id)
  }

  // MARK: On a device

  /// Brings what waits and is due to the server, as far as the device allows.
  ///
  /// - Returns: What became of the reports that were tried.
  /// - Throws: Where the queue cannot be read or written; what waits goes on waiting.
  @discardableResult
  public func deliver(_ device: @escaping @Sendable () -> DeviceState) async throws -> [ReportDelivery] {
    try await goOn(device: device)
  }

  /// Brings what waits, and what is added from now on, whenever the device and the server allow.
  public func start(every interval: TimeSpan = .seconds(900), device: @escaping @Sendable () -> DeviceState) {
    loop.withLock { loop in
      guard loop == nil else { return }
      loop = Task { [weak self] in
        while !Task.isCancelled {
          let (news, bell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
          guard let pause = await self?.pass(bell, interval, device) else { return }
          await Self.wait(pause, or: news)
        }
      }
    }
  }

  /// Brings nothing more.
  public func stop() {
    loop.withLock { loop in
      loop?.cancel()
      loop = nil
    }
  }

  /// Tells that the device has another network, or another battery.
  public func deviceChanged() { bell.withLock { _ = $0?.yield() } }

  /// - Returns: How long until something may be due.
  private func pass(
    _ bell: AsyncStream<Void>.Continuation, _ interval: TimeSpan, _ device: @escaping @Sendable () -> DeviceState
  ) async -> TimeSpan {
    self.bell.withLock { $0 = bell }
    _ = try? await deliver(device)
    let now = clock.now()
    let next = (try? waiting())?.compactMap(\.notBefore).filter { $0 > now }.min()
    return min(interval, next.map { .milliseconds(Int(min($0 - now, 1e9) * 1000) + 1) } ?? interval)
  }

  private static func wait(_ pause: TimeSpan, or news: AsyncStream<Void>) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { try? await Task.sleep(for: pause) }
      group.addTask { for await _ in news { return } }
      await group.next()
      group.cancelAll()
    }
  }
}

extension TransferRecord {
  /// Tells whether a pause, if there is one, is over; a clock that was set back since then says nothing of it.
  fileprivate func isDue(_ now: Double) -> Bool {
    notBefore.map { $0 <= now || now < updated - 1 } ?? true
  }
}

/// The results that a run of a queue has told.
private final class Tally: Sendable {
  private struct Told {
    var tries: [TransferID: Int] = [:]
    var ended: [TransferID: TransferRecord] = [:]
    var last: [TransferID: TransferRecord] = [:]
  }

  private let told = Lock(Told())

  func take(_ event: TransferEvent) {
    told.withLock { told in
      switch event {
      case .retrying(let id, _, _, _): told.tries[id, default: 0] += 1
      case .finished(let record): told.ended[record.id] = record
      default: break
      }
    }
  }

  func note(_ record: TransferRecord) { told.withLock { $0.last[record.id] = record } }
  /// Takes back what was noted of a transfer that is no longer in the queue.
  func forget(_ id: TransferID) { told.withLock { _ = $0.last.removeValue(forKey: id) } }
  func tries(_ id: TransferID) -> Int { told.withLock { $0.tries[id] ?? 0 } }
  /// A transfer that came to its end here, also where somebody has forgotten it since.
  func ended(_ id: TransferID) -> TransferRecord? { told.withLock { $0.ended[id] } }
  var records: [TransferRecord] { told.withLock { Array($0.last.values) } }
}
