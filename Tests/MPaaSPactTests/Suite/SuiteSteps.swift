import Foundation
import MPaaSJSON
import MPaaSPact
import Testing

/// A sentence of the suite, and its meaning.
struct SuiteStep {
  let pattern: String
  /// The beginning that is the same in all such sentences, so that few expressions are read.
  private let beginning: Substring
  let act: (SuiteWorld, [String], Scenario.Step) async throws -> Void

  init(_ pattern: String, _ act: @escaping (SuiteWorld, [String], Scenario.Step) async throws -> Void) {
    self.pattern = pattern
    let plain = pattern.prefix { !"\\\"([{.?*".contains($0) }
    beginning = pattern.dropFirst(plain.count).first == "?" ? plain.dropLast() : plain
    self.act = act
  }

  /// The texts that the sentence has in the place of groups; nil where it is another sentence.
  func groups(_ text: String) throws -> [String]? {
    guard text.hasPrefix(beginning), let match = try Regex("^\(pattern)$").wholeMatch(in: text) else { return nil }
    return match.output.dropFirst().map { ($0.substring.map(String.init) ?? "").replacing("\\\"", with: "\"") }
  }

  static func all() -> [SuiteStep] {
    mockSteps() + comparisonSteps() + generatorSteps() + verificationSteps() + definitionSteps() + messageSteps()
  }
}

/// A text in quotation marks.
let quoted = #""((?:[^"\\]|\\.)*)""#

extension SuiteStep {
  // MARK: The mock

  static func mockSteps() -> [SuiteStep] {
    [
      SuiteStep("the following HTTP interactions have been defined:") { world, _, step in
        for row in step.rows { world.interactions[Int(row["No"] ?? "") ?? 0] = try world.interaction(row) }
      },
      SuiteStep(#"the mock server is started with interactions? "?([\d, ]+)"?(?: but with the following changes:)?"#) {
        world, groups, step in
        var all: [PactInteraction] = []
        for number in groups[0].split(separator: ",") {
          var interaction = try world.interaction(number.trimmingCharacters(in: .whitespaces))
          if let row = step.rows.first, case .http(var request, let response) = interaction.content {
            try world.apply(row, to: &request)
            interaction.content = .http(request, response)
          }
          all.append(interaction)
        }
        world.mock = PactMock([try world.pact(all)], url: "http://127.0.0.1:1")
      },
      SuiteStep(#"request (\d+) is made to the mock server(?: with the following changes:)?"#) { world, groups, step in
        guard case .http(var request, _) = try world.interaction(groups[0]).content else { return }
        request.rules = PactRules()
        if let row = step.rows.first { try world.apply(row, to: &request) }
        let answer = try world.mock?.answer(to: request, now: 0)
        world.answer = answer
        if case .mismatch(let near)? = answer { world.mismatches = near.flatMap(\.mismatches) }
      },
      SuiteStep(#"a (\d+) (success|error) response is returned"#) { world, groups, _ in
        guard case .response(let response, _)? = world.answer else {
          #expect(groups[1] == "error", "\(String(describing: world.answer))")
          return
        }
        #expect("\(response.status)" == groups[0])
      },
      SuiteStep("the payload will contain the \(quoted) JSON document") { world, groups, _ in
        guard case .response(let response, _)? = world.answer else { throw PactFailure("no response") }
        let expected = PactJSON.body(try SuiteData.file(groups[0] + ".json"))?.value
        #expect(PactJSON.body(response.body.bytes)?.value == expected)
      },
      SuiteStep("the content type will be set as \(quoted)") { world, groups, _ in
        guard case .response(let response, _)? = world.answer else { throw PactFailure("no response") }
        #expect(response.headers.header("content-type") == [groups[0]])
      },
      SuiteStep("the pact test is done") { _, _, _ in },
      SuiteStep("the mock server status will (NOT )?be OK") { world, groups, _ in
        #expect(world.mock?.isSatisfied == groups[0].isEmpty)
      },
      SuiteStep("the mock server will (NOT )?write out a Pact file for the interactions? when done") {
        world, groups, _ in
        let mock = try #require(world.mock)
        #expect(mock.isSatisfied == groups[0].isEmpty)
        if mock.isSatisfied { world.written = try #require(mock.exercised.first).node() }
      },
      SuiteStep(#"the pact file will contain \{(\d+)\} interactions?"#) { world, groups, _ in
        #expect("\(world.written?["interactions"]?.elements?.count ?? -1)" == groups[0])
      },
      SuiteStep(#"the \{first\} interaction request will be for a "(\w+)""#) { world, groups, _ in
        let found = try world.writtenInteraction(0)["request"]?["method"]?.string
        #expect(found == groups[0])
      },
      SuiteStep(#"the \{first\} interaction (request|response) will contain the "(.*)" document"#) { world, groups, _ in
        let body = try world.writtenInteraction(0)[groups[0]]?["body"]
        let expected = PactJSON.body(try SuiteData.file(groups[1]))?.value
        #expect(body?.value == expected)
      },
      SuiteStep(#"the \{first\} interaction request content type will be "(.*)""#) { world, groups, _ in
        let found = try world.writtenInteraction(0)["request"]?["headers"]?["Content-Type"]?.string
        #expect(found == groups[0])
      },
      SuiteStep(#"the \{first\} interaction request query parameters will be "(.*)""#) { world, groups, _ in
        let found = try world.writtenInteraction(0)["request"]?["query"]?.string
        #expect(found == groups[0])
      },
      SuiteStep(#"the \{first\} interaction request will contain the header "(.*)" with value "(.*)""#) {
        world, groups, _ in
        let found = try world.writtenInteraction(0)["request"]?["headers"]?[groups[0]]?.string
        #expect(found == groups[1])
      },
      SuiteStep(#"the mock server status will be an expected but not received error for interaction \{(\d+)\}"#) {
        world, groups, _ in
        let mock = try #require(world.mock)
        #expect(mock.missing.map { mock[$0].description } == ["interaction \(groups[0])"])
      },
      SuiteStep(
        #"the mock server status will be an unexpected "(\w+)" request received error for interaction \{(\d+)\}"#
      ) {
        world, groups, _ in
        guard case .http(let request, _) = try world.interaction(groups[1]).content else { return }
        let refused = try #require(world.mock?.refused.first)
        #expect(refused.request.method == groups[0] && refused.request.path == request.path)
        #expect(refused.answer == .unexpected)
      },
      SuiteStep(#"the mock server status will be an unexpected "(\w+)" request received error for path "(.*)""#) {
        world, groups, _ in
        let refused = try #require(world.mock?.refused.first)
        #expect(refused.request.method == groups[0] && refused.request.path == groups[1])
        #expect(refused.answer == .unexpected)
      },
      SuiteStep("the mock server status will be mismatches") { world, _, _ in
        guard case .mismatch? = world.mock?.refused.first?.answer else { throw PactFailure("no mismatches") }
      },
    ]
  }

  // MARK: Comparisons

  static func comparisonSteps() -> [SuiteStep] {
    [
      SuiteStep("an expected request with an? \(quoted) header of \(quoted)") { world, groups, _ in
        world.expected.headers = [PactField(groups[0], [groups[1]])]
      },
      SuiteStep("a request is received with an? \(quoted) header of \(quoted)") { world, groups, _ in
        world.received = [PactRequest(headers: [PactField(groups[0], [groups[1]])])]
      },
      SuiteStep("an expected request configured with the following:") { world, _, step in
        try world.apply(step.rows[0], to: &world.expected)
      },
      SuiteStep("(?:a request is|the following requests are) received(?: with the following)?:") { world, _, step in
        world.received = try step.rows.map { row in
          var request = PactRequest()
          try world.apply(row, to: &request)
          return request
        }
      },
      SuiteStep("an expected response configured with the following:") { world, _, step in
        try world.apply(step.rows[0], to: &world.expectedResponse)
      },
      SuiteStep(#"a status (\d+) response is received"#) { world, groups, _ in
        world.receivedResponse.status = Int(groups[0]) ?? 0
      },
      SuiteStep("the requests? (?:is|are) compared to the expected one") { world, _, _ in
        world.mismatches = world.received.flatMap { PactComparison.request(world.expected, $0) }
      },
      SuiteStep("the response is compared to the expected one") { world, _, _ in
        world.mismatches = PactComparison.response(world.expectedResponse, world.receivedResponse)
      },
      SuiteStep("the (?:response )?comparison should (NOT )?be OK") { world, groups, _ in
        #expect(world.mismatches.isEmpty == groups[0].isEmpty, "\(world.mismatches.map(\.description))")
      },
      SuiteStep("the (?:response )?mismatches will contain a \(quoted) mismatch with error \(quoted)") {
        world, groups, _ in
        Self.expect(world, groups[1]) { $0.part.rawValue == groups[0] }
      },
      SuiteStep("the mismatches will contain a \(quoted) mismatch with path \(quoted) with error \(quoted)") {
        world, groups, _ in
        Self.expect(world, groups[2]) { $0.part.rawValue == groups[0] && $0.path == groups[1] }
      },
      SuiteStep("the mismatches will contain a mismatch with error \(quoted) -> \(quoted)") { world, groups, _ in
        Self.expect(world, groups[1]) { $0.path == groups[0] }
      },
    ]
  }

  private static func expect(_ world: SuiteWorld, _ text: String, _ isMeant: (PactMismatch) -> Bool) {
    // `\s*` stands where white space may be.
    func bare(_ text: String) -> String { text.replacing("\\s*", with: "").filter { !$0.isWhitespace } }
    let found = world.mismatches.contains { isMeant($0) && bare($0.description).hasPrefix(bare(text)) }
    #expect(found, "\(text) is not among \(world.mismatches.map { "\($0.part) \($0.path): \($0.description)" })")
  }
}
