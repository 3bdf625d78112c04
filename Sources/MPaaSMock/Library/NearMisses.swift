import MPaaSJSON

/// The stubs that come nearest to a request that none is for.
enum NearMisses {
  /// The number of stubs that are compared part by part; those before are chosen by method and URL alone.
  private static let mostCompared = 64

  static func of(
    _ facts: RequestFacts, among entries: [StubEntry], _ states: [String: String], most: Int
  ) -> [(stub: StubMapping, distance: Double)] {
    var measured: [(entry: StubEntry, distance: Double)] = []
    for entry in candidates(facts, entries) { measured.append((entry, distance(entry, facts, states))) }
    measured.sort { one, other in
      one.distance == other.distance ? one.entry.sequence > other.entry.sequence : one.distance < other.distance
    }
    return measured.prefix(most).map { ($0.entry.stub, $0.distance) }
  }

  private static func candidates(_ facts: RequestFacts, _ entries: [StubEntry]) -> [StubEntry] {
    guard entries.count > mostCompared else { return entries }
    var rough: [(entry: StubEntry, score: Int)] = []
    for entry in entries { rough.append((entry, roughness(entry, facts))) }
    rough.sort { one, other in
      one.score == other.score ? one.entry.sequence > other.entry.sequence : one.score > other.score
    }
    return rough.prefix(mostCompared).map(\.entry)
  }

  /// The bytes that the URL has in common with the stub's, and some for the method.
  private static func roughness(_ entry: StubEntry, _ facts: RequestFacts) -> Int {
    let text = entry.stub.request.url.text
    let common = zip(text.utf8, facts.request.target.utf8).prefix { $0 == $1 }.count
    return common * 2 + (entry.stub.request.method.matches(facts.request.method) ? 1 : 0)
  }

  private static func distance(_ entry: StubEntry, _ facts: RequestFacts, _ states: [String: String]) -> Double {
    let distance = entry.stub.request.distance(facts)
    guard let scenario = entry.stub.scenario, let required = scenario.required,
      (states[scenario.name] ?? StubMapping.Scenario.started) != required
    else { return distance }
    return min(1, distance + 0.1)
  }
}

extension URLPattern {
  /// The text of the pattern, of whatever kind.
  var text: String {
    switch self {
    case .any: ""
    case .url(let text), .path(let text): text
    case .urlPattern(let pattern), .pathPattern(let pattern): pattern.text
    case .pathTemplate(let template): template.text
    }
  }
}

extension RequestPattern {
  /// A part of the pattern with its distance from the request.
  struct Part {
    let name: String
    let expected: String
    let actual: String
    let weight: Double
    let distance: Double
  }

  /// The distance of a request: the weighted mean of its parts.
  package func distance(_ request: MockRequest, now: Double = 0) -> Double { distance(RequestFacts(request, now: now)) }

  func distance(_ facts: RequestFacts) -> Double {
    let parts = parts(facts)
    let weight = parts.reduce(0) { $0 + $1.weight }
    return weight == 0 ? 0 : parts.reduce(0) { $0 + $1.weight * $1.distance } / weight
  }

  /// The parts that the pattern speaks of; URL and method count more than others.
  func parts(_ facts: RequestFacts) -> [Part] {
    let request = facts.request
    var parts: [Part] = []
    func add(_ name: String, _ expected: String, _ actual: String, _ weight: Double, _ distance: Double) {
      parts.append(Part(name: name, expected: expected, actual: actual, weight: weight, distance: distance))
    }
    if case .any = url {
    } else {
      let isFit = matchesURL(facts)
      let subject: String
      if case .url = url { subject = request.target } else { subject = String(facts.path) }
      let isPattern = if case .urlPattern = url { true } else if case .pathPattern = url { true } else { false }
      add("URL", url.text, request.target, 10, isFit ? 0 : isPattern ? 1 : EditDistance.share(url.text, subject))
    }
    if method != .any { add("method", method.words, request.method, 3, method.matches(request.method) ? 0 : 1) }
    if let scheme { add("scheme", scheme, request.scheme, 1, scheme == request.scheme ? 0 : 1) }
    if let host { add("host", host.document.line, request.host, 10, host.distance(request.host, now: facts.now)) }
    if let port { add("port", "\(port)", "\(request.port)", 10, port == request.port ? 0 : 1) }
    if let clientAddress {
      add(
        "client", clientAddress.document.line, request.client, 3, clientAddress.distance(request.client, now: facts.now)
      )
    }
    func addAll(_ kind: String, _ patterns: [NamedPattern], _ values: (String) -> [MatchedText]) {
      for named in patterns {
        let given = values(named.name)
        add(
          "\(kind) \(named.name)", named.pattern.document.line,
          given.isEmpty ? "(absent)" : given.map(\.text).joined(separator: ", "), 1,
          named.pattern.distance(values: given, now: facts.now))
      }
    }
    addAll("path parameter", pathParameters) { pathValues($0, facts) }
    addAll("query parameter", queryParameters) { facts.values($0, of: facts.query) }
    addAll("header", headers) { headerValues($0, facts) }
    addAll("cookie", cookies) { facts.values($0, of: facts.cookies) }
    addAll("form parameter", formParameters) { facts.values($0, of: facts.form) }
    if let credentials {
      add("basic authentication", credentials.user, "", 1, matchesCredentials(facts) ? 0 : 1)
    }
    for pattern in bodies {
      add("body", pattern.document.line, facts.body.text, 1, pattern.distance(facts.body, now: facts.now))
    }
    for pattern in multiparts {
      add("part", pattern.document.line, "", 1, pattern.matches(facts) ? 0 : 1)
    }
    return parts
  }

  /// In English, each part that differs.
  package func differences(_ request: MockRequest, now: Double = 0) -> [String] {
    parts(RequestFacts(request, now: now)).filter { $0.distance > 0 }.map { part in
      "\(part.name): expected \(Self.short(part.expected)), got \(Self.short(part.actual))"
    }
  }

  private static func short(_ text: String) -> String { text.count > 200 ? text.prefix(200) + "…" : text }
}

extension MethodPattern {
  var words: String {
    switch self {
    case .any: "ANY"
    case .one(let name): name
    case .oneOf(let names): "one of " + names.joined(separator: ", ")
    case .noneOf(let names): "none of " + names.joined(separator: ", ")
    }
  }
}
