import ArgumentParser
import CommandKit
import LogCommands
import MPaaSCrash
import MPaaSLogs
import MPaaSSupport
import MPaaSTerminal
import MPaaSTransfer

/// `mpaas crash upload REPORT…`: brings reports to the server; done once it has stored and verified them.
struct CrashUploadCommand: MPaaSCommand {
  static var configuration: CommandConfiguration { CommandConfiguration("upload", key: "crash.upload") }

  @Argument(help: .text("command.crash.upload.reports", valueName: "report"), completion: .reports)
  var reports: [String]

  @Option(help: .text("command.crash.upload.attempts", valueName: "number"))
  var attempts = 5

  @Option(help: .text("command.crash.upload.network"))
  var network = Transfer.NetworkRule.any

  @Option(help: .text("command.crash.upload.connection"))
  var connection = DeviceConnection.wifi

  @OptionGroup var server: ServerOptions
  @OptionGroup var common: CommonOptions

  func run(in context: Context) async throws -> UploadedReports {
    let queue = try server.reportQueue(in: context)
    let paths = try reports.map { try context.path(ofReport: $0) }
    let files = try ReportCollection(paths).files
    guard !files.isEmpty else {
      throw Diagnostic("reports-none", ["paths": paths.joined(separator: ", ")], exit: .inputMissing)
    }
    let state = DeviceState(network: connection.network)
    let sender = ReportSender(queue, context, attempts: max(1, attempts), network: network) { state }
    let uploaded = try await InterruptibleWork.run { try await sender.send(files) }.value
    if files.count == 1, let row = uploaded.reports.first, !row.isQueued, let error = row.failure { throw error }
    return uploaded
  }
}

extension ServerOptions {
  /// The reports that wait for the server, in the queue of all transfers.
  func reportQueue(in context: Context) throws -> ReportQueue {
    let (server, options) = (try server(in: context), try transferOptions(in: context))
    return try ReportQueue(to: server, in: try context.transfers(), options: options)
  }
}

/// Brings reports that were named, and what waits from earlier once the server takes them.
private struct ReportSender {
  let queue: ReportQueue
  let context: Context
  let attempts: Int
  let network: Transfer.NetworkRule
  let device: @Sendable () -> DeviceState
  /// Reports that are taken over before any of them is sent.
  private static let batch = 32
  /// Times that a report is taken over which others take, bring and forget meanwhile.
  private static let rounds = 4

  init(
    _ queue: ReportQueue, _ context: Context, attempts: Int, network: Transfer.NetworkRule,
    device: @escaping @Sendable () -> DeviceState
  ) {
    self.queue = queue
    self.context = context
    self.attempts = attempts
    self.network = network
    self.device = device
  }

  func send(_ files: [String]) async throws -> UploadedReports {
    var uploaded = UploadedReports()
    var sent: Set<TransferID> = []
    var isAway = false
    var rest = files[...]
    while !rest.isEmpty, !Task.isCancelled {
      let rows = try await send(rest.prefix(Self.batch), &sent, triesThem: !isAway)
      rest = rest.dropFirst(Self.batch)
      uploaded.reports += rows
      // Behind a server that is away the others are only put in the queue.
      isAway = isAway || rows.allSatisfy(\.isQueued)
    }
    if !isAway, !Task.isCancelled {
      let earlier = try await queue.goOn(except: sent, isThere: true, device: device)
      uploaded.earlier = earlier.filter { $0.state == .done }.map { UploadedReports.Row($0, at: $0.path) }
    }
    warn(uploaded.reports)
    return uploaded
  }

  private func send(
    _ files: ArraySlice<String>, _ sent: inout Set<TransferID>, triesThem: Bool
  ) async throws -> [UploadedReports.Row] {
    var rows: [String: UploadedReports.Row] = [:]
    var rest = Array(files)
    // Another command that asks for the same report again forgets what it knew: then it is taken over once more.
    for round in 1...Self.rounds where !rest.isEmpty {
      let taken = try take(rest, &rows)
      let deliveries = try await deliver(triesThem ? taken.map(\.id) : [])
      rest = []
      for (path, id) in taken {
        if let delivery = try deliveries[id] ?? queue.queue.record(id).map(ReportDelivery.init) {
          // The same report under two names is stored once.
          rows[path] = UploadedReports.Row(delivery, at: path, isSecond: !sent.insert(id).inserted)
        } else if round < Self.rounds {
          rest.append(path)
        } else {
          rows[path] = UploadedReports.Row(path, TransferError(.unknown, ["id": id.description]).diagnostic)
        }
      }
    }
    return files.compactMap { rows[$0] }
  }

  /// Puts reports in the queue; a row is made at once for each that cannot be.
  private func take(
    _ files: [String], _ rows: inout [String: UploadedReports.Row]
  ) throws -> [(path: String, id: TransferID)] {
    var taken: [(path: String, id: TransferID)] = []
    for file in files {
      do {
        let bytes = try Bytes.reading(file, limit: ReportQueue.limit)
        try UploadableReport.check(bytes, at: file)
        taken.append((file, try queue.take(bytes, from: file, .again, network: network)))
      } catch let problem as any DiagnosticConvertible {
        rows[file] = UploadedReports.Row(file, problem.diagnostic)
      }
    }
    return taken
  }

  private func deliver(_ ids: [TransferID]) async throws -> [TransferID: ReportDelivery] {
    let terminal = context.terminal
    return try await queue.deliver(ids, attempts: attempts, device: device) { event in
      guard case .retrying(_, let error, let reason, let seconds) = event else { return }
      let pause = Duration.milliseconds(Int(min(seconds, 1e9) * 1000)).formattedMilliseconds
      terminal.detail(StyledText("\(error) \(reason): \(pause)", .faint))
    }
  }

  /// Says why reports are not there: each refusal, and of what waits each reason once.
  private func warn(_ rows: [UploadedReports.Row]) {
    var told: Set<DiagnosticID> = []
    for row in rows {
      guard let failure = row.failure, row.error != nil, rows.count > 1 || row.isQueued else { continue }
      if !row.isQueued || told.insert(failure.id).inserted { context.terminal.warning(failure) }
    }
  }
}
