import Foundation
import MPaaSPact
import MPaaSTestSupport
import Testing

@Suite("The compatibility suite of Pact", .fixtures)
struct CompatibilityTests {
  /// The scenarios of all feature files; none where the fixtures are absent.
  static let scenarios: [Scenario] = {
    guard let root = try? Fixture.path("rpc/pact/compatibility/features"),
      let files = FileManager.default.enumerator(atPath: root)?.compactMap({ $0 as? String })
    else { return [] }
    return files.filter { $0.hasSuffix(".feature") }.sorted().flatMap { name -> [Scenario] in
      let text = (try? String(contentsOfFile: "\(root)/\(name)", encoding: .utf8)) ?? ""
      return Gherkin.scenarios(text, feature: String(name.dropLast(".feature".count)))
    }
  }()

  @Test("has 190 scenarios, 50 of them of version 1")
  func count() {
    #expect(Self.scenarios.count == 190)
    #expect(Self.scenarios.count { $0.feature.hasPrefix("V1/") } == 50)
  }

  @Test("passes", arguments: scenarios)
  func scenario(_ scenario: Scenario) async throws {
    let version = try #require(PactSpecification(word: String(scenario.feature.prefix(2))))
    let world = SuiteWorld(version)
    let steps = SuiteStep.all()
    for step in scenario.steps {
      var found: (SuiteStep, [String])?
      for known in steps where found == nil {
        if let groups = try known.groups(step.text) { found = (known, groups) }
      }
      let (known, groups) = try #require(found, "no meaning of “\(step.text)”")
      try await known.act(world, groups, step)
    }
  }
}
