import ArgumentParser
import CommandKit
import KeyCommands
import MPaaSLogs
import MPaaSNetworkConditions
import MPaaSProtocol
import MPaaSSupport
import MPaaSTerminal
import MPaaSTransfer

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension LogCommand {
  /// `mpaas log collect USER`: asks for a user's logs; with `--as-device` it is the device that answers.
  struct Collect: MPaaSCommand {
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

    func run(in context: Context) async throws -> CollectionAnswer {
      let server = try server.server(in: context)
      guard let asDevice else { return .asked(try await ask(server, in: context)) }
      guard !logs.isEmpty else { throw Diagnostic("log-collect-no-logs", exit: .usage) }
      return try await answer(server, as: asDevice, in: context)
    }

    // MARK: The desk

    private func ask(_ server: LogServer, in context: Context) async throws -> CollectionTaskView {
      let now = context.now().timeIntervalSince1970
      var wish = CollectionWish(
        id: UUID().uuidString.lowercased(), user: user, from: Double(try context.seconds(since)),
        to: try until.map { Double(try context.seconds($0)) } ?? now)
      guard wish.from <= wish.to else { throw Diagnostic("log-collect-window", exit: .usage) }
      wish.device = device
      wish.app = app
      wish.network = network
      wish.types = type
      if let expires {
        guard let end = Date(expires, after: context.now()) else {
          throw Diagnostic("log-collect-expires", ["value": expires], exit: .usage)
        }
        wish.expires = end.timeIntervalSince1970
      }
      let made = try await server.collect(wish)
      guard wait || output != nil else { return CollectionTaskView(task: made) }
      let task = try await last(made, server, context)
      guard task.state == .done, let upload = task.upload, let output else { return CollectionTaskView(task: task) }
      let download = HTTPDownload(
        HTTPRequest("\(server.url)\(ServerPaths.uploads)/\(PercentEncoding.encode(upload))", headers: server.headers),
        to: output
      )
      _ = try server.client.download(download)
      return CollectionTaskView(task: task, file: output)
    }

    /// The task when nothing more happens to it, or as it is when the command is told to end.
    private func last(_ made: CollectionTask, _ server: LogServer, _ context: Context) async throws -> CollectionTask {
      try await InterruptibleWork.run {
        var task = made
        context.terminal.note(StyledText(context.catalogue.text("text.log-collect-waiting", ["id": task.id]), .faint))
        while !task.state.isFinal, !Task.isCancelled {
          try? await Task.sleep(for: .milliseconds(500))
          if Task.isCancelled { break }
          let next = try await server.task(task.id)
          if next.state != task.state { context.terminal.note(CollectionTaskLine(task: next).text(context.catalogue)) }
          task = next
        }
        return task
      }.value
    }

    // MARK: The device

    private func answer(_ server: LogServer, as device: String, in context: Context) async throws -> CollectionAnswer {
      let identity = LogIdentity(app: app ?? "mpaas", device: device, user: user)
      let work = "\(context.directories.data)/collection/\(PercentEncoding.encode(device))"
      let options = try self.server.transferOptions(in: context)
      let collector = try LogCollector(as: identity, from: server, logs: logs, work: work, options: options)
      let state = DeviceState(network: connection.network)
      guard let every else { return .answered(DeviceAnswer(outcomes: try await collector.collect { state })) }
      guard let pause = Quantity.duration(every), pause > .zero else {
        throw Diagnostic("log-collect-every", ["value": every], exit: .usage)
      }
      _ = try await InterruptibleWork.run {
        while !Task.isCancelled {
          do {
            let outcomes = try await collector.collect { state }
            if !outcomes.isEmpty { try context.terminal.print(DeviceAnswer(outcomes: outcomes)) }
          } catch let problem as any DiagnosticConvertible where !Task.isCancelled {
            context.terminal.warning(problem.diagnostic)
          }
          try? await Task.sleep(for: pause)
        }
      }
      return .told
    }
  }
}

/// What `mpaas log collect` prints at either end.
enum CollectionAnswer: Presentable {
  case asked(CollectionTaskView)
  case answered(DeviceAnswer)
  case told

  func encode(to encoder: any Encoder) throws {
    switch self {
    case .asked(let view): try view.encode(to: encoder)
    case .answered(let answer): try answer.encode(to: encoder)
    case .told: break
    }
  }

  var exit: ExitStatus {
    switch self {
    case .asked(let view): view.exit
    case .answered(let answer): answer.exit
    case .told: .done
    }
  }

  var isTold: Bool { if case .told = self { true } else { false } }

  func document(_ catalogue: Catalogue) -> Document {
    switch self {
    case .asked(let view): view.document(catalogue)
    case .answered(let answer): answer.document(catalogue)
    case .told: []
    }
  }
}

/// What a device did about the tasks that it found.
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
