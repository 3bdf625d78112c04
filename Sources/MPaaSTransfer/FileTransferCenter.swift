import MPaaSLock

/// Files to and from servers by the tag of a task: progress, then success or failure.
///
/// The tasks stand in a `TransferQueue`, so that they go on after the app was ended: `start` moves what is left of
/// earlier runs, and a task that is given again with its tag gets its handlers back.
public final class FileTransferCenter: Sendable {
  /// Gets the progress of a transfer, on a thread of the center.
  public typealias ProgressHandler = @Sendable (TransferProgress) -> Void
  /// Gets the record of a transfer that is done, on a thread of the center.
  public typealias SuccessHandler = @Sendable (TransferRecord) -> Void
  /// Gets the stable word of the error and what the server or the system said; `transfer-cancelled` where it was
  /// cancelled.
  public typealias FailureHandler = @Sendable (_ word: String, _ reason: String) -> Void

  private struct Handlers: Sendable {
    let progress: ProgressHandler?
    let success: SuccessHandler?
    let failure: FailureHandler?
  }

  /// The queue that the tasks stand in.
  public let queue: TransferQueue
  private let device: @Sendable () -> DeviceState
  private let handlers = Lock<[TransferID: [Handlers]]>([:])
  /// The run that goes on, and whether something came that it may not have seen.
  private let running = Lock<(task: Task<Void, Never>?, isWanted: Bool)>((nil, false))

  /// - Parameters:
  ///   - queue: Where the tasks stand.
  ///   - device: What the device allows now; asked often.
  public init(_ queue: TransferQueue, device: @escaping @Sendable () -> DeviceState = { DeviceState() }) {
    self.queue = queue
    self.device = device
  }

  /// Opens the queue at a path.
  public convenience init(
    path: String, options: TransferOptions = TransferOptions(),
    device: @escaping @Sendable () -> DeviceState = { DeviceState() }
  ) throws(TransferError) {
    self.init(try TransferQueue(path, options: options), device: device)
  }

  /// Uploads a file; handlers are called on threads of the center.
  ///
  /// - Parameters:
  ///   - file: The path of the file.
  ///   - url: The address that the file is brought to.
  ///   - taskTag: What the app calls the task; one of the same tag that is not finished is joined, not begun again.
  ///   - method: The protocol of the upload.
  ///   - metadata: What the server is told of the file.
  ///   - wifiOnly: True where only Wi-Fi may be used.
  ///   - progress: Gets the progress of the transfer.
  ///   - success: Gets the record of the transfer once it is done.
  ///   - failure: Gets the error of a transfer that failed or was cancelled.
  /// - Throws: `TransferError` where the file is missing, or the address is none.
  @discardableResult
  public func uploadFile(
    _ file: String, to url: String, taskTag: String, method: Transfer.Method = .tus, metadata: [String: String] = [:],
    wifiOnly: Bool = false, progress: ProgressHandler? = nil, success: SuccessHandler? = nil,
    failure: FailureHandler? = nil
  ) throws(TransferError) -> TransferID {
    var transfer = Transfer(method, url, file: file, tag: taskTag)
    transfer.metadata = metadata
    transfer.network = wifiOnly ? .wifi : .any
    return try begin(transfer, Handlers(progress: progress, success: success, failure: failure))
  }

  /// Downloads a file to a path.
  @discardableResult
  public func downloadFile(
    _ url: String, to file: String, taskTag: String, sha256: String? = nil, wifiOnly: Bool = false,
    progress: ProgressHandler? = nil, success: SuccessHandler? = nil, failure: FailureHandler? = nil
  ) throws(TransferError) -> TransferID {
    var transfer = Transfer(.get, url, file: file, tag: taskTag)
    transfer.sha256 = sha256
    transfer.network = wifiOnly ? .wifi : .any
    return try begin(transfer, Handlers(progress: progress, success: success, failure: failure))
  }

  /// Any transfer that has a tag.
  @discardableResult
  public func begin(
    _ transfer: Transfer, progress: ProgressHandler? = nil, success: SuccessHandler? = nil,
    failure: FailureHandler? = nil
  ) throws(TransferError) -> TransferID {
    try begin(transfer, Handlers(progress: progress, success: success, failure: failure))
  }

  /// Moves what earlier runs of the app left.
  public func start() {
    running.withLock { running in
      running.isWanted = true
      if running.task == nil { running.task = Task { await self.keepRunning() } }
    }
  }

  /// Ends all transfers until `start`; nothing is lost.
  public func stop() async {
    let task = running.withLock { running in
      running.isWanted = false
      return running.task
    }
    task?.cancel()
    await task?.value
  }

  /// Cancels the unfinished tasks of a tag; their failure handlers get `transfer-cancelled`.
  ///
  /// - Throws: `TransferError` where the queue cannot be read or written.
  public func cancel(taskTag: String) throws(TransferError) {
    for id in try unfinished(taskTag) {
      try queue.cancel(id)
      // One that was not under way is finished by no other thread.
      if let record = try queue.record(id), record.state == .cancelled { told(.finished(record)) }
    }
    start()
  }

  /// Pauses the unfinished tasks of a tag until they are resumed; what has arrived stays.
  ///
  /// - Throws: `TransferError` where the queue cannot be read or written.
  public func pause(taskTag: String) throws(TransferError) {
    for id in try unfinished(taskTag) { try queue.pause(id) }
  }

  /// Has the tasks of a tag go on that are not done: those that are paused, failed, cancelled or wait for a time.
  ///
  /// - Throws: `TransferError` where the queue cannot be read or written.
  public func resume(taskTag: String) throws(TransferError) {
    for id in try queue.identifiers(tag: taskTag) where try queue.record(id)?.state != .done { try queue.resume(id) }
    start()
  }

  /// The newest task of a tag; nil where there is none.
  public func record(taskTag: String) throws(TransferError) -> TransferRecord? {
    guard let id = try queue.identifiers(tag: taskTag).last else { return nil }
    return try queue.record(id)
  }

  private func unfinished(_ tag: String) throws(TransferError) -> [TransferID] {
    var found: [TransferID] = []
    for id in try queue.identifiers(tag: tag) {
      if let record = try queue.record(id), !record.state.isFinal { found.append(id) }
    }
    return found
  }

  private func begin(_ transfer: Transfer, _ mine: Handlers) throws(TransferError) -> TransferID {
    var known: TransferID?
    if let tag = transfer.tag { known = try unfinished(tag).last }
    let id: TransferID
    if let known { id = known } else { id = try queue.add(transfer) }
    handlers.withLock { $0[id, default: []].append(mine) }
    // A batch that was done before is told at once.
    if let record = try queue.record(id), record.state.isFinal { told(.finished(record)) }
    start()
    return id
  }

  private func keepRunning() async {
    while true {
      running.withLock { $0.isWanted = false }
      _ = try? await queue.run(patience: .all, device: device) { [weak self] event in self?.told(event) }
      let goesOn = running.withLock { running in
        if running.isWanted, !Task.isCancelled { return true }
        running.task = nil
        return false
      }
      guard goesOn else { return }
    }
  }

  private func told(_ event: TransferEvent) {
    switch event {
    case .progress(let id, let progress):
      for mine in handlers.withLock({ $0[id] ?? [] }) { mine.progress?(progress) }
    case .finished(let record):
      // Taken out at once, so that each is called once.
      for mine in handlers.withLock({ $0.removeValue(forKey: record.id) ?? [] }) {
        switch record.state {
        case .done: mine.success?(record)
        case .cancelled: mine.failure?("transfer-cancelled", "")
        default: mine.failure?(record.error ?? "", record.reason ?? "")
        }
      }
    default: break
    }
  }
}
