import MPaaSLock
import MPaaSSupport
public import MPaaSTime

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Transfers that survive the end of the process, moved by the rules of the device: what was added once is done once.
///
/// The queue is a SQLite file; several processes may add to it and run it, each transfer being in one hand at a time.
public final class TransferQueue: Sendable {
  /// The path of the queue's file.
  public let path: String
  /// The rules of the queue.
  public let options: TransferOptions
  let client: HTTPClient
  let downloads: ParallelDownloads
  let times: TransferTimes
  let wall: @Sendable () -> Double
  let limiter: RateLimiter
  private let store: Lock<TransferStore>
  private let errands = Lock<[TransferID: TransferErrand]>([:])
  /// The abilities of servers, by their addresses.
  private let abilities = Lock<[String: Set<String>]>([:])
  /// Counts what was added or resumed, so that a run that waits looks again.
  private let news = AtomicInteger(0)

  /// Opens a queue, and makes its file where it is missing.
  ///
  /// - Throws: `TransferError` where the file cannot be made, is no queue, or is a newer version's.
  public convenience init(_ path: String, options: TransferOptions = TransferOptions()) throws(TransferError) {
    try self.init(path, options: options, client: nil)
  }

  /// - Parameters:
  ///   - client: Does the calls; nil is libcurl.
  ///   - times: Pauses are measured by it.
  ///   - wall: Seconds since 1970.
  package init(
    _ path: String, options: TransferOptions = TransferOptions(), client: HTTPClient?, times: TransferTimes = .live,
    wall: @escaping @Sendable () -> Double = { Date().timeIntervalSince1970 }
  ) throws(TransferError) {
    self.path = path
    self.options = options
    var settings = HTTPSettings(certificates: options.certificates)
    settings.proxy = options.proxy
    settings.pinned = options.pinnedKeys
    settings.version = options.httpVersion.flatMap(HTTPSettings.Version.init)
    self.client = client ?? .live(userAgent: options.userAgent, settings: settings)
    settings.receiveRate = options.rate ?? 0
    var policy = DownloadPolicy()
    // The queue itself tries again: what waits for the server is handed back to it.
    policy.attempts = 2
    policy.firstPause = .zero
    policy.longestRetryAfter = .seconds(86_400)
    policy.limits.slowBytes = 60 * 16
    downloads = ParallelDownloads(policy: policy, userAgent: options.userAgent, settings: settings)
    self.times = times
    self.wall = wall
    limiter = RateLimiter(options.rate, now: times.now)
    do throws(FileError) {
      // Signatures of addresses and tokens lie in it.
      try PrivateFolder.create(FileSystem.folder(of: path))
      try PrivateFolder.create(path + ".hands")
      try PrivateFolder.close(path + ".hands")
      for name in [path, path + "-wal", path + "-shm"] { try PrivateFolder.closeFile(name, isMade: name == path) }
    } catch {
      throw TransferError(error)
    }
    store = Lock(try TransferStore(path))
  }

  // MARK: What is in it

  /// Adds a transfer; one whose batch is there already is not added again.
  ///
  /// - Returns: Its number, or that of the one that is there.
  /// - Throws: `TransferError` where the file to send is missing, or the description says what cannot be.
  @discardableResult
  public func add(_ transfer: Transfer) throws(TransferError) -> TransferID {
    try transfer.check()
    if let batch = transfer.batch,
      let known = try with({ store throws(TransferError) in try store.identifier(batch: batch) })
    {
      return known
    }
    var mark: FileMark?
    if !transfer.isDownload {
      mark = FileMark(transfer.file)
      guard mark != nil else { throw TransferError(FileError(.open, transfer.file, .noSuchFileOrDirectory)) }
    }
    let now = wall()
    let added = try with { store throws(TransferError) in try store.add(transfer, mark: mark, now: now) }
    news.add(1)
    return added.id
  }

  /// The record of a transfer; nil where the queue has none of this number.
  ///
  /// - Throws: `TransferError` where the queue cannot be read.
  public func record(_ id: TransferID) throws(TransferError) -> TransferRecord? {
    try with { store throws(TransferError) in try store.record(id) }
  }

  /// All transfers in these states, the next to go first.
  public func records(_ states: [TransferState] = TransferState.allCases) throws(TransferError) -> [TransferRecord] {
    try with { store throws(TransferError) in try store.records(states) }
  }

  /// The one with a batch.
  public func identifier(batch: String) throws(TransferError) -> TransferID? {
    try with { store throws(TransferError) in try store.identifier(batch: batch) }
  }

  /// Those with an app's tag, oldest first.
  public func identifiers(tag: String) throws(TransferError) -> [TransferID] {
    try with { store throws(TransferError) in try store.identifiers(tag: tag) }
  }

  // MARK: What is asked of it

  /// Stops a transfer until it is resumed; what has arrived stays.
  public func pause(_ id: TransferID) throws(TransferError) {
    try change(id, to: .paused, from: [.waiting, .active])
    errand(id)?.stop(.paused)
  }

  /// Has a transfer that is paused, failed, cancelled or waits for a time go on now.
  public func resume(_ id: TransferID) throws(TransferError) {
    try change(id, to: .waiting, from: [.waiting, .paused, .failed, .cancelled], resets: true)
    news.add(1)
  }

  /// Has a transfer send its file as it is now; its digest, where it has one, must still be the same.
  package func acceptFile(_ id: TransferID) throws(TransferError) {
    guard let record = try record(id), let mark = FileMark(record.transfer.file) else { return }
    try with { store throws(TransferError) in try store.setMark(id, mark) }
  }

  /// Gives a transfer up; the next run removes what the server has of it.
  public func cancel(_ id: TransferID) throws(TransferError) {
    try change(id, to: .cancelled, from: [.waiting, .active, .paused, .failed])
    errand(id)?.stop(.cancelled)
    news.add(1)
  }

  /// Sets the priority of a transfer; higher ones go first.
  ///
  /// - Throws: `TransferError` where the queue cannot be written.
  public func setPriority(_ priority: Int, of id: TransferID) throws(TransferError) {
    try with { store throws(TransferError) in try store.setPriority(id, priority) }
  }

  /// Forgets a transfer that is done, failed, cancelled or paused; a copy that was made for it goes with it.
  public func remove(_ id: TransferID) throws(TransferError) {
    guard let claim = TransferClaim.take(id, in: path + ".hands") else {
      throw TransferError(.inHand, ["id": id.description])
    }
    defer { withExtendedLifetime(claim) {} }
    guard let record = try record(id) else { throw TransferError(.unknown, ["id": id.description]) }
    record.transfer.removeCopy()
    try with { store throws(TransferError) in try store.remove(id) }
  }

  /// Forgets what has been final for longer than it is kept.
  func forget() throws(TransferError) {
    let oldest = wall() - options.keptDays * 86400
    let old = try with { store throws(TransferError) in try store.final(before: oldest) }
    for record in old { record.transfer.removeCopy() }
    try with { store throws(TransferError) in try store.removeFinal(before: oldest) }
  }

  /// Moves what may be moved.
  ///
  /// - Parameters:
  ///   - only: These transfers; nil: all.
  ///   - patience: Whether pauses, or the device, are waited for.
  ///   - standstill: With `.retries`, how long one attempt after another may bring nothing until it is not waited for
  /// any
  ///     longer; it stays in the queue. nil waits for ever.
  ///   - device: Asked often; what it no longer allows stops, and goes on when it does again.
  ///   - events: Told from several threads.
  /// - Returns: What is left, and why.
  @discardableResult
  public func run(
    only: Set<TransferID>? = nil, patience: TransferPatience = .retries, standstill: TimeSpan? = nil,
    device: @escaping @Sendable () -> DeviceState = { DeviceState() },
    events: @escaping @Sendable (TransferEvent) -> Void = { _ in }
  ) async throws(TransferError) -> TransferSummary {
    try await TransferRun(
      self, only: only, patience: patience, standstill: standstill, device: device, events: events
    ).run()
  }

  // MARK: For the run

  var newsCount: Int { news.load() }

  func with<Value: Sendable>(
    _ body: (TransferStore) throws(TransferError) -> Value
  ) throws(TransferError) -> Value {
    try store.withLock { store throws(TransferError) in try body(store) }
  }

  func state(of id: TransferID) throws(TransferError) -> TransferState? { try record(id)?.state }

  @discardableResult
  func write(_ record: TransferRecord, from states: [TransferState]) throws(TransferError) -> Bool {
    try with { store throws(TransferError) in try store.update(record, from: states) }
  }

  func headers(for url: String, _ transfer: Transfer) -> [String: String] {
    options.headers(url).merging(transfer.headers) { $1 }
  }

  func register(_ errand: TransferErrand) { errands.withLock { $0[errand.id] = errand } }
  func unregister(_ id: TransferID) { errands.withLock { $0[id] = nil } }

  func capabilities(_ endpoint: String) -> Set<String>? { abilities.withLock { $0[endpoint] } }
  func setCapabilities(_ words: Set<String>, _ endpoint: String) { abilities.withLock { $0[endpoint] = words } }

  func stop(_ id: TransferID, _ reason: TransferErrand.End) { errand(id)?.stop(reason) }
  func stopAll(_ reason: TransferErrand.End) {
    for errand in errands.withLock({ Array($0.values) }) { errand.stop(reason) }
  }

  /// Bytes that an errand of this process has moved.
  func movedNow(_ id: TransferID) -> Int64? { errand(id)?.record.moved }

  func cellularBytes() throws(TransferError) -> Int64 {
    let day = Int64(wall() / 86400)
    return try with { store throws(TransferError) in try store.cellularBytes(day: day) }
  }

  func addCellular(_ bytes: Int64) throws(TransferError) {
    guard bytes > 0 else { return }
    let day = Int64(wall() / 86400)
    try with { store throws(TransferError) in try store.addCellular(bytes, day: day) }
  }

  private func errand(_ id: TransferID) -> TransferErrand? { errands.withLock { $0[id] } }

  private func change(
    _ id: TransferID, to state: TransferState, from states: [TransferState], resets: Bool = false
  ) throws(TransferError) {
    guard try record(id) != nil else { throw TransferError(.unknown, ["id": id.description]) }
    let now = wall()
    try with { store throws(TransferError) in
      try store.setState(id, state, from: states, resets: resets, now: now)
    }
  }
}

/// The time that a run goes on where something is left that cannot go at the moment.
public enum TransferPatience: Sendable, Hashable {
  /// Not at all.
  case none
  /// It waits for the pauses between attempts, not for the device.
  case retries
  /// Until everything is done, has failed, or is paused.
  case all
}

/// The rest that a run left.
public struct TransferSummary: Sendable, Hashable {
  /// The transfers that are done.
  public var done: [TransferID] = []
  /// The transfers that have failed.
  public var failed: [TransferID] = []
  /// The transfers that could not go, and why.
  public var waiting: [TransferID: TransferHindrance] = [:]

  /// Makes a summary without transfers.
  public init() {}
}
