import MPaaSDigests
import MPaaSLock
import MPaaSLogs
import MPaaSProtocol
import MPaaSSupport
import MPaaSTransfer

/// One look of a device at one task.
struct CollectionRun {
  private let collector: LogCollector
  private let task: CollectionTask
  private let device: @Sendable () -> DeviceState

  init(_ collector: LogCollector, _ task: CollectionTask, _ device: @escaping @Sendable () -> DeviceState) {
    self.collector = collector
    self.task = task
    self.device = device
  }

  func run() async throws -> CollectionOutcome {
    let network = device().network
    guard network == .wifi || (network == .cellular && task.network == .any) else {
      return CollectionOutcome(task: task.id, state: .waiting, reason: "network")
    }
    if task.state == .waiting, try await say(.picked) == nil { return CollectionOutcome(task: task.id, state: .given) }
    let archive = collector.archive(task.id)
    if FileStatus(archive) == nil {
      if let reason = pack(archive) {
        _ = try await say(.failed, reason: reason)
        return CollectionOutcome(task: task.id, state: .failed, reason: reason)
      }
    }
    let digest = try DigestAlgorithm.sha256.digest(ofFile: archive)
    let size = Int64(clamping: digest.size)
    let id = try collector.queue.add(transfer(archive, digest.value.hexadecimal))
    if try collector.queue.record(id)?.state.isFinal == true { try collector.queue.resume(id) }
    guard try await say(.uploading, size: size) != nil else { return try await withdraw(id, archive) }
    _ = try await collector.queue.run(
      only: [id], patience: .retries, standstill: collector.standstill, device: device)
    return try await end(try collector.queue.record(id), id, archive, size)
  }

  /// - Returns: Why there is nothing to send; nil where there is.
  private func pack(_ archive: String) -> String? {
    collector.flush()
    // Times of the window as nanoseconds; a wild one means for ever.
    func nanoseconds(_ seconds: Double) -> Int64 { Int64(max(min(seconds, 9e9), -9e9) * 1e9) }
    var request = LogPackRequest(
      collector.logs.filter { FileStatus($0) != nil }, from: nanoseconds(task.from), to: nanoseconds(task.to))
    request.types = Set(task.types.map(LogType.init(rawValue:)))
    request.network = device().network == .wifi ? .wifi : .any
    request.app = collector.identity.app
    request.user = collector.identity.user
    request.device = collector.identity.device
    request.task = task.id
    do throws(LogError) {
      try LogPack.pack(request, to: archive, created: nanoseconds(collector.clock.now()))
      return nil
    } catch {
      return error.code.id.name
    }
  }

  private func transfer(_ archive: String, _ digest: String) -> Transfer {
    var transfer = Transfer(
      .tus, collector.server.url + ServerPaths.uploads, file: archive,
      batch: "task-\(task.id)-\(collector.identity.device)", tag: task.id)
    transfer.network = task.network == .wifi ? .wifi : .any
    transfer.sha256 = digest
    transfer.metadata = [
      UploadMetadata.filename: FileSystem.name(of: archive), UploadMetadata.kind: "log",
      UploadMetadata.type: "application/zip", UploadMetadata.sha256: digest,
      UploadMetadata.batch: "task-\(task.id)-\(collector.identity.device)", UploadMetadata.task: task.id,
      UploadMetadata.device: collector.identity.device, UploadMetadata.app: task.app,
    ]
    transfer.metadata[UploadMetadata.user] = collector.identity.user
    return transfer
  }

  private func end(_ record: TransferRecord?, _ id: TransferID, _ archive: String, _ size: Int64) async throws
    -> CollectionOutcome
  {
    switch record?.state {
    case .done:
      // The server ends the task itself when it has verified the archive; where it did not, it is told which one it is.
      var now = try await collector.server.task(task.id)
      if !now.state.isFinal {
        let upload = record?.location?.split(separator: "/").last.map(String.init)
        now = try await say(.done, size: size, upload: upload) ?? now
      }
      try FileSystem.remove(archive)
      return CollectionOutcome(task: task.id, state: now.state == .done ? .done : .given, size: size)
    case .failed:
      let reason = record?.reason ?? record?.error ?? "–"
      _ = try await say(.failed, reason: reason)
      try FileSystem.remove(archive)
      return CollectionOutcome(task: task.id, state: .failed, size: size, reason: reason)
    default:
      return CollectionOutcome(task: task.id, state: .waiting, size: size, reason: record?.error)
    }
  }

  private func withdraw(_ id: TransferID, _ archive: String) async throws -> CollectionOutcome {
    try collector.queue.cancel(id)
    try FileSystem.remove(archive)
    return CollectionOutcome(task: task.id, state: .given)
  }

  /// Tells the server; nil where the task is no longer this device's.
  private func say(
    _ state: CollectionTask.State, size: Int64? = nil, upload: String? = nil, reason: String? = nil
  ) async throws(LogError) -> CollectionTask? {
    var change = CollectionTaskChange(state: state)
    change.device = collector.identity.device
    change.size = size
    change.upload = upload
    change.reason = reason
    do throws(LogError) {
      return try await collector.server.change(task.id, change)
    } catch {
      guard error.values["status"] == "409" || error.code == .unknownToServer else { throw error }
      return nil
    }
  }
}
