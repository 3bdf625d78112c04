import ArgumentParser
import CommandKit
import MPaaSNetwork
import MPaaSSupport
import MPaaSTerminal

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
      let profiles = try source.profiles.catalogue(in: context)
      let timeline = try source.timeline(profiles)
      if let print {
        context.terminal.data.write(print.text(of: timeline, profiles))
        return ReplayedTimeline(timeline: timeline.name, state: "printed", rounds: 0, listen: nil, isTold: true)
      }
      let terminal = context.terminal
      let note: @Sendable (String, String) -> Void = { time, label in
        terminal.note(StyledText("\(time)  ", .faint) + StyledText(label))
      }
      if let listen, let upstream {
        return try await OwnReplay(timeline: timeline, journal: journal, note: note).play(listen, upstream) { address in
          terminal.note(StyledText(terminal.catalogue.text("text.net-replay-listening", ["address": address])))
        }
      }
      let remote = RemoteReplay(
        client: try ControlClient(control.address(in: context)), timeline: timeline,
        proxies: proxy.isEmpty ? nil : proxy, note: note)
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
struct ReplayedTimeline: Presentable {
  let timeline: String
  /// `ended`, `stopped`, `playing` where it goes on without the command, `printed`.
  let state: String
  let rounds: Int
  /// Where the command's own proxy listened.
  let listen: String?
  var isTold = false

  private enum CodingKeys: String, CodingKey { case timeline, state, rounds, listen }

  func document(_ catalogue: Catalogue) -> Document {
    let values = ["timeline": timeline, "rounds": "\(rounds)"]
    let key = ["ended", "playing", "stopped"].contains(state) ? state : "stopped"
    return [.line(StyledText(catalogue.text("text.net-replay-\(key)", values)))]
  }
}

/// A timeline on a proxy that lives as long as the command.
struct OwnReplay {
  let timeline: Timeline
  let journal: String?
  let note: @Sendable (String, String) -> Void

  func play(_ listen: String, _ upstream: String, ready: @escaping @Sendable (String) -> Void) async throws
    -> ReplayedTimeline
  {
    let (timeline, note) = (timeline, note)
    let writer = try journal.map { try NetworkJournal(appendingTo: $0) }
    let collection = ProxyCollection()
    let kind: ProxyDefinition.Kind = upstream == "any" ? .forward : .tcp
    let definition = ProxyDefinition(
      name: "replay", kind: kind, listen: listen, upstream: kind == .forward ? "" : upstream)
    let added = try await collection.add(definition)
    let following = writer.map { writer in Task { await writer.follow(collection) } }
    let player = TimelinePlayer(timeline, on: collection)
    let watching = Task {
      for await event in await collection.events() where event.kind == .timelineStep {
        note(event.details["at"] ?? "", event.details["label"] ?? "")
      }
    }
    ready(added.listen)
    let (_, _) = try await InterruptibleWork.run {
      await player.start()
      await withTaskCancellationHandler {
        await player.wait()
      } onCancel: {
        Task { await player.stop() }
      }
    }
    let (state, rounds) = (await player.state, await player.rounds)
    watching.cancel()
    following?.cancel()
    await following?.value
    await collection.shutdown()
    return ReplayedTimeline(timeline: timeline.name, state: state.rawValue, rounds: rounds, listen: added.listen)
  }
}

/// A timeline on the proxies of a running server.
struct RemoteReplay: Sendable {
  let client: ControlClient
  let timeline: Timeline
  let proxies: [String]?
  let note: @Sendable (String, String) -> Void

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
        note(Quantity.text(Duration(inMilliseconds: (position.inMilliseconds / 100).rounded() * 100)), label)
        told = label
      }
      try? await Task.sleep(for: .milliseconds(200))
    }
  }
}
