import ArgumentParser
import CommandKit
package import MPaaSNetworkConditions
import MPaaSSupport
package import MPaaSTerminal

extension NetCommand {
  /// `mpaas net replay TIMELINE`: plays a timeline on the proxies of a server, or on one of its own.
  struct Replay: StreamingCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("replay", key: "net.replay") }

    @OptionGroup var source: TimelineOptions

    @OptionGroup var control: NetAPIOptions

    @Option(help: .text("command.net.replay.proxy", valueName: "name"))
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
        let profiles = try source.profiles.catalogue(in: context)
        results.put(text: print.text(of: try source.timeline(profiles), profiles))
      } else if let listen, let upstream {
        try results.put(
          await context.served {
            OwnReplay(
              timeline: try source.timeline(try source.profiles.catalogue(in: context)), journal: journal,
              listen: listen, upstream: upstream)
          })
      } else {
        try results.put(await replayRemotely(in: context))
      }
      return .done
    }

    private func replayRemotely(in context: Context) async throws -> ReplayedTimeline {
      let timeline = try source.timeline(try source.profiles.catalogue(in: context))
      let client = try ControlClient(control.address(in: context))
      let replay = RemoteReplay(timeline, proxies: proxy.isEmpty ? nil : proxy) { try await client.ask($0, $1, $2) }
      let outcome = try await replay.play(isDetached: detach) { context.terminal.note(time: $0, $1) }
      return ReplayedTimeline(timeline: timeline.name, state: outcome.state, rounds: outcome.rounds, listen: nil)
    }
  }
}

extension TimelineForm: ExpressibleByArgument {}

/// The last words of `mpaas net replay`.
package struct ReplayedTimeline: Presentable {
  let timeline: String
  /// `ended`, `stopped`, `playing` where it goes on without the command.
  let state: String
  let rounds: Int
  /// The address where the command's own proxy listened.
  let listen: String?

  package init(timeline: String, state: String, rounds: Int, listen: String?) {
    self.timeline = timeline
    self.state = state
    self.rounds = rounds
    self.listen = listen
  }

  package func document(_ catalogue: Catalogue) -> Document {
    let values = ["timeline": timeline, "rounds": "\(rounds)"]
    let key = ["ended", "playing", "stopped"].contains(state) ? state : "stopped"
    return [.line(StyledText(catalogue.text("text.net-replay-\(key)", values)))]
  }
}

extension Terminal {
  /// Tells what begins to hold at a time of a timeline.
  package func note(time: String, _ label: String) {
    note(StyledText("\(time)  ", .faint) + StyledText(label))
  }
}

/// A timeline on a proxy that lives as long as the command.
package struct OwnReplay: ServedWork {
  package typealias Output = ReplayedTimeline

  package let timeline: Timeline
  /// The file of the journal.
  package let journal: String?
  /// The address where the proxy listens, and where it leads; `any` for a proxy that clients tell where to.
  package let listen: String
  package let upstream: String
}
