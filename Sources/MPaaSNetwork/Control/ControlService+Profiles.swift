import MPaaSSupport

/// A profile or a button that holds.
package struct AppliedLayer: Sendable, Equatable {
  /// The profile's or the button's name.
  package var name: String
  /// On which proxies; nil for all, also those to come.
  package var proxies: [String]?
  /// Its place among the layers: bytes meet the smaller first.
  package var place: Int

  package init(name: String, proxies: [String]? = nil, place: Int = 0) {
    self.name = name
    self.proxies = proxies
    self.place = place
  }
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
    if name != "off" {
      let profile = try options.profiles.named(name)
      try await collection.checkEffects(of: profile.toxics + (profile.timeline?.toxics ?? []), name, on: proxies)
    }
    await stop("profile")
    guard name != "off" else {
      try await collection.setLayer("profile", [], on: proxies)
      layers["profile"] = nil
      await note(.profileApplied, ["profile": "off"])
      return .json(["applied": .null])
    }
    return .json(["applied": try await hold(name, on: proxies).json])
  }

  /// Puts a profile in force.
  @discardableResult
  package func hold(_ name: String, on proxies: [String]?) async throws(NetworkError) -> AppliedLayer {
    let profile = try options.profiles.named(name)
    // On some proxies only: those that had another and are not named lose it.
    if proxies != nil { try await collection.setLayer("profile", []) }
    try await collection.setLayer("profile", profile.toxics, on: proxies)
    let place = proxies == nil ? layers["profile"]?.place ?? nextPlace : nextPlace
    let applied = AppliedLayer(name: profile.name, proxies: proxies, place: place)
    layers["profile"] = applied
    await note(.profileApplied, ["profile": profile.name])
    if let timeline = profile.timeline { await play(timeline, as: "profile", on: proxies) }
    return applied
  }

  private var nextPlace: Int { (layers.values.map(\.place).max() ?? 0) + 1 }

  /// Puts what holds on all proxies on one that is new.
  func welcome(_ proxy: String) async throws(NetworkError) {
    for (layer, applied) in layers.sorted(by: { $0.value.place < $1.value.place }) where applied.proxies == nil {
      try await collection.setLayer(layer, try toxics(of: applied, layer), on: [proxy])
    }
  }

  private func toxics(of applied: AppliedLayer, _ layer: String) throws(NetworkError) -> [Toxic] {
    layer == "profile" ? try options.profiles.named(applied.name).toxics : try toxics(ofButton: applied.name)
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
  static let buttonNames = ["longer", "shorter", "2g", "flight-mode"]
  /// Those that stay down until they are pressed again.
  private static let lasting = ["2g", "flight-mode"]

  func buttons() -> ControlAnswer {
    .json([
      "buttons": .array(Self.buttonNames.map { .string($0) }),
      "pressed": .array(Self.lasting.filter { layers[Self.layer($0)] != nil }.map { .string($0) }),
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
      if try fields.flag("pressed") ?? (layers[layer] == nil) {
        try await hold(button: button, on: proxies)
      } else {
        try await collection.setLayer(layer, [])
        layers[layer] = nil
      }
    default:
      throw NetworkError(.buttonUnknown, ["button": button, "known": Self.buttonNames.joined(separator: ", ")])
    }
    return buttons()
  }

  func hold(button: String, on proxies: [String]?) async throws(NetworkError) {
    let layer = Self.layer(button)
    let toxics = try toxics(ofButton: button)
    try await collection.setLayer(layer, [])
    try await collection.setLayer(layer, toxics, on: proxies)
    layers[layer] = AppliedLayer(name: button, proxies: proxies, place: nextPlace)
  }

  private func toxics(ofButton button: String) throws(NetworkError) -> [Toxic] {
    if button == "2g" { return try options.profiles.named("2g").toxics }
    return Direction.allCases.map { Toxic(.flightMode, direction: $0) }
  }
}

extension AppliedLayer {
  var json: JSONValue {
    [
      "name": .string(name),
      "proxies": proxies.map { .array($0.map { .string($0) }) } ?? .null,
      "place": JSONValue(place),
    ]
  }

  init(_ object: JSONValue.Object) throws(ControlFailure) {
    let fields = ControlFields(object)
    self.init(
      name: try fields.text("name") ?? "", proxies: try fields.list("proxies"),
      place: Int(clamping: try fields.whole("place") ?? 0))
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
