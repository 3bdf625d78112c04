import MPaaSLock

/// The mock: its sources, its journal, its recordings, without a server.
package final class MockGateway: Sendable {
  package struct Options: Sendable {
    /// Answers to browsers of other origins.
    package var allowsOrigins = true
    /// Names beside addresses and `localhost` by which the admin API may be called; nil for any.
    package var hosts: Set<String>? = []
    package var version = ""

    package init() {}
  }

  private struct State {
    var first: [any MockSource] = []
    var sources: [any MockSource] = []
    var recording = Recording()
    /// The last trouble with files that have changed; nil when all is well.
    var trouble: String?
  }

  package let library: StubLibrary
  package let journal: RequestJournal
  package let options: Options
  private let state = Lock(State())
  /// Tells the server that it is to end.
  package let shutdown: @Sendable () -> Void
  /// Writes the stubs that are to be kept; gives what went wrong.
  package let save: @Sendable ([StubMapping]) -> String?

  /// - Parameter library: The stubs, which are asked before all other sources.
  package init(
    _ library: StubLibrary, options: Options = Options(), shutdown: @escaping @Sendable () -> Void = {},
    save: @escaping @Sendable ([StubMapping]) -> String? = { _ in "there is no folder of stubs" }
  ) {
    self.library = library
    self.options = options
    self.shutdown = shutdown
    self.save = save
    journal = RequestJournal(random: library.world.random)
  }

  /// The sources that are asked before the stubs, in their order.
  package var first: [any MockSource] {
    get { state.withLock { $0.first } }
    set { state.withLock { $0.first = newValue } }
  }

  /// The sources that are asked behind the stubs, in their order.
  package var sources: [any MockSource] {
    get { state.withLock { $0.sources } }
    set { state.withLock { $0.sources = newValue } }
  }

  package var trouble: String? {
    get { state.withLock { $0.trouble } }
    set { state.withLock { $0.trouble = newValue } }
  }

  func recording<Value>(_ work: (inout Recording) -> Value) -> Value { state.withLock { work(&$0.recording) } }

  /// Answers a request that is not for the admin API.
  package func answer(_ request: MockRequest) -> MockAnswer {
    let now = library.world.now()
    var misses: [MockMiss] = []
    for source in first {
      if case .answer(let answer, let origin) = source.answer(request, at: now) {
        return noted(request, now, origin, answer)
      }
    }
    switch StubSource(library).answer(request, at: now) {
    case .answer(let answer, let origin): return noted(request, now, origin, answer)
    case .none(let found): misses = found
    }
    for source in sources {
      switch source.answer(request, at: now) {
      case .answer(let answer, let origin): return noted(request, now, origin, answer)
      case .none(let found): misses += found
      }
    }
    if let target = recording({ $0.target }) {
      var answer = MockAnswer(200)
      answer.proxying = ResponseDefinition.Proxying(baseURL: target)
      return answer
    }
    if options.allowsOrigins, let answer = preflight(request) { return answer }
    return noted(request, now, nil, Self.unmatched(request, misses))
  }

  private func noted(_ request: MockRequest, _ time: Double, _ origin: MockOrigin?, _ answer: MockAnswer) -> MockAnswer
  {
    // A request that is passed on is noted when its answer has come.
    if answer.proxying == nil || answer.fault != nil { journal.add(request, at: time, origin, answer) }
    guard options.allowsOrigins, let name = request.header("Origin") else { return answer }
    return withOrigin(answer, name)
  }

  /// Takes note of the answer of a server that a request was passed on to.
  package func note(_ request: MockRequest, passedOn answer: MockAnswer) -> MockAnswer {
    let now = library.world.now()
    journal.add(request, at: now, MockOrigin("proxy", id: "", name: nil), answer)
    recording { $0.add(request, answer) }
    guard options.allowsOrigins, let name = request.header("Origin") else { return answer }
    return withOrigin(answer, name)
  }

  private func withOrigin(_ answer: MockAnswer, _ origin: String) -> MockAnswer {
    let known = answer.headers.contains { MockRequest.isSame($0.name, "Access-Control-Allow-Origin") }
    guard !known else { return answer }
    var answer = answer
    answer.headers.append(("Access-Control-Allow-Origin", "*"))
    return answer
  }

  private func preflight(_ request: MockRequest) -> MockAnswer? {
    guard request.method == "OPTIONS", request.header("Origin") != nil,
      let method = request.header("Access-Control-Request-Method")
    else { return nil }
    var headers = [
      (name: "Access-Control-Allow-Origin", value: "*"),
      (name: "Access-Control-Allow-Methods", value: "\(method), OPTIONS, GET, POST, PUT, PATCH, DELETE, HEAD"),
      (name: "Access-Control-Max-Age", value: "600"),
    ]
    if let wanted = request.header("Access-Control-Request-Headers") {
      headers.append((name: "Access-Control-Allow-Headers", value: wanted))
    }
    return MockAnswer(204, headers: headers)
  }

  /// The answer where nothing fits: what came nearest, and in what it differs.
  private static func unmatched(_ request: MockRequest, _ misses: [MockMiss]) -> MockAnswer {
    var text = "No answer fits \(request.method) \(request.target)\n"
    for miss in misses.sorted(by: { $0.distance < $1.distance }).prefix(3) {
      let name = [miss.origin.source, miss.origin.id, miss.origin.name ?? ""].filter { !$0.isEmpty }
      text += "\n\(name.joined(separator: " "))\n"
      for reason in miss.reasons { text += "  - \(reason)\n" }
    }
    return MockAnswer(404, headers: [("Content-Type", "text/plain; charset=utf-8")], body: Array(text.utf8))
  }
}
