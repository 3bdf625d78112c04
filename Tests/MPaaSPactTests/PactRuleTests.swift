import MPaaSJSON
import MPaaSPact
import MPaaSSupport
import Testing

@Suite("Rules of contracts")
struct PactRuleTests {
  /// The differences of a body of JSON by rules, of a request.
  private func differences(_ rules: String, _ expected: String, _ actual: String) throws -> [String] {
    func request(_ body: String, _ rules: String = "{}") -> String {
      "{\"headers\": {\"Content-Type\": \"application/json\"}, \"body\": \(body), \"matchingRules\": {\"body\": \(rules)}}"
    }
    let pair = "{\"expected\": \(request(expected, rules)), \"actual\": \(request(actual))}"
    return try PactPair(Array(pair.utf8), file: "pair", .request, .v3).mismatches.map { "\($0.path) \($0.description)" }
  }

  private func rule(_ path: String, _ matchers: String, _ combine: String = "AND") -> String {
    "{\"\(path)\": {\"combine\": \"\(combine)\", \"matchers\": [\(matchers)]}}"
  }

  @Test(
    "weigh names twice and stars once",
    arguments: [
      ("$.a.b", "$.a.b", 8), ("$.a.*", "$.a.b", 4), ("$.*.b", "$.a.b", 4), ("$.a", "$.a.b", 4), ("$", "$.a.b", 2),
      ("$.c", "$.a.b", 0), ("$.a.b.c", "$.a.b", 0), ("$['a']['b']", "$.a.b", 8),
    ])
  func weights(_ path: String, _ place: String, _ weight: Int) throws {
    let tokens = try #require(PactPath(place)).tokens
    let steps = tokens.map { token -> PactPlace.Step in
      if case .field(let name) = token { .field(name) } else { .index(0) }
    }
    #expect(try #require(PactPath(path)).weight(at: PactPlace(steps: steps)) == weight)
  }

  @Test("hold for all or for any of them, as they are combined")
  func combinations() throws {
    let both = "{\"match\": \"type\"}, {\"match\": \"regex\", \"regex\": \"[a-z]+\"}"
    #expect(try differences(rule("$.a", both), "{\"a\": \"x\"}", "{\"a\": \"abc\"}").isEmpty)
    #expect(try differences(rule("$.a", both), "{\"a\": \"x\"}", "{\"a\": \"ABC\"}").count == 1)
    let either = "{\"match\": \"integer\"}, {\"match\": \"null\"}"
    #expect(try differences(rule("$.a", either, "OR"), "{\"a\": 1}", "{\"a\": null}").isEmpty)
    #expect(try differences(rule("$.a", either, "OR"), "{\"a\": 1}", "{\"a\": 2.5}").count == 1)
    #expect(
      try differences(
        rule("$.a", "{\"match\": \"type\"}, {\"match\": \"null\"}", "OR"), "{\"a\": {\"b\": 1}}", "{\"a\": null}"
      )
      .isEmpty)
  }

  @Test("hold patterns against the whole text, and say where one cannot be read")
  func patterns() throws {
    let digits = rule("$.a", "{\"match\": \"regex\", \"regex\": \"\\\\d{2}|x\"}")
    #expect(try differences(digits, "{\"a\": \"12\"}", "{\"a\": \"34\"}").isEmpty)
    #expect(try differences(digits, "{\"a\": \"12\"}", "{\"a\": \"345\"}").count == 1)
    let broken = rule("$.a", "{\"match\": \"regex\", \"regex\": \"(?=a)\"}")
    #expect(try differences(broken, "{\"a\": \"a\"}", "{\"a\": \"a\"}").first?.contains("cannot be used") == true)
    let slow = rule("$.a", "{\"match\": \"regex\", \"regex\": \"(a*)*b\"}")
    let text = String(repeating: "a", count: 50_000)
    #expect(try differences(slow, "{\"a\": \"b\"}", "{\"a\": \"\(text)\"}").count == 1)
  }

  @Test("compare numbers by their exact value")
  func numbers() throws {
    #expect(try differences("{}", "{\"a\": 9.45}", "{\"a\": 9.450}").isEmpty)
    #expect(try differences("{}", "{\"a\": 9007199254740993}", "{\"a\": 9007199254740992}").count == 1)
    #expect(try differences(rule("$.a", "{\"match\": \"decimal\"}"), "{\"a\": 1.5}", "{\"a\": 2.0}").isEmpty)
  }

  @Test("read bodies as deep as 512 and no deeper")
  func depth() throws {
    func nested(_ count: Int) -> String {
      String(repeating: "[", count: count) + String(repeating: "]", count: count)
    }
    let rules = rule("$", "{\"match\": \"type\"}")
    #expect(try differences(rules, nested(400), nested(400)).isEmpty)
    #expect(throws: PactError.self) { try differences(rules, nested(600), nested(600)) }
  }

  @Test(
    "know dates by Java's formats",
    arguments: [
      ("yyyy-MM-dd", "2026-02-28", true), ("yyyy-MM-dd", "2026-02-30", false), ("yyyy-MM-dd", "26-2-1", false),
      ("dd/MM/yy", "28/02/26", true), ("HH:mm:ss.SSS", "23:59:59.123", true), ("HH:mm:ss", "24:00:00", false),
      ("yyyy-MM-dd'T'HH:mm:ssXXX", "2026-01-01T00:00:00Z", true),
      ("yyyy-MM-dd'T'HH:mm:ssXXX", "2026-01-01T00:00:00+08:00", true),
      ("yyyy-MM-dd'T'HH:mm:ssXXX", "2026-01-01T00:00:00+0800", false),
      ("yyyy-MM-dd'T'HH:mm:ssZ", "2026-01-01T00:00:00+0800", true), ("EEE, d MMM yyyy", "Sat, 28 Nov 2026", true),
      ("h:mm a", "3:05 PM", true), ("h:mm a", "13:05 PM", false), ("HH:mm[:ss]", "12:30", true),
      ("HH:mm[:ss]", "12:30:15", true), ("yyyy-MM-dd HH:mm z", "2026-01-01 10:00 UTC", true),
    ])
  func dates(_ format: String, _ text: String, _ isDate: Bool) throws {
    #expect(try #require(DateFormat(format)).matches(text) == isDate)
  }

  @Test(
    "read and write a date of a format that has all its parts", arguments: [0, 951_782_400_123, -1, 1_795_867_565_000])
  func writtenDates(_ moment: Int) throws {
    let format = try #require(DateFormat("EEEE, d MMMM yyyy G D h:mm:ss.SSS a XXX"))
    #expect(format.matches(format.text(DateFormat.Moment(millisecondsSince1970: moment))))
    #expect(DateFormat.Moment(millisecondsSince1970: moment).millisecondsSince1970 == moment)
  }
}
