import ArgumentParser
import CommandKit
package import MPaaSNetworkConditions
import MPaaSSupport
package import MPaaSTerminal

extension NetCommand {
  /// `mpaas net replay TIMELINE`: plays a timeline on the proxies of a server, or on one of its own.
  struct Replay: MPaaSCommand {
    enum Form: String, CaseIterable, ExpressibleByArgument {
      case text, toml, json
    }

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
    var print: Form?

    @OptionGroup var common: CommonOptions

    func validate() throws {
      if (listen == nil) != (upstream == nil) {
        throw ValidationError(Catalogue.current.text("text.net-replay-own"))
      }
      if journal != nil, listen == nil { throw ValidationError(Catalogue.current.text("text.net-replay-journal")) }
    }

    func run(in context: Context) async throws -> ReplayedTimeline {
      if let listen, let upstream, print == nil {
        return try await context.served {
          OwnReplay(
            timeline: try source.timeline(try source.profiles.catalogue(in: context)), journal: journal, listen: listen,
            upstream: upstream)
        }
      }
      let profiles = try source.profiles.catalogue(in: context)
      let timeline = try source.timeline(profiles)
      if let print {
        context.terminal.data.write(print.text(of: timeline, profiles))
        return ReplayedTimeline(timeline: timeline.name, state: "printed", rounds: 0, listen: nil, isTold: true)
      }
      let remote = RemoteReplay(
        client: try ControlClient(control.address(in: context)), timeline: timeline,
        proxies: proxy.isEmpty ? nil : proxy, terminal: context.terminal)
      return try await remote.play(isDetached: detach)
    }
  }
}

extension NetCommand.Replay.Form {
  func text(of timeline: Timeline, _ profiles: ProfileCatalogue) -> String {
    switch self {
    case .text: timeline.text(profiles: profiles)
    case .toml: timeline.toml(profiles: profiles)
    case .json: JSONValue.object(timeline.json(profiles: profiles)).line + "\n"
    }
  }
}

/// What `mpaas net replay` says at its end.
package struct ReplayedTimeline: Presentable {
  let timeline: String
  /// `ended`, `stopped`, `playing` where it goes on without the command, `printed`.
  let state: String
  let rounds: Int
  /// Where the command's own proxy listened.
  let listen: String?
  package let isTold: Bool

  package init(timeline: String, state: String, rounds: Int, listen: String?, isTold: Bool = false) {
    self.timeline = timeline
    self.state = state
    self.rounds = rounds
    self.listen = listen
    self.isTold = isTold
  }

  private enum CodingKeys: String, CodingKey { case timeline, state, rounds, listen }

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
  /// Where the proxy listens, and where it leads; `any` for a proxy that clients tell where to.
  package let listen: String
  package let upstream: String
}

/// A timeline on the proxies of a running server.
struct RemoteReplay: Sendable {
  let client: ControlClient
  let timeline: Timeline
  let proxies: [String]?
  let terminal: Terminal

  func play(isDetached: Bool) async throws -> ReplayedTimeline {
    var object = timeline.apiJSON.object ?? [:]
    object["proxies"] = proxies.map { .array($0.map { .string($0) }) }
    try await client.ask("POST", ["timelines"], .object(object))
    if isDetached {
      return ReplayedTimeline(timeline: timeline.name, state: "playing", rounds: 0, listen: nil)
    }
    let last = try await InterruptibleWork.run { try await follow() }
    guard last.isInterrupted else { return last.value }
    try await client.ask("DELETE", ["timelines", timeline.name])
    return ReplayedTimeline(timeline: timeline.name, state: "stopped", rounds: last.value.rounds, listen: nil)
  }

  /// Asks how far it is until it has ended, or the task is cancelled.
  private func follow() async throws -> ReplayedTimeline {
    var told = ""
    while true {
      let answer = try await client.ask("GET", ["timelines", timeline.name]).object ?? [:]
      let state = answer["state"]?.string ?? ""
      let rounds: Int = answer["rounds"]?.integer() ?? 0
      if state == "ended" || state == "stopped" || Task.isCancelled {
        return ReplayedTimeline(timeline: timeline.name, state: state, rounds: rounds, listen: nil)
      }
      let position = Duration(inMilliseconds: (answer["position_seconds"]?.double ?? 0) * 1000)
      let labels = timeline.active(at: position).map { timeline.steps[$0].label }
      let label = labels.isEmpty ? "normal" : labels.joined(separator: ", ")
      if label != told {
        terminal.note(
          time: Quantity.text(Duration(inMilliseconds: (position.inMilliseconds / 100).rounded() * 100)), label)
        told = label
      }
      try? await Task.sleep(for: .milliseconds(200))
    }
  }
}
