package import MPaaSJSON
import MPaaSLock

/// The stubs of a mock with the states of their scenarios.
package final class StubLibrary: Sendable {
  /// The most stubs.
  package static let most = 200_000

  private struct State {
    var index = StubIndex()
    var sequence = 0
    /// The states of scenarios that are not in their first one.
    var scenarios: [String: String] = [:]
    /// Milliseconds that pass before every answer.
    var delay: DelayDistribution?
    var fixedDelay: Int?
    var settings: JSONNode = .members([])
    /// Stubs that come back when all are reset.
    var defaults: [StubMapping] = []
  }

  private let state = Lock(State())
  package let world: MockWorld

  package init(_ world: MockWorld) { self.world = world }

  // MARK: Stubs

  /// Adds a stub, or puts it in the place of the one with its ID.
  ///
  /// - Returns: The stub with its ID.
  @discardableResult
  package func add(_ stub: StubMapping) throws(StubProblem) -> StubMapping {
    let stub = identified(stub)
    // Templates are read before the lock is taken.
    let read = try StubEntry(stub, sequence: 0)
    return try state.withLock { state throws(StubProblem) in try Self.insert(read, into: &state) }
  }

  /// Adds all stubs or, where one cannot be taken, none.
  @discardableResult
  package func add(_ stubs: [StubMapping]) throws(StubProblem) -> [StubMapping] {
    let read = try stubs.map { stub throws(StubProblem) in try StubEntry(identified(stub), sequence: 0) }
    return try state.withLock { state throws(StubProblem) in
      var added: [StubMapping] = []
      for entry in read { added.append(try Self.insert(entry, into: &state)) }
      return added
    }
  }

  private func identified(_ stub: StubMapping) -> StubMapping {
    guard stub.id.isEmpty else { return stub }
    var stub = stub
    stub.id = world.random.uuid()
    return stub
  }

  private static func insert(_ read: StubEntry, into state: inout State) throws(StubProblem) -> StubMapping {
    // A changed stub keeps its place among the others.
    let known = state.index.remove(read.stub.id)?.sequence
    guard known != nil || state.index.count < most else { throw StubProblem("", "there are \(most) stubs already") }
    if known == nil { state.sequence += 1 }
    state.index.insert(StubEntry(copying: read, sequence: known ?? state.sequence))
    return read.stub
  }

  package func stub(_ id: String) -> StubMapping? { state.withLock { $0.index.byID[id]?.stub } }

  @discardableResult
  package func remove(_ id: String) -> StubMapping? { state.withLock { $0.index.remove(id)?.stub } }

  /// All stubs, the newest first.
  package var stubs: [StubMapping] { snapshot.all.map(\.stub) }
  package var count: Int { state.withLock { $0.index.count } }

  private var snapshot: StubIndex { state.withLock { $0.index } }

  package func removeAll() {
    state.withLock { state in
      state.index = StubIndex()
      state.scenarios = [:]
    }
  }

  /// Sets the stubs that `reset` brings back, and puts them in the place of those that were set before.
  package func setDefaults(_ stubs: [StubMapping]) throws(StubProblem) {
    let read = try stubs.map { stub throws(StubProblem) in try StubEntry(identified(stub), sequence: 0) }
    try state.withLock { state throws(StubProblem) in
      for stub in state.defaults { _ = state.index.remove(stub.id) }
      state.defaults = read.map(\.stub)
      for entry in read { _ = try Self.insert(entry, into: &state) }
    }
  }

  /// Brings back the stubs of the files, and those that are to be kept.
  package func reset() throws(StubProblem) {
    let (defaults, kept) = state.withLock { state in
      (state.defaults, state.index.all.reversed().map(\.stub).filter { $0.isPersistent == true })
    }
    let read = try (defaults + kept).map { stub throws(StubProblem) in try StubEntry(stub, sequence: 0) }
    try state.withLock { state throws(StubProblem) in
      state.index = StubIndex()
      state.scenarios = [:]
      for entry in read { _ = try Self.insert(entry, into: &state) }
    }
  }

  /// The stubs whose metadata is as a pattern says.
  package func stubs(whereMetadata pattern: ContentPattern) -> [StubMapping] {
    stubs.filter { pattern.matches($0.metadata?.line, now: world.now()) }
  }

  // MARK: Scenarios

  package struct Scenario: Sendable, Equatable {
    package let name: String
    package let state: String
    package let possibleStates: [String]
  }

  package var scenarios: [Scenario] {
    let (index, states) = state.withLock { ($0.index, $0.scenarios) }
    var possible: [String: Set<String>] = [:]
    for entry in index.byID.values {
      guard let scenario = entry.stub.scenario else { continue }
      let named = [scenario.required, scenario.next].compactMap(\.self)
      possible[scenario.name, default: [StubMapping.Scenario.started]].formUnion(named)
    }
    return possible.sorted { $0.key < $1.key }.map { name, all in
      Scenario(name: name, state: states[name] ?? StubMapping.Scenario.started, possibleStates: all.sorted())
    }
  }

  package func resetScenarios() { state.withLock { $0.scenarios = [:] } }

  /// Sets the state of a scenario; nil brings it to its first one.
  package func setScenario(_ name: String, _ value: String?) { state.withLock { $0.scenarios[name] = value } }

  // MARK: Settings

  package var settings: JSONNode {
    get { state.withLock { $0.settings } }
    set { state.withLock { $0.settings = newValue } }
  }

  /// Sets what passes before every answer.
  package func setDelay(fixed: Int?, _ distribution: DelayDistribution?) {
    state.withLock { ($0.fixedDelay, $0.delay) = (fixed, distribution) }
  }

  // MARK: Requests

  func entry(for facts: RequestFacts) -> (entry: StubEntry, delay: Double)? {
    while true {
      let (index, states, fixed, distribution) = state.withLock { ($0.index, $0.scenarios, $0.fixedDelay, $0.delay) }
      let found = index.first(for: facts.request.target, path: facts.path) { entry in
        Self.isInState(entry, states) && entry.stub.request.method.matches(facts.request.method)
          && entry.stub.request.matchesURL(facts) && entry.stub.request.matchesRest(facts)
      }
      guard let found else { return nil }
      if let scenario = found.stub.scenario, !move(scenario) { continue }
      guard fixed != nil || distribution != nil else { return (found, 0) }
      var random = world.random.generator
      return (found, Double(fixed ?? 0) + (distribution?.milliseconds(&random) ?? 0))
    }
  }

  private static func isInState(_ entry: StubEntry, _ states: [String: String]) -> Bool {
    guard let scenario = entry.stub.scenario, let required = scenario.required else { return true }
    return (states[scenario.name] ?? StubMapping.Scenario.started) == required
  }

  /// Moves a scenario on; false where another request has moved it since.
  private func move(_ scenario: StubMapping.Scenario) -> Bool {
    state.withLock { state in
      if let required = scenario.required,
        (state.scenarios[scenario.name] ?? StubMapping.Scenario.started) != required
      {
        return false
      }
      if let next = scenario.next { state.scenarios[scenario.name] = next }
      return true
    }
  }

  func nearest(_ facts: RequestFacts, most: Int) -> [(stub: StubMapping, distance: Double)] {
    let (index, states) = state.withLock { ($0.index, $0.scenarios) }
    return NearMisses.of(facts, among: Array(index.byID.values), states, most: most)
  }
}
