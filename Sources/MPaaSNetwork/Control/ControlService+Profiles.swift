import MPaaSSupport

/// A profile or a button that holds.
struct AppliedLayer: Sendable {
  /// The profile's or the button's name.
  var name: String
  /// On which proxies; nil for all.
  var proxies: [String]?
}

extension ControlService {
  func profiles() -> ControlAnswer {
    let applied = layers["profile"]
    return .json([
      "profiles": .array(options.profiles.profiles.map(\.apiJSON)),
      "applied": applied.map { $0.json } ?? .null,
    ])
  }

  func profile(_ request: ControlRequest) throws -> ControlAnswer {
    .json(try options.profiles.named(request.path[1]).apiJSON)
  }

  /// Puts a profile in the place of the one that held before; `off` takes that away.
  func applyProfile(_ request: ControlRequest) async throws -> ControlAnswer {
    let name = request.path[1]
    let proxies = try await proxies(of: try request.optionalObject)
    await stop("profile")
    guard name != "off" else {
      try await collection.setLayer("profile", [], on: proxies)
      layers["profile"] = nil
      await note(.profileApplied, ["profile": "off"])
      return .json(["applied": .null])
    }
    let profile = try options.profiles.named(name)
    // On some proxies only: those that had it and are not named lose it.
    if proxies != nil { try await collection.setLayer("profile", []) }
    try await collection.setLayer("profile", profile.toxics, on: proxies)
    let applied = AppliedLayer(name: profile.name, proxies: proxies)
    layers["profile"] = applied
    await note(.profileApplied, ["profile": profile.name])
    if let timeline = profile.timeline { await play(timeline, as: "profile", on: proxies) }
    return .json(["applied": applied.json])
  }

  /// The `proxies` of a request: those that are named must be there; nil for all.
  func proxies(of object: JSONValue.Object) async throws -> [String]? {
    guard let names = try ControlFields(object).list("proxies") else { return nil }
    for name in names { _ = try await collection.proxy(name) }
    return names
  }

  func note(_ kind: NetworkEvent.Kind, _ details: [String: String], proxy: String? = nil) async {
    await collection.note(NetworkEvent(time: .now, kind: kind, proxy: proxy, details: details))
  }
}

// MARK: - Buttons

extension ControlService {
  /// The buttons that stay down until they are pressed again, and the profile that each holds.
  static let lasting = ["2g": "2g-urban", "flight-mode": "airplane"]

  func buttons() -> ControlAnswer {
    .json([
      "buttons": ["longer", "shorter", "2g", "flight-mode"],
      "pressed": .array(Self.lasting.keys.sorted().filter { layers[Self.layer($0)] != nil }.map { .string($0) }),
    ])
  }

  private static func layer(_ button: String) -> String { "button-\(button)" }

  /// Presses a button: `longer` and `shorter` move what is held by a second (or by `seconds`), the others go down and up.
  func press(_ request: ControlRequest) async throws -> ControlAnswer {
    let button = request.path[1]
    let fields = ControlFields(try request.optionalObject)
    let proxies = try await proxies(of: try request.optionalObject)
    switch button {
    case "longer", "shorter":
      let seconds = try fields.number("seconds") ?? 1
      guard (0...3600).contains(seconds) else { throw ControlFailure.malformed("seconds is not in 0…3600") }
      await collection.delayAll(by: .seconds(button == "longer" ? seconds : -seconds), on: proxies)
    case "2g", "flight-mode":
      let layer = Self.layer(button)
      let goesDown = try fields.flag("pressed") ?? (layers[layer] == nil)
      let toxics = button == "2g" ? try options.profiles.named("2g-urban").toxics : Self.flightMode
      try await collection.setLayer(layer, [])
      if goesDown { try await collection.setLayer(layer, toxics, on: proxies) }
      layers[layer] = goesDown ? AppliedLayer(name: button, proxies: proxies) : nil
    default:
      throw NetworkError(.buttonUnknown, ["button": button])
    }
    return buttons()
  }

  private static var flightMode: [Toxic] {
    Direction.allCases.map { Toxic(.flightMode, direction: $0) }
  }
}

extension AppliedLayer {
  var json: JSONValue {
    [
      "name": .string(name),
      "proxies": proxies.map { .array($0.map { .string($0) }) } ?? .null,
    ]
  }
}

extension NetworkProfile {
  /// The profile as the API writes it: its numbers as attributes of toxics.
  var apiJSON: JSONValue {
    func list(_ conditions: [Condition]) -> JSONValue {
      .array(conditions.map { ["type": .string($0.kind.rawValue), "attributes": .object($0.attributes)] })
    }
    var object: JSONValue.Object = [
      "name": .string(name), "title": .string(title), "source": .string(source), "downstream": list(downstream),
      "upstream": list(upstream),
    ]
    if let timeline { object["timeline"] = timeline.apiJSON }
    return .object(object)
  }
}
