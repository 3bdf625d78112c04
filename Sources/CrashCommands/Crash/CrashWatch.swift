import ArgumentParser
import CommandKit
import LogCommands
import MPaaSCrash
import MPaaSLogs
import MPaaSNetworkConditions
import MPaaSSupport
import MPaaSTerminal
import MPaaSTransfer
import SystemPackage

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

  func run(in context: Context) async throws -> WatchedReports {
    guard let pause = Quantity.duration(every), pause >= .milliseconds(10) else {
      throw Diagnostic("crash-watch-every", ["value": every], exit: .usage)
    }
    guard FileStatus(folder)?.kind == .folder else {
      throw FileError(.list, folder, FileStatus(folder) == nil ? .noSuchFileOrDirectory : .notDirectory)
    }
    let queue = try server.reportQueue(in: context)
    let (folder, once) = (folder, once)
    return try await InterruptibleWork.run {
      var watch = ReportWatch(folder, queue)
      if once { return WatchedReports(exit: try await watch.lookOnce(context)) }
      while !Task.isCancelled {
        try await watch.look(context)
        try? await Task.sleep(for: pause)
      }
      return WatchedReports(exit: .done)
    }.value
  }
}

/// How `mpaas crash watch` ends; what it brought was told as it came.
struct WatchedReports: Presentable {
  let exit: ExitStatus

  var isTold: Bool { true }

  func document(_ catalogue: Catalogue) -> Document { [] }

  func encode(to encoder: any Encoder) throws {}
}

/// Knows which files of a folder have been dealt with, and which still grow.
private struct ReportWatch {
  private struct Look: Equatable {
    var size: UInt64
    var modified: Int64
  }

  private let folder: String
  private let queue: ReportQueue
  private var seen: [String: Look] = [:]
  private var dealtWith: [String: Look] = [:]
  /// What was last told of the server, so that one that is away is told of once.
  private var told: DiagnosticID?
  private static let device: @Sendable () -> DeviceState = { DeviceState() }

  init(_ folder: String, _ queue: ReportQueue) {
    self.folder = folder
    self.queue = queue
  }

  /// Takes over what no longer grows, and brings what waits.
  mutating func look(_ context: Context) async throws {
    try take(context, settles: true)
    try tell(try await queue.goOn(device: Self.device), context)
  }

  /// Takes over what is there, and brings it with the patience of an upload.
  mutating func lookOnce(_ context: Context) async throws -> ExitStatus {
    try take(context, settles: false)
    let open = try queue.waiting().map(\.id)
    let deliveries = try await queue.deliver(open.prefix(1), attempts: 5, device: Self.device)
    var all = deliveries.values.map { $0 }
    if !deliveries.values.contains(where: { $0.state == .waiting }) {
      all += try await queue.deliver(open.dropFirst(), attempts: 5, device: Self.device).values
    }
    try tell(all.sorted { $0.id.rawValue < $1.id.rawValue }, context)
    let errors = all.compactMap(\.error)
    let rest = try queue.waiting()
    return errors.first?.code.exit ?? (rest.isEmpty ? .done : .tryAgain)
  }

  private mutating func take(_ context: Context, settles: Bool) throws {
    for file in try ReportCollection([folder]).files where !Task.isCancelled {
      guard let status = FileStatus(file) else { continue }
      let look = Look(size: status.size, modified: status.modified)
      if dealtWith[file] == look { continue }
      let isSettled = seen[file] == look
      seen[file] = look
      guard isSettled || !settles else { continue }
      do {
        let bytes = try Bytes.reading(file, limit: ReportQueue.limit)
        guard !bytes.isEmpty else { continue }
        try UploadableReport.check(bytes, at: file)
        if try !queue.knows(bytes) { _ = try queue.take(bytes, from: file, .once) }
        dealtWith[file] = look
      } catch let error as FileError where error.operation == .open {
        // It may have gone, or be readable at the next look.
        continue
      } catch let problem as any DiagnosticConvertible {
        context.terminal.warning(problem.diagnostic)
        dealtWith[file] = look
      }
    }
  }

  private mutating func tell(_ deliveries: [ReportDelivery], _ context: Context) throws {
    for delivery in deliveries {
      let row = UploadedReports.Row(delivery, at: delivery.path)
      if delivery.state == .done {
        told = nil
        try context.terminal.print(row)
      } else if let failure = row.failure, row.error != nil, !row.isQueued || told != failure.id {
        told = row.isQueued ? failure.id : told
        context.terminal.warning(failure)
      }
    }
  }
}
