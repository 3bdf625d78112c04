import ArgumentParser
import CommandKit
import MPaaSLogReading
import MPaaSLogUpload
import MPaaSLogs
import MPaaSProtocol
import MPaaSSupport
import MPaaSTerminal
import MPaaSToolSupport
import MPaaSTransfer
import Synchronization

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
      let upload = RecordUpload(
        to: server, as: LogIdentity(app: app ?? "mpaas", device: device ?? Self.machine, user: user),
        type.map(LogType.init(rawValue:)), device: DeviceState(network: connection.network))
      return LogUploads(records: try await upload.run(paths).map { .init($0.folder, $0.result) })
    }

    /// The machine's name for itself.
    private static var machine: String { ProcessInfo.processInfo.hostName }

    // MARK: Files

    private func files(_ server: LogServer, in context: Context) async throws -> LogUploads {
      let folder = try context.transfers()
      let options = try self.server.transferOptions(in: context)
      let queue = try TransferQueue(folder + "/queue.sqlite", options: server.options(options))
      let upload = LogFileUpload(
        to: server, by: queue, archives: folder, try selection(in: context),
        of: LogFileUpload.Origin(app: app, user: user, device: device), over: network,
        device: DeviceState(network: connection.network), created: context.now().timeIntervalSince1970)
      let added = try upload.add(paths)
      let bar = context.terminal.progress(
        context.catalogue.text("text.log-uploading"), total: try upload.size(of: added), isBytes: true)
      let meter = UploadMeter(bar)
      _ = try await InterruptibleWork.run { try await upload.run(added, events: meter.take) }
      bar.finish()
      var uploads = LogUploads()
      uploads.files = try added.compactMap { file in
        try upload.record(of: file).map { LogUploads.File(file.path, $0) }
      }
      return uploads
    }

    private func selection(in context: Context) throws -> LogFileUpload.Selection {
      let now = context.now().timeIntervalSince1970
      return LogFileUpload.Selection(
        from: try since.map { Double(try context.seconds($0)) } ?? -9e9,
        to: try until.map { Double(try context.seconds($0)) } ?? now + 1, since: since, until: until,
        types: type.map(LogType.init(rawValue:)))
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

/// The records that `mpaas log upload` brought to the server.
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

  /// `tryAgainLater` while something is still in the queue; what failed is told.
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
