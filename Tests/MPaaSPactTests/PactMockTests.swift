import MPaaSJSON
import MPaaSPact
import Testing

@Suite("A mock of contracts")
struct PactMockTests {
  private func pact(_ paths: [String]) -> Pact {
    Pact(
      consumer: "c", provider: "p",
      interactions: paths.enumerated().map { index, path in
        PactInteraction("\(index)", .http(PactRequest(path: path), PactResponse(status: 200 + index)))
      })
  }

  @Test("answers by the interaction that was not asked for yet, and counts")
  func order() throws {
    var mock = PactMock([pact(["/a", "/a"])])
    var statuses: [Int] = []
    for _ in 0..<3 {
      guard case .response(let response, _) = try mock.answer(to: PactRequest(path: "/a"), now: 0) else { continue }
      statuses.append(response.status)
    }
    #expect(statuses == [200, 201, 200])
    #expect(mock.isSatisfied && mock.hits.values.sorted() == [1, 2])
  }

  @Test("gives the nearest interactions where none matches, and writes those that were asked for")
  func nearest() throws {
    var contract = pact(["/a", "/b"])
    if case .http(var request, let response) = contract.interactions[0].content {
      request.query = [PactField("q", ["1"])]
      contract.interactions[0].content = .http(request, response)
    }
    var mock = PactMock([contract])
    guard case .mismatch(let near) = try mock.answer(to: PactRequest(path: "/a"), now: 0) else {
      Issue.record("no mismatch")
      return
    }
    #expect(near.first?.mismatches.map(\.description) == ["Expected query parameter 'q' but was missing"])
    #expect(try mock.answer(to: PactRequest(path: "/c"), now: 0) == .unexpected)
    _ = try mock.answer(to: PactRequest(path: "/b"), now: 0)
    #expect(mock.refusals == 2 && !mock.isSatisfied && mock.missing.map(\.index) == [0])
    #expect(mock.exercised.first?.interactions.map(\.description) == ["1"])
  }

  @Test("has a sentence with all its values for each reason of a difference")
  func sentences() {
    for reason in PactReason.allCases { #expect(reason.sentence.contains("{")) }
    #expect(PactMismatch.fill("{a} and {b}{", ["a": "{b}", "b": "2"]) == "{b} and 2{")
  }
}
