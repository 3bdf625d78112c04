import ArgumentParser
import CommandKit
import LogCommands
import MPaaSAppServicesTools
import MPaaSHotpatch
import MPaaSHotpatchTools
import MPaaSLogReading
import MPaaSLogUpload
import MPaaSNetworkConditions
import MPaaSProtocol
import MPaaSSupport
import MPaaSTerminal
import MPaaSTime
import MPaaSToolSupport

extension HotpatchCommand {
  /// `mpaas hotpatch watch`: stops the patches that crash more often by what a console counts.
  struct Watch: StreamingCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("watch", key: "hotpatch.watch") }

    @OptionGroup var repository: RolloutRepositoryOptions

    @Option(help: .text("command.hotpatch.app", valueName: "app"), completion: .rolloutApps)
    var app: String?

    @Option(help: .text("command.hotpatch.watch.every", valueName: "time"))
    var every = "15s"

    @Flag(help: .text("command.hotpatch.watch.once"))
    var once = false

    @Flag(help: .text("command.hotpatch.watch.requests"))
    var requests = false

    @OptionGroup var server: ServerOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context, results: ResultSink) async throws -> ExitStatus {
      guard let pause = Quantity.duration(every), pause >= .milliseconds(100) else {
        throw Diagnostic("rollout-watch-every", ["value": every], exit: .usage)
      }
      let server = try server.server(in: context)
      let publisher = try repository.publisher(in: context)
      // Asked for now: a patch may have to be stopped at night.
      let keys = try repository.signingKeys(for: publisher, in: context)
      let catalogue = context.catalogue
      var console = RolloutWatch.Console(
        patches: { try await server.patches(of: $0) }, tell: { try await server.tell($0, of: $1) }, requests: nil,
        end: { try await server.end($0, $1) })
      if requests { console.requests = { try await server.waitingRolloutRequests() } }
      let watch = RolloutWatch(
        publisher, app: app, keys: keys, console,
        words: { error in
          let diagnostic = (error as? any DiagnosticConvertible)?.diagnostic
          return diagnostic.map { catalogue.sentence($0.id.name, $0.values) } ?? "\(error)"
        })
      let (once, terminal) = (once, context.terminal)
      if !once {
        terminal.note(
          StyledText(catalogue.text("text.rollout-watch-begins", ["url": server.url, "every": every]), .faint))
      }
      _ = try await InterruptibleWork.run {
        var watch = watch
        if once { return try await watch.look { try results.put(RolloutWatchLine($0)) } }
        let polling = Polling(every: TimeSpan(pause))
        while !Task.isCancelled {
          do {
            try await watch.look { try results.put(RolloutWatchLine($0)) }
          } catch let error as any DiagnosticConvertible {
            // A console that is away comes back, and so does a repository that another command works on.
            terminal.warning(error.diagnostic)
          }
          await polling.wait()
        }
      }
      return .done
    }
  }
}

/// A thing that the watch did.
struct RolloutWatchLine: Presentable {
  /// The object of `--json`.
  private struct Line: Encodable {
    let event: String
    let app: String
    let patch: String
    let version: String
    let channel: String
    var devices: Int64?
    var crashed: Int64?
    var baseline: PatchEntry.Devices?
    var ratio: Double?
    var action: String?
    var outcome: String?
    var author: String?
  }

  private let event: RolloutWatch.Event

  init(_ event: RolloutWatch.Event) { self.event = event }

  func encode(to encoder: any Encoder) throws { try line.encode(to: encoder) }

  private var line: Line {
    switch event {
    case .stopped(let change, let entry):
      Line(
        event: change.rollout.state.rawValue, app: change.app, patch: change.rollout.patch,
        version: change.rollout.version.text, channel: change.rollout.channel, devices: entry.devices,
        crashed: entry.crashed, baseline: entry.baseline, ratio: entry.ratio)
    case .requested(let request, let outcome):
      Line(
        event: outcome.state.rawValue, app: request.identity, patch: request.patch, version: request.version,
        channel: request.channel, action: request.action.rawValue, outcome: outcome.outcome, author: request.author)
    }
  }

  func document(_ catalogue: Catalogue) -> Document {
    switch event {
    case .stopped(let change, let entry):
      let values = [
        "patch": change.rollout.patch, "version": change.rollout.version.text, "channel": change.rollout.channel,
        "crashed": String(entry.crashed), "devices": String(entry.devices),
        "plain_crashed": String(entry.baseline?.crashed ?? 0), "plain_devices": String(entry.baseline?.devices ?? 0),
      ]
      let key =
        change.rollout.state == .paused ? "text.rollout-watch-paused" : "text.rollout-watch-halted"
      return [.line(StyledText(catalogue.text(key, values), .bad))]
    case .requested(let request, let outcome):
      let values = [
        "patch": request.patch, "version": request.version, "channel": request.channel, "author": request.author,
        "change": catalogue.text("text.rollout-watch-\(request.action.rawValue)"), "reason": outcome.outcome,
      ]
      let key = outcome.state == .done ? "text.rollout-watch-done" : "text.rollout-watch-refused"
      return [.line(StyledText(catalogue.text(key, values), outcome.state == .done ? .good : .warning))]
    }
  }
}
