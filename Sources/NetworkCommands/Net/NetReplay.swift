import ArgumentParser
import CommandKit
import MPaaSNetworkConditions
import MPaaSSupport
import MPaaSTerminal
import NetworkServingKit

extension NetCommand {
  /// `mpaas net replay TIMELINE`: plays a timeline on the proxies of a server, or on one of its own.
  struct Replay: StreamingCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("replay", key: "net.replay") }

    @OptionGroup var source: TimelineOptions

    @OptionGroup var control: NetAPIOptions

    @Option(help: .text("command.net.replay.proxy", valueName: "name"), completion: .networkProxies)
    var proxy: [String] = []

    @Flag(help: .text("command.net.replay.detach"))
    var detach = false

    @Option(help: .text("command.net.replay.listen", valueName: "address"))
    var listen: String?

    @Option(help: .text("command.net.replay.upstream", valueName: "address"))
    var upstream: String?

    @Option(help: .text("command.net.replay.journal", valueName: "file"), completion: .file())
    var journal: String?

    @Option(help: .text("command.net.replay.print"))
    var print: TimelineForm?

    @OptionGroup var common: CommonOptions

    func validate() throws {
      if (listen == nil) != (upstream == nil) {
        throw ValidationError(Catalogue.current.text("text.net-replay-own"))
      }
      if journal != nil, listen == nil { throw ValidationError(Catalogue.current.text("text.net-replay-journal")) }
    }

    func run(in context: Context, results: ResultSink) async throws -> ExitStatus {
      if let print {
        let profiles = try source.words.profiles(in: context)
        results.put(text: print.text(of: try source.words.timeline(profiles), profiles))
      } else if let listen, let upstream {
        throw try context.handOver(
          OwnReplay(timeline: source.words, journal: journal, listen: listen, upstream: upstream))
      } else {
        try results.put(await replayRemotely(in: context))
      }
      return .done
    }

    private func replayRemotely(in context: Context) async throws -> ReplayedTimeline {
      let timeline = try source.words.timeline(try source.words.profiles(in: context))
      let client = try ControlClient(control.address(in: context))
      let replay = RemoteReplay(timeline, proxies: proxy.isEmpty ? nil : proxy) { try await client.ask($0, $1, $2) }
      let outcome = try await replay.play(isDetached: detach) { context.terminal.note(time: $0, $1) }
      return ReplayedTimeline(timeline: timeline.name, state: outcome.state, rounds: outcome.rounds, listen: nil)
    }
  }
}

extension TimelineForm: ExpressibleByArgument {}
