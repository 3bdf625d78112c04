import Foundation
import MPaaSJSON
import MPaaSMock
import MPaaSTestSupport
import Testing

@Suite("Content patterns") struct WireMockPatternTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let number: Int
    let origin: String
    let pattern: JSONNode
    let value: String?
    let isMatch: Bool
    let distance: Double?

    var testDescription: String { "\(number) \(origin)" }

    static let all: [Case] = {
      guard let bytes = try? Fixture.data("rpc/wiremock/matching.json"),
        let cases = try? JSONSource(parsing: Array(bytes), file: "matching.json").root.elements
      else { return [] }
      return cases.enumerated().compactMap { number, node in
        guard let pattern = node["pattern"], let isMatch = node["match"]?.bool else { return nil }
        return Case(
          number: number, origin: node["origin"]?.string ?? "", pattern: pattern, value: node["value"]?.string,
          isMatch: isMatch, distance: node["distance"]?.number?.double)
      }
    }()
  }

  /// A case that says of 2023 that it is not after 2021, and so denies the first case: its pattern was `before`.
  private static let mistaken = 8

  @Test(
    "match what WireMock's own tests match, at the same distance", .fixtures,
    arguments: Case.all.filter { $0.number != mistaken })
  func matching(_ one: Case) throws {
    // What can never match is refused when the stub is read.
    guard let pattern = try? ContentPattern(StubReader(one.pattern)) else {
      #expect(!one.isMatch)
      return
    }
    #expect(pattern.matches(one.value) == one.isMatch)
    if let distance = one.distance {
      #expect(abs(pattern.distance(one.value) - distance) < 1e-9, "\(pattern.distance(one.value))")
    }
    #expect((pattern.distance(one.value) == 0) == one.isMatch)
    let again = try ContentPattern(StubReader(pattern.document))
    #expect(again.document.isSame(as: pattern.document))
  }

  @Test("are all read", .fixtures) func count() { #expect(Case.all.count == 122) }
}
