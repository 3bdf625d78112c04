import ArgumentParser
import CommandKit
import MPaaSDigests
import MPaaSLogs
import MPaaSProtocol
import MPaaSSupport
import MPaaSTerminal
import MPaaSTransfer
import Synchronization
import SystemPackage

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension LogCommand {
  /// `mpaas log upload PATH…`: files as they are, folders packed, or with `--monitor-points` the records that wait.
  struct Upload: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("upload", key: "log.upload") }

    @Argument(help: .text("command.log.upload.paths", valueName: "path"), completion: .file())
    var paths: [String]

    @Flag(help: .text("command.log.upload.monitor-points"))
    var monitorPoints = false

    @Option(help: .text("command.log.upload.since", valueName: "time"))
    var since: String?

    @Option(help: .text("command.log.upload.until", valueName: "time"))
    var until: String?

    @Option(help: .text("command.log.upload.type", valueName: "type"))
    var type: [String] = []

    @Option(help: .text("command.log.upload.app", valueName: "name"))
    var app: String?

    @Option(help: .text("command.log.upload.user", valueName: "user"))
    var user: String?

    @Option(help: .text("command.log.upload.device", valueName: "device"))
    var device: String?

    @Option(help: .text("command.log.upload.network"))
    var network = CollectionTask.Network.any

    @Option(help: .text("command.log.upload.connection"))
    var connection = DeviceConnection.wifi

    @OptionGroup var server: ServerOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> LogUploads {
      let server = try server.server(in: context)
      for path in paths where FileStatus(path) == nil {
        throw FileError(.open, path, .noSuchFileOrDirectory)
      }
      if monitorPoints { return try await records(server) }
      return try await files(server, in: context)
    }

    // MARK: Records of monitor points

    private func records(_ server: LogServer) async throws -> LogUploads {
      var uploads = LogUploads()
      let identity = LogIdentity(app: app ?? "mpaas", device: device ?? Self.machine, user: user)
      let types = type.isEmpty ? nil : Set(type.map(LogType.init(rawValue:)))
      for path in paths {
        let uploader = RecordUploader(try MonitorFiles(path), to: server, as: identity)
        let result = try await uploader.upload(DeviceState(network: connection.network), only: types)
        uploads.records.append(.init(path, result))
      }
      return uploads
    }

    /// What a machine calls itself.
    private static var machine: String { ProcessInfo.processInfo.hostName }

    // MARK: Files

    private func files(_ server: LogServer, in context: Context) async throws -> LogUploads {
      let folder = try context.transfers()
      let options = try self.server.transferOptions(in: context)
      let queue = try TransferQueue(folder + "/queue.sqlite", options: server.options(options))
      var named: [TransferID: String] = [:]
      for path in paths {
        let isPacked = FileStatus(path)?.kind == .folder || since != nil || until != nil || !type.isEmpty
        let file = isPacked ? try pack(path, into: folder, context) : path
        let id = try queue.add(try transfer(file, removes: isPacked, server))
        if try queue.record(id)?.state.isFinal == true, try queue.record(id)?.state != .done { try queue.resume(id) }
        named[id] = path
      }
      let ids = Set(named.keys)
      let bar = context.terminal.progress(
        context.catalogue.text("text.log-uploading"), total: try queue.bytes(ids), isBytes: true)
      let meter = UploadMeter(bar)
      let state = DeviceState(network: connection.network)
      _ = try await InterruptibleWork.run {
        try await queue.run(
          only: ids, patience: .retries, standstill: .seconds(60), device: { state }, events: meter.take)
      }
      bar.finish()
      var uploads = LogUploads()
      uploads.files = try named.sorted { $0.key.rawValue < $1.key.rawValue }.compactMap { id, path in
        try queue.record(id).map { LogUploads.File(path, $0) }
      }
      return uploads
    }

    /// The archive of a window of a path; one that an upload that was ended has left is gone on with.
    private func pack(_ path: String, into folder: String, _ context: Context) throws -> String {
      let now = context.now().timeIntervalSince1970
      let from = try since.map { Double(try context.seconds($0)) } ?? -9e9
      let to = try until.map { Double(try context.seconds($0)) } ?? now + 1
      let whole = FileSystem.resolved(path) ?? path
      // The same wish has the same name, wherever its window ends if nothing says so.
      let wish = [whole, since ?? "", until ?? "", type.joined(separator: ","), network.rawValue].joined(
        separator: "\n")
      let name = wish.utf8.sha256.hexadecimal.prefix(16)
      let archive = "\(folder)/\(FileSystem.name(of: whole))-\(name).logs.zip"
      if FileStatus(archive) != nil { return archive }
      var request = LogPackRequest([path], from: Int64(from * 1e9), to: Int64(to * 1e9))
      request.types = Set(type.map(LogType.init(rawValue:)))
      request.network = connection == .wifi ? .wifi : .any
      (request.app, request.user, request.device) = (app, user, device)
      try LogPack.pack(request, to: archive, created: Int64(now * 1e9))
      return archive
    }

    private func transfer(_ file: String, removes: Bool, _ server: LogServer) throws -> Transfer {
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
      transfer.metadata[UploadMetadata.app] = app
      transfer.metadata[UploadMetadata.user] = user
      transfer.metadata[UploadMetadata.device] = device
      return transfer
    }
  }
}

extension TransferQueue {
  /// Bytes that transfers have in all, as far as it is known.
  fileprivate func bytes(_ ids: Set<TransferID>) throws -> UInt64 {
    try ids.reduce(0) { sum, id in
      let record = try record(id)
      return sum + (record?.size.map { UInt64(max($0, 0)) } ?? FileStatus(record?.transfer.file ?? "")?.size ?? 0)
    }
  }
}

/// Moves a bar as transfers tell how far they are.
private final class UploadMeter: Sendable {
  private let bar: Progress
  private let moved = Mutex<[TransferID: Int64]>([:])

  init(_ bar: Progress) { self.bar = bar }

  func take(_ event: TransferEvent) {
    guard case .progress(let id, let progress) = event else { return }
    let more = moved.withLock { moved in
      defer { moved[id] = max(progress.moved, moved[id] ?? 0) }
      return max(0, progress.moved - (moved[id] ?? 0))
    }
    bar.advance(by: UInt64(more))
  }
}

/// What `mpaas log upload` brought to the server.
struct LogUploads: Presentable {
  struct File: Encodable {
    let path: String
    /// `done` once the server has stored and verified it.
    let state: String
    let upload: String?
    let size: Int64?
    let sha256: String?
    let reason: String?

    init(_ path: String, _ record: TransferRecord) {
      self.path = path
      state = record.state.rawValue
      upload = record.location?.split(separator: "/").last.map(String.init)
      size = record.size
      sha256 = record.sha256 ?? record.transfer.sha256
      reason = record.state == .done ? nil : record.reason ?? record.error
    }
  }

  struct Records: Encodable {
    let path: String
    let batches: Int
    let records: Int
    let duplicates: Int
    let heldBack: [String]
    let elsewhere: Bool

    init(_ path: String, _ result: RecordUploadResult) {
      self.path = path
      batches = result.batches
      records = result.records
      duplicates = result.duplicates
      heldBack = result.heldBack.map(\.rawValue)
      elsewhere = result.isElsewhere
    }
  }

  var files: [File] = []
  var records: [Records] = []

  /// What is still in the queue can be tried again; what failed is told.
  var exit: ExitStatus {
    if files.contains(where: { $0.state == TransferState.failed.rawValue }) { return .unreachable }
    let isLeft = files.contains { $0.state != TransferState.done.rawValue }
    return isLeft || records.contains { !$0.heldBack.isEmpty || $0.elsewhere } ? .tryAgain : .done
  }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    for file in files {
      let isDone = file.state == TransferState.done.rawValue
      var line = StyledText(file.path, .path)
      line.append(
        "  " + catalogue.text(isDone ? "text.log-upload-done" : "text.log-upload-\(file.state)"),
        isDone ? .good : .warning)
      if let size = file.size { line.append("  \(ByteCount(UInt64(max(size, 0))))", .number) }
      if let upload = file.upload, isDone { line.append("  " + upload, .faint) }
      if let reason = file.reason { line.append("  " + reason, .faint) }
      document.line(line)
    }
    for folder in records {
      var values = ["records": "\(folder.records)", "batches": "\(folder.batches)"]
      document.line(
        StyledText(folder.path, .path) + StyledText("  " + catalogue.text("text.log-upload-records", values)))
      values["types"] = folder.heldBack.joined(separator: ", ")
      if !folder.heldBack.isEmpty {
        document.line(StyledText(catalogue.text("text.log-upload-held", values), .warning))
      }
      if folder.elsewhere { document.line(StyledText(catalogue.text("text.log-upload-elsewhere"), .warning)) }
    }
    return document
  }
}
