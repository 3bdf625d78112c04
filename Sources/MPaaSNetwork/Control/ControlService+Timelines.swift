package import MPaaSSupport

/// A timeline that plays, or has played.
struct PlayedTimeline: Sendable {
  let player: TimelinePlayer
  /// On which proxies; nil for all.
  let proxies: [String]?

  func json(_ name: String) async -> JSONValue {
    let position = await player.position
    var object: JSONValue.Object = [
      "name": .string(name), "state": .string(await player.state.rawValue),
      "position_seconds": JSONValue(position.inSeconds) ?? 0, "rounds": JSONValue(await player.rounds),
      "proxies": proxies.map { .array($0.map { .string($0) }) } ?? .null,
      "timeline": player.timeline.apiJSON,
    ]
    if let failure = await player.failure as? NetworkError { object["failure"] = .string(failure.code.word) }
    return .object(object)
  }
}

extension ControlService {
  func timelines() async -> ControlAnswer {
    var all: [JSONValue] = []
    for (name, played) in players.sorted(by: { $0.key < $1.key }) { all.append(await played.json(name)) }
    return .json(["timelines": .array(all)])
  }

  func timeline(_ request: ControlRequest) async throws -> ControlAnswer {
    let name = request.path[1]
    return .json(try await played(name).json(name))
  }

  private func played(_ name: String) throws(NetworkError) -> PlayedTimeline {
    guard let played = players[name] else {
      throw NetworkError(.timelineNotPlaying, ["timeline": name])
    }
    return played
  }

  /// Plays what `text`, `toml`, `random` or `steps` of the body says; one of the same name is stopped.
  func startTimeline(_ request: ControlRequest) async throws -> ControlAnswer {
    let object = try request.object
    let timeline = try timeline(of: object)
    let name = timeline.name
    let proxies = try await proxies(of: object)
    try await collection.checkEffects(of: timeline.toxics, name, on: proxies)
    await play(timeline, as: name, on: proxies)
    return .json(try await played(name).json(name), status: 201)
  }

  private func timeline(of object: JSONValue.Object) throws -> Timeline {
    let fields = ControlFields(object)
    let name = try fields.text("name")
    let profiles = options.profiles
    if let text = try fields.text("text") {
      return try Timeline(text: text, file: name ?? "timeline", name: name, profiles: profiles)
    }
    if let toml = try fields.text("toml") {
      return try Timeline(toml: toml, file: name ?? "timeline", name: name, profiles: profiles)
    }
    if let random = try fields.object("random").map({ ControlFields($0) }) {
      let length = try random.number("length_seconds") ?? 300
      guard (0...1e7).contains(length) else { throw ControlFailure.malformed("length_seconds is not in 0…10000000") }
      return Timeline.random(seed: try random.whole("seed") ?? 0, length: .seconds(length), profiles: profiles)
    }
    guard fields["steps"] != nil else { throw ControlFailure.missing("text, toml, random or steps") }
    return try Timeline(api: object)
  }

  /// Pauses and goes on: `{"paused": true}`.
  func changeTimeline(_ request: ControlRequest) async throws -> ControlAnswer {
    let name = request.path[1]
    let played = try played(name)
    if let paused = try ControlFields(try request.object).flag("paused") {
      if paused { await played.player.pause() } else { await played.player.start() }
    }
    return .json(await played.json(name))
  }

  func stopTimeline(_ request: ControlRequest) async throws -> ControlAnswer {
    _ = try played(request.path[1])
    await stop(request.path[1])
    return .noContent
  }

  func play(_ timeline: Timeline, as name: String, on proxies: [String]?) async {
    await stop(name)
    let player = TimelinePlayer(timeline, on: collection, proxies: proxies, layer: "timeline-\(name)")
    players[name] = PlayedTimeline(player: player, proxies: proxies)
    await player.start()
  }

  func stop(_ name: String) async {
    guard let played = players.removeValue(forKey: name) else { return }
    await played.player.stop()
  }

  package func stopTimelines() async {
    for name in players.keys.sorted() { await stop(name) }
  }
}

extension Timeline {
  /// Those of all steps.
  var toxics: [Toxic] { steps.flatMap(\.toxics) }

  /// Reads what `apiJSON` wrote.
  package init(api object: JSONValue.Object) throws {
    let fields = ControlFields(object)
    var steps: [Step] = []
    for (index, value) in (fields["steps"]?.array ?? []).enumerated() {
      guard let object = value.object else { throw ControlFailure.malformed("step \(index + 1) is no object") }
      let step = ControlFields(object)
      let toxics = try (step["toxics"]?.array ?? []).map { try Toxic($0.object ?? [:]) }
      steps.append(
        Step(
          at: try Self.time("at_seconds", of: step) ?? .zero, for: try Self.time("for_seconds", of: step), toxics,
          label: try step.text("label") ?? toxics.map(\.condition.kind.rawValue).joined(separator: ", ")))
    }
    self.init(
      name: try fields.text("name") ?? "timeline", steps: steps.sorted { $0.start < $1.start },
      length: try Self.time("length_seconds", of: fields), repeats: try fields.flag("repeats") ?? false)
  }

  private static func time(_ name: String, of fields: ControlFields) throws(ControlFailure) -> Duration? {
    guard let seconds = try fields.number(name) else { return nil }
    guard (0...1e9).contains(seconds) else { throw .malformed("\(name) is not in 0…1000000000") }
    return .seconds(seconds)
  }
}

extension NetworkError.Code {
  /// A timeline that does not play.
  package static var timelineNotPlaying: Self { NetworkError.Code("net-timeline-not-playing", exit: .inputMissing) }
}
