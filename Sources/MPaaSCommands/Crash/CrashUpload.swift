import ArgumentParser
import MPaaSCrash
import MPaaSLogs
import MPaaSNetwork
import MPaaSProtocol
import MPaaSSupport
import MPaaSTerminal
import SystemPackage

/// `mpaas crash upload REPORT…`: brings reports to the server; done once it has stored them.
struct CrashUploadCommand: MPaaSCommand {
  static var configuration: CommandConfiguration { CommandConfiguration("upload", key: "crash.upload") }

  @Argument(help: .text("command.crash.upload.reports", valueName: "report"), completion: .reports)
  var reports: [String]

  @Option(help: .text("command.crash.upload.attempts", valueName: "number"))
  var attempts = 5

  @OptionGroup var server: ServerOptions
  @OptionGroup var common: CommonOptions

  func run(in context: Context) async throws -> UploadedReports {
    let server = try server.server(in: context)
    let uploader = ReportUploader(to: server, memory: context.uploadedReports)
    let paths = try reports.map { try context.path(ofReport: $0) }
    let files = try ReportCollection(paths).files
    guard !files.isEmpty else {
      throw Diagnostic("reports-none", ["paths": paths.joined(separator: ", ")], exit: .inputMissing)
    }
    let most = max(1, attempts)
    return try await InterruptibleWork.run {
      var uploaded = UploadedReports()
      for file in files where !Task.isCancelled {
        let sender = ReportSender(uploader, attempts: most)
        uploaded.reports.append(await sender.send(file, context))
      }
      if files.count == 1, let error = uploaded.reports.first?.failure { throw error }
      return uploaded
    }.value
  }
}

/// `mpaas crash watch DIR`: brings each report that appears in a folder to the server.
struct CrashWatchCommand: MPaaSCommand {
  static var configuration: CommandConfiguration { CommandConfiguration("watch", key: "crash.watch") }

  @Argument(help: .text("command.crash.watch.folder", valueName: "folder"), completion: .directory)
  var folder: String

  @Option(help: .text("command.crash.watch.every", valueName: "time"))
  var every = "1s"

  @Flag(help: .text("command.crash.watch.once"))
  var once = false

  @OptionGroup var server: ServerOptions
  @OptionGroup var common: CommonOptions

  func run(in context: Context) async throws -> Nothing {
    guard let pause = Quantity.duration(every), pause >= .milliseconds(10) else {
      throw Diagnostic("crash-watch-every", ["value": every], exit: .usage)
    }
    guard FileStatus(folder)?.kind == .folder else {
      throw FileError(.list, folder, FileStatus(folder) == nil ? .noSuchFileOrDirectory : .notDirectory)
    }
    let uploader = ReportUploader(to: try server.server(in: context), memory: context.uploadedReports)
    let (folder, once) = (folder, once)
    _ = try await InterruptibleWork.run {
      var watch = ReportWatch(folder, uploader)
      while !Task.isCancelled {
        try await watch.look(context, settles: !once)
        if once { return }
        try? await Task.sleep(for: pause)
      }
    }
    return Nothing()
  }
}

extension Context {
  /// Which reports servers have.
  fileprivate var uploadedReports: String { directories.data + "/transfers/reports" }
}

/// Sends one report, again where that may help.
private struct ReportSender {
  let uploader: ReportUploader
  let attempts: Int

  init(_ uploader: ReportUploader, attempts: Int) {
    self.uploader = uploader
    self.attempts = attempts
  }

  func send(_ path: String, _ context: Context) async -> UploadedReports.Row {
    do {
      let bytes = try Bytes.reading(path, limit: ReportUploader.limit)
      return UploadedReports.Row(path, try await send(bytes, context))
    } catch let problem as any DiagnosticConvertible {
      context.terminal.warning(problem.diagnostic)
      return UploadedReports.Row(path, problem.diagnostic)
    } catch {
      return UploadedReports.Row(
        path, Diagnostic("transfer-cancelled", ["url": uploader.server.url], exit: .interrupted))
    }
  }

  private func send(_ bytes: Bytes, _ context: Context) async throws -> Receipt {
    var pauses = UploadPauses()
    var attempt = 1
    while true {
      switch await uploader.outcome(bytes) {
      case .success(let receipt): return receipt
      case .failure(let error):
        guard error.isPassing, attempt < attempts, !Task.isCancelled else { throw error }
        let pause = pauses.failed(retryAfter: error.retryAfter)
        context.terminal.detail(StyledText("\(error.code.id): \(pause.formattedMilliseconds)", .faint))
        try await Task.sleep(for: pause)
        attempt += 1
      }
    }
  }
}

/// Knows which files of a folder have been dealt with, and which still grow.
private struct ReportWatch {
  private struct Look: Equatable {
    var size: UInt64
    var modified: Int64
  }

  private let folder: String
  private let uploader: ReportUploader
  private var seen: [String: Look] = [:]
  private var dealtWith: [String: Look] = [:]
  private var pauses = UploadPauses()
  private var notBefore = ContinuousClock.now

  init(_ folder: String, _ uploader: ReportUploader) {
    self.folder = folder
    self.uploader = uploader
  }

  /// - Parameter settles: Whether a file is sent only once it has stayed as it is from one look to the next.
  mutating func look(_ context: Context, settles: Bool) async throws {
    if settles, ContinuousClock.now < notBefore { return }
    for file in try ReportCollection([folder]).files where !Task.isCancelled {
      guard let status = FileStatus(file) else { continue }
      let look = Look(size: status.size, modified: status.modified)
      if dealtWith[file] == look { continue }
      let isSettled = seen[file] == look
      seen[file] = look
      guard isSettled || !settles else { continue }
      guard let bytes = try? Bytes.reading(file, limit: ReportUploader.limit), !bytes.isEmpty else { continue }
      if uploader.knows(bytes) {
        dealtWith[file] = look
        continue
      }
      let row = await ReportSender(uploader, attempts: settles ? 1 : 5).send(file, context)
      if let failure = row.failure, failure.exit == .tryAgain || failure.exit == .unreachable, settles {
        // The server may be back soon; what is behind this file would fare no better.
        if row.isPassing {
          notBefore = .now + pauses.failed(retryAfter: nil)
          return
        }
      }
      pauses.succeeded()
      dealtWith[file] = look
      if row.failure == nil { try context.terminal.print(row) }
    }
  }
}

/// What `mpaas crash upload` brought to the server.
struct UploadedReports: Presentable {
  struct Row: Presentable {
    let path: String
    let id: String?
    let group: String?
    let duplicate: Bool
    let error: String?
    let failure: Diagnostic?

    private enum CodingKeys: String, CodingKey { case path, id, group, duplicate, error }

    init(_ path: String, _ receipt: Receipt) {
      self.path = path
      (id, group, duplicate) = (receipt.id, receipt.group, receipt.duplicate)
      (error, failure) = (nil, nil)
    }

    init(_ path: String, _ failure: Diagnostic) {
      self.path = path
      (id, group, duplicate) = (nil, nil, false)
      error = failure.id.name
      self.failure = failure
    }

    /// Whether the same may be taken later.
    var isPassing: Bool {
      failure.map { LogError(LogError.Code($0.id, exit: $0.exit)).isPassing } ?? false
    }

    func document(_ catalogue: Catalogue) -> Document {
      var line = StyledText(path, .path)
      if let error {
        line.append("  \(catalogue.text("text.crash-upload-failed")): \(error)", .bad)
        return [.line(line)]
      }
      line.append("  " + catalogue.text(duplicate ? "text.crash-upload-known" : "text.crash-upload-stored"), .good)
      if let id { line.append("  " + id, .faint) }
      if let group { line.append("  " + catalogue.text("text.crash-upload-group", ["group": group])) }
      return [.line(line)]
    }
  }

  var reports: [Row] = []

  var exit: ExitStatus { reports.compactMap(\.failure).first?.exit ?? .done }

  func document(_ catalogue: Catalogue) -> Document {
    Document(blocks: reports.flatMap { $0.document(catalogue).blocks })
  }
}
