import Foundation
import MPaaSJSON
import MPaaSPact
import Testing

extension SuiteStep {
  static func generatorSteps() -> [SuiteStep] {
    [
      SuiteStep("a (request|response) configured with the following generators:") { world, groups, step in
        world.isResponse = groups[0] == "response"
        if world.isResponse {
          try world.apply(step.rows[0], to: &world.expectedResponse)
        } else {
          try world.apply(step.rows[0], to: &world.expected)
        }
      },
      SuiteStep("the generator test mode is set as \(quoted)") { world, groups, _ in
        world.side = groups[0] == "Provider" ? .provider : .consumer
      },
      SuiteStep("the (?:request|response) is prepared for use(?: with a \"(\\w+)\" context:)?") { world, groups, step in
        let context = try step.table.first.map { try SuiteData.json($0[0]) }
        var generation = PactGeneration(
          world.side, values: context?.members ?? [], mockURL: context?["href"]?.string ?? "", now: 1_700_000_000_000)
        if world.isResponse {
          world.preparedResponse = try generation.applied(to: world.expectedResponse)
        } else {
          world.prepared = try generation.applied(to: world.expected)
        }
      },
      SuiteStep("the (?:request|response) \(quoted) will be set as \(quoted)") { world, groups, _ in
        #expect(Self.part(world, groups[0]) == groups[1])
      },
      SuiteStep("the (?:request|response) \(quoted) will not be \(quoted)") { world, groups, _ in
        #expect(Self.part(world, groups[0]) != groups[1])
      },
      SuiteStep("the (?:request|response) \(quoted) will match \(quoted)") { world, groups, _ in
        let text = try #require(Self.part(world, groups[0]))
        #expect(try Regex(groups[1]).wholeMatch(in: text) != nil, "\(text)")
      },
      SuiteStep("the body value for \(quoted) will have been replaced with an? \(quoted)") { world, groups, _ in
        let body = world.isResponse ? world.preparedResponse.body : world.prepared.body
        let value = try #require(PactJSON.body(body.bytes)?[String(groups[0].dropFirst(2))])
        try Self.expect(value, groups[1])
      },
      SuiteStep("the body value for \(quoted) will have been replaced with \(quoted)") { world, groups, _ in
        let value = try #require(PactJSON.body(world.prepared.body.bytes)?[String(groups[0].dropFirst(2))])
        #expect((value.string ?? value.line) == groups[1])
      },
    ]
  }

  private static func part(_ world: SuiteWorld, _ name: String) -> String? {
    let inner = name.firstMatch(of: /\[(.*)\]/).map { String($0.1) } ?? ""
    if name.hasPrefix("header") {
      return (world.isResponse ? world.preparedResponse.headers : world.prepared.headers).header(inner)?.first
    }
    if name.hasPrefix("queryParameter") { return world.prepared.query[field: inner]?.first }
    return name == "path" ? world.prepared.path : "\(world.preparedResponse.status)"
  }

  /// The forms of generated values by the suite's words.
  static func expect(_ value: JSONNode, _ kind: String) throws {
    let uuid = "[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"
    let patterns = [
      "integer": "-?\\d+", "decimal number": "\\d+\\.\\d+", "hexadecimal number": "[0-9A-F]{6}",
      "random string": "[A-Za-z0-9]{6}", "string from the regex": "\\d{1,8}", "date": "\\d{4}-\\d{2}-\\d{2}",
      "time": "\\d{2}:\\d{2}:\\d{2}", "date-time": "\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}", "UUID": uuid,
      "simple UUID": "[0-9a-f]{32}", "lower-case-hyphenated UUID": uuid,
      "upper-case-hyphenated UUID": uuid.replacing("a-f", with: "A-F").replacing("[89ab]", with: "[89AB]"),
      "URN UUID": "urn:uuid:\(uuid)", "boolean": "true|false",
    ]
    let pattern = try #require(patterns[kind], "no kind \(kind)")
    #expect(try Regex(pattern).wholeMatch(in: value.string ?? value.line) != nil, "\(value.line) is no \(kind)")
    if ["integer", "decimal number"].contains(kind) { #expect(value.number != nil) }
    if kind == "boolean" { #expect(value.bool != nil) }
  }
}
