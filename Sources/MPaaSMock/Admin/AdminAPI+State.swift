import MPaaSJSON

extension AdminAPI {
  func scenarios(_ call: AdminCall) throws(StubProblem) -> MockAnswer? {
    let rest = call.rest
    if rest.isEmpty, call.isGet {
      let list = library.scenarios.map { scenario in
        JSONNode.members([
          ("id", .text(scenario.name)), ("name", .text(scenario.name)), ("state", .text(scenario.state)),
          ("possibleStates", .list(scenario.possibleStates.map { .text($0) })),
        ])
      }
      return Self.json(.members([("scenarios", .list(list))]))
    }
    if rest == ["reset"], call.isPost {
      library.resetScenarios()
      return Self.json(.members([]))
    }
    guard rest.count == 2, rest[1] == "state", call.isPut else { return nil }
    guard let known = library.scenarios.first(where: { $0.name == rest[0] }) else {
      return Self.json(StubProblem("", "there is no scenario \(rest[0])").document, status: 404)
    }
    let state = try call.body().text("state")
    if let state, !known.possibleStates.contains(state) {
      throw StubProblem("/state", "the scenario has no state \(state)")
    }
    library.setScenario(rest[0], state)
    return Self.json(.members([]))
  }

  func recordings(_ call: AdminCall) throws(StubProblem) -> MockAnswer? {
    switch (call.rest.first, call.request.method) {
    case ("status", "GET"):
      return Self.json(.members([("status", .text(gateway.recording { $0.status.rawValue }))]))
    case ("start", "POST"):
      let body = try call.body()
      guard let target = try body.text("targetBaseUrl"), target.hasPrefix("http://") || target.hasPrefix("https://")
      else { throw StubProblem("/targetBaseUrl", "must be a URL of http or https") }
      gateway.startRecording(target, try RecordingRules(body))
      return Self.json(.members([]))
    case ("stop", "POST"):
      guard gateway.recording({ $0.status == .recording }) else { throw StubProblem("", "nothing is being recorded") }
      return Self.json(Self.document(try gateway.stopRecording(), nil))
    case ("snapshot", "POST"):
      let rules = try RecordingRules(call.body())
      let ids = rules.chosen.map(Set.init)
      let exchanges = journal.entries.reversed().filter { entry in
        entry.origin?.source == "proxy" && ids?.contains(journal.id(of: entry)) ?? true
      }
      let stubs = try gateway.keep(rules.stubs(of: exchanges.map { ($0.request, $0.answer) }), rules)
      guard rules.wantsIDs else { return Self.json(Self.document(stubs, nil)) }
      return Self.json(.members([("ids", .list(stubs.map { .text($0.id) }))]))
    default: return nil
    }
  }

  func files(_ call: AdminCall) -> MockAnswer? {
    let files = library.world.files
    let name = call.rest.joined(separator: "/")
    guard !name.isEmpty else { return call.isGet ? Self.json(.list(files.names().map { .text($0) })) : nil }
    guard MockFiles.isInside(name) else { return Self.empty(404) }
    if call.isGet { return files.read(name).map { MockAnswer(200, body: $0) } ?? Self.empty(404) }
    if call.isPut {
      guard files.write(name, call.request.body) else { return Self.empty(500) }
      return MockAnswer(200, body: call.request.body)
    }
    guard call.isDelete else { return nil }
    files.remove(name)
    return Self.json(.members([]))
  }

  func system(_ call: AdminCall) throws(StubProblem) -> MockAnswer? {
    switch (call.parts.joined(separator: "/"), call.request.method) {
    case ("settings", "GET"): return Self.json(.members([("settings", library.settings)]))
    case ("settings", "POST"), ("settings", "PUT"), ("settings", "PATCH"): return try set(call.body())
    case ("settings/extended", "GET"):
      return Self.json(.members([("extended", library.settings["extended"] ?? .members([]))]))
    case ("settings/extended", "POST"), ("settings/extended", "PATCH"):
      let given = try call.body()
      _ = try given.object()
      library.settings = library.settings.setting("extended", given["extended"]?.node ?? given.node)
      return Self.json(.members([]))
    case ("reset", "POST"), ("mappings/reset", "POST"):
      try library.reset()
      journal.removeAll()
      return Self.json(.members([]))
    case ("health", "GET"):
      return Self.json(
        .members([
          ("status", .text(gateway.trouble == nil ? "healthy" : "unhealthy")),
          ("message", .text(gateway.trouble ?? "The mock is ready")), ("version", .text(gateway.options.version)),
          ("stubs", .whole(library.count)),
        ]))
    case ("version", "GET"): return Self.json(.members([("version", .text(gateway.options.version))]))
    case ("shutdown", "POST"):
      gateway.shutdown()
      return Self.json(.members([]))
    default: return nil
    }
  }

  private func set(_ body: StubReader) throws(StubProblem) -> MockAnswer {
    let range = 0...ResponseDefinition.longestDelay
    let fixed = try body["fixedDelay"]?.whole(range)
    var distribution: DelayDistribution?
    if let given = body["delayDistribution"] ?? (body["type"] == nil ? nil : body) {
      distribution = try DelayDistribution(given)
    }
    library.setDelay(fixed: fixed, distribution)
    library.settings = body.node
    return Self.json(.members([]))
  }
}

extension MockGateway {
  /// Passes on what no source has an answer for, and remembers it.
  package func startRecording(_ target: String, _ rules: RecordingRules = RecordingRules()) {
    recording { $0.start(target, rules) }
  }

  /// Ends the recording, and adds its stubs.
  @discardableResult
  package func stopRecording() throws(StubProblem) -> [StubMapping] {
    let rules = recording { $0.rules }
    return try keep(recording { $0.stop() }, rules)
  }

  /// Adds stubs that were recorded, and writes what is to stay.
  func keep(_ recorded: [StubMapping], _ rules: RecordingRules) throws(StubProblem) -> [StubMapping] {
    var stubs = recorded
    if let extraction = rules.extraction {
      extraction.extract(&stubs, to: library.world.files, library.world.random)
    }
    stubs = try library.add(stubs)
    if rules.isPersistent { _ = save(stubs) }
    return stubs
  }
}
