import ArgumentParser
import CommandKit
import MPaaSLogReading
import MPaaSLogUpload
import MPaaSLogs
import MPaaSNetworkConditions
import MPaaSProtocol
import MPaaSSupport
import MPaaSTerminal
import MPaaSToolSupport
import MPaaSTransfer
import MPaaSTrustTools

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension LogCommand {
  /// `mpaas log collect USER`: asks for a user's logs; with `--as-device` it is the device that answers.
  struct Collect: StreamingCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("collect", key: "log.collect") }

    @Argument(help: .text("command.log.collect.user", valueName: "user"))
    var user: String

    @Option(help: .text("command.log.collect.since", valueName: "time"))
    var since = "1h"

    @Option(help: .text("command.log.collect.until", valueName: "time"))
    var until: String?

    @Option(help: .text("command.log.collect.device", valueName: "device"))
    var device: String?

    @Option(help: .text("command.log.collect.app", valueName: "key"))
    var app: String?

    @Option(help: .text("command.log.collect.network"))
    var network = CollectionTask.Network.any

    @Option(help: .text("command.log.collect.type", valueName: "type"))
    var type: [String] = []

    @Option(help: .text("command.log.collect.expires", valueName: "time"))
    var expires: String?

    @Flag(help: .text("command.log.collect.wait"))
    var wait = false

    @Option(name: [.short, .long], help: .text("command.log.collect.output", valueName: "file"), completion: .file())
    var output: String?

    @Option(help: .text("command.log.collect.as-device", valueName: "device"))
    var asDevice: String?

    @Option(help: .text("command.log.collect.logs", valueName: "folder"), completion: .directory)
    var logs: [String] = []

    @Option(help: .text("command.log.collect.connection"))
    var connection = DeviceConnection.wifi

    @Option(help: .text("command.log.collect.every", valueName: "time"))
    var every: String?

    @OptionGroup var server: ServerOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context, results: ResultSink) async throws -> ExitStatus {
      let server = try server.server(in: context)
      guard let asDevice else {
        let view = try await ask(server, in: context)
        try results.put(view)
        return view.exit
      }
      guard !logs.isEmpty else { throw Diagnostic("log-collect-no-logs", exit: .usage) }
      return try await answer(server, as: asDevice, in: context, results)
    }

    // MARK: The operator

    private func ask(_ server: LogServer, in context: Context) async throws -> CollectionTaskView {
      let order = CollectionOrder(try wish(in: context), output: output, waits: wait)
      let outcome = try await InterruptibleWork.run {
        try await order.run(at: server, Polling(every: .milliseconds(500))) { event in
          let catalogue = context.catalogue
          switch event {
          case .waits(let task):
            context.terminal.note(StyledText(catalogue.text("text.log-collect-waiting", ["id": task.id]), .faint))
          case .changed(let task): context.terminal.note(CollectionTaskLine(task: task).text(catalogue))
          }
        }
      }.value
      return CollectionTaskView(task: outcome.task, file: outcome.file)
    }

    /// The wish of the options.
    private func wish(in context: Context) throws -> CollectionWish {
      let now = context.now().timeIntervalSince1970
      var wish = CollectionWish(
        id: UUID().uuidString.lowercased(), user: user, from: Double(try context.seconds(since)),
        to: try until.map { Double(try context.seconds($0)) } ?? now)
      guard wish.from <= wish.to else { throw Diagnostic("log-collect-window", exit: .usage) }
      wish.device = device
      wish.app = app
      wish.network = network
      wish.types = type
      guard let expires else { return wish }
      guard let end = Date(expires, after: context.now()) else {
        throw Diagnostic("log-collect-expires", ["value": expires], exit: .usage)
      }
      wish.expires = end.timeIntervalSince1970
      return wish
    }

    // MARK: The device

    private func answer(
      _ server: LogServer, as device: String, in context: Context, _ results: ResultSink
    ) async throws -> ExitStatus {
      let identity = LogIdentity(app: app ?? "mpaas", device: device, user: user)
      let work = "\(context.directories.data)/collection/\(PercentEncoding.encode(device))"
      let options = try self.server.transferOptions(in: context)
      let collector = try LogCollector(as: identity, from: server, logs: logs, work: work, options: options)
      let state = DeviceState(network: connection.network)
      guard let every else {
        let answer = DeviceAnswer(outcomes: try await collector.collect { state })
        try results.put(answer)
        return answer.exit
      }
      guard let pause = Quantity.duration(every), pause > .zero else {
        throw Diagnostic("log-collect-every", ["value": every], exit: .usage)
      }
      _ = try await InterruptibleWork.run {
        try await collector.collect(Polling(every: TimeSpan(pause)), device: { state }) { look in
          switch look {
          case .success(let outcomes): try results.put(DeviceAnswer(outcomes: outcomes))
          case .failure(let problem): context.terminal.warning(problem)
          }
        }
      }
      return .done
    }
  }
}

/// The actions of a device about the tasks that it found.
struct DeviceAnswer: Presentable {
  struct Row: Encodable {
    let task: String
    let state: String
    let size: Int64?
    let reason: String?
  }

  let tasks: [Row]

  init(outcomes: [CollectionOutcome]) {
    tasks = outcomes.map { Row(task: $0.task, state: $0.state.rawValue, size: $0.size, reason: $0.reason) }
  }

  var exit: ExitStatus { tasks.contains { $0.state == CollectionOutcome.State.failed.rawValue } ? .negative : .done }

  func document(_ catalogue: Catalogue) -> Document {
    guard !tasks.isEmpty else { return [.line(StyledText(catalogue.text("text.log-tasks-none"), .faint))] }
    return Document(
      lines: tasks.map { row in
        var line = StyledText(row.task, .emphasis)
        line.append("  " + catalogue.text("text.log-outcome-\(row.state)"), row.state == "done" ? .good : .plain)
        if let size = row.size { line.append("  \(ByteCount(UInt64(max(size, 0))))", .number) }
        if let reason = row.reason { line.append("  " + reason, .faint) }
        return line
      })
  }
}

extension CollectionTaskLine {
  func text(_ catalogue: Catalogue) -> StyledText { document(catalogue).lines(width: nil).first ?? "" }
}
