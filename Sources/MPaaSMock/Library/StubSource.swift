/// The stubs as a source of answers.
package struct StubSource: MockSource {
  package static let word = "stubs"

  package let library: StubLibrary

  package init(_ library: StubLibrary) { self.library = library }

  package var name: String { Self.word }

  package func answer(_ request: MockRequest, at time: Double) -> MockOutcome {
    let facts = RequestFacts(request, now: time)
    guard let (entry, delay) = library.entry(for: facts) else {
      return .none(
        library.nearest(facts, most: 3).map { stub, distance in
          MockMiss(
            MockOrigin(Self.word, id: stub.id, name: stub.name), distance: distance,
            reasons: reasons(stub, request, time))
        })
    }
    var answer = entry.answer(facts, library.world)
    answer.delay += delay
    return .answer(answer, by: MockOrigin(Self.word, id: entry.stub.id, name: entry.stub.name))
  }

  private func reasons(_ stub: StubMapping, _ request: MockRequest, _ time: Double) -> [String] {
    let reasons = stub.request.differences(request, now: time)
    guard reasons.isEmpty, let scenario = stub.scenario else { return reasons }
    return ["scenario \(scenario.name): is not in the state \(scenario.required ?? "")"]
  }
}
