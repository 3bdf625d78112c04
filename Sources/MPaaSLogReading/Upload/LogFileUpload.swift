import MPaaSDigests
package import MPaaSLogUpload
package import MPaaSLogs
package import MPaaSProtocol
import MPaaSSupport
import MPaaSTime
package import MPaaSTransfer

/// Brings logs to a server by a queue of transfers: files as they are, folders and windows of time as archives.
package struct LogFileUpload: Sendable {
  /// Records that are wanted of each path.
  package struct Selection: Sendable {
    /// Seconds since 1970: from, and before.
    package var from: Double
    package var to: Double
    /// The ends of the window as they were asked for; nil for one that was not.
    package var since: String?
    package var until: String?
    /// None asks for all.
    package var types: [LogType]

    package init(from: Double, to: Double, since: String? = nil, until: String? = nil, types: [LogType] = []) {
      self.from = from
      self.to = to
      self.since = since
      self.until = until
      self.types = types
    }

    /// True where a file does not go as a whole.
    var isPart: Bool { since != nil || until != nil || !types.isEmpty }
  }

  /// The app, user and device that logs are of; nil is not told.
  package struct Origin: Sendable {
    package var app: String?
    package var user: String?
    package var device: String?

    package init(app: String? = nil, user: String? = nil, device: String? = nil) {
      self.app = app
      self.user = user
      self.device = device
    }
  }

  /// A path, and the transfer that it waits as.
  package struct Added: Sendable {
    package let id: TransferID
    package let path: String
  }

  private let server: LogServer
  private let queue: TransferQueue
  private let folder: String
  private let selection: Selection
  private let origin: Origin
  private let network: CollectionTask.Network
  private let device: DeviceState
  private let created: Double
  private static let standstill: TimeSpan = .seconds(60)

  /// - Parameters:
  ///   - folder: For archives until they have arrived.
  ///   - network: The networks that the logs may go over.
  ///   - created: Seconds since 1970, by the caller's clock, as archives have it.
  package init(
    to server: LogServer, by queue: TransferQueue, archives folder: String, _ selection: Selection,
    of origin: Origin, over network: CollectionTask.Network, device: DeviceState, created: Double
  ) {
    self.server = server
    self.queue = queue
    self.folder = folder
    self.selection = selection
    self.origin = origin
    self.network = network
    self.device = device
    self.created = created
  }

  /// Puts paths in the queue; what has failed before is tried again.
  ///
  /// - Returns: Transfers in the order in which they were first added; of one content under two paths the last path.
  package func add(_ paths: [String]) throws -> [Added] {
    var named: [TransferID: String] = [:]
    for path in paths {
      let isPacked = FileStatus(path)?.kind == .folder || selection.isPart
      let id = try queue.add(try transfer(isPacked ? try pack(path) : path, removes: isPacked))
      if let state = try queue.record(id)?.state, state.isFinal, state != .done { try queue.resume(id) }
      named[id] = path
    }
    return named.sorted { $0.key.rawValue < $1.key.rawValue }.map { Added(id: $0.key, path: $0.value) }
  }

  /// Bytes that transfers have in all, as far as it is known.
  package func size(of added: [Added]) throws -> UInt64 {
    try added.reduce(0) { sum, each in
      let record = try queue.record(each.id)
      return sum + (record?.size.map { UInt64(max($0, 0)) } ?? FileStatus(record?.transfer.file ?? "")?.size ?? 0)
    }
  }

  /// Moves what was added, as far as the device allows.
  package func run(_ added: [Added], events: @escaping @Sendable (TransferEvent) -> Void) async throws {
    let device = device
    _ = try await queue.run(
      only: Set(added.map(\.id)), patience: .retries, standstill: Self.standstill, device: { device }, events: events)
  }

  /// The transfer of a path as it is now; nil where another command has removed it from the queue.
  package func record(of added: Added) throws -> TransferRecord? { try queue.record(added.id) }

  /// The archive of a path; one that an upload that was ended has left is gone on with.
  private func pack(_ path: String) throws -> String {
    let whole = FileSystem.resolved(path) ?? path
    // The same wish has the same name, wherever its window ends if nothing says so.
    let types = selection.types.map(\.rawValue).joined(separator: ",")
    let wish = [whole, selection.since ?? "", selection.until ?? "", types, network.rawValue].joined(separator: "\n")
    let name = wish.utf8.sha256.hexadecimal.prefix(16)
    let archive = "\(folder)/\(FileSystem.name(of: whole))-\(name).logs.zip"
    if FileStatus(archive) != nil { return archive }
    var request = LogPackRequest([path], from: Int64(selection.from * 1e9), to: Int64(selection.to * 1e9))
    request.types = Set(selection.types)
    request.network = device.network == .wifi ? .wifi : .any
    (request.app, request.user, request.device) = (origin.app, origin.user, origin.device)
    try LogPack.pack(request, to: archive, created: Int64(created * 1e9))
    return archive
  }

  private func transfer(_ file: String, removes: Bool) throws -> Transfer {
    let digest = try DigestAlgorithm.sha256.digest(ofFile: file).value.hexadecimal
    // By its content, so that the same file is stored once, whoever sends it again.
    let batch = "log-\(digest)"
    var transfer = Transfer(
      .tus, server.url + ServerPaths.uploads, file: FileSystem.resolved(file) ?? file,
      batch: "\(server.url) \(batch)", tag: "log")
    transfer.network = network == .wifi ? .wifi : .any
    transfer.sha256 = digest
    transfer.removesFile = removes
    transfer.metadata = [
      UploadMetadata.filename: FileSystem.name(of: file), UploadMetadata.kind: "log",
      UploadMetadata.sha256: digest, UploadMetadata.batch: batch,
      UploadMetadata.type: removes ? "application/zip" : "application/octet-stream",
    ]
    transfer.metadata[UploadMetadata.app] = origin.app
    transfer.metadata[UploadMetadata.user] = origin.user
    transfer.metadata[UploadMetadata.device] = origin.device
    return transfer
  }
}
