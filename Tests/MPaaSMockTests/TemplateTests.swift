import MPaaSJSON
import MPaaSMock
import MPaaSTestSupport
import Testing

@Suite("Templates") struct TemplateTests {
  private static func text(_ template: String) throws -> String {
    let body = #"{"a":{"b":[1,2,3]},"name":"Momo"}"#
    let world = MockWorld(now: { 1_700_000_000.5 }, random: MockRandom(seed: 7))
    let library = StubLibrary(world)
    var response = ResponseDefinition(body: .text(template))
    response.transformers = ["response-template"]
    try library.add(StubMapping(RequestPattern(), response))
    let request = MockRequest(
      "POST", "/pets/7?tag=x&tag=y", headers: [("X-Id", "h"), ("Cookie", "c=1")], body: Array(body.utf8))
    guard case .answer(let answer, _) = StubSource(library).answer(request, at: 1_700_000_000.5) else { return "none" }
    return String(decoding: answer.body, as: UTF8.self)
  }

  @Test(
    "show what their helpers make",
    arguments: [
      ("{{request.method}} {{request.path}} {{request.pathSegments.[1]}}", "POST /pets/7 7"),
      ("{{request.query.tag}} {{request.query.tag.[1]}} {{request.headers.x-id}} {{request.cookies.c}}", "x y h 1"),
      ("{{jsonPath request.body '$.name'}} {{jsonPath request.body '$.a.b[*]'}}", "Momo [1,2,3]"),
      ("{{#each (jsonPath request.body '$.a.b') as |v|}}{{v}}{{#unless @last}},{{/unless}}{{/each}}", "1,2,3"),
      ("{{#if (eq 1 1)}}yes{{else}}no{{/if}}{{#eq 'a' 'b'}}x{{else}}y{{/eq}}", "yesy"),
      ("{{now format='yyyy-MM-dd HH:mm:ss'}} {{now offset='3 days' format='dd'}}", "2023-11-14 22:13:20 17"),
      ("{{date (parseDate '2020-01-31T00:00:00Z') offset='1 months' format='yyyy-MM-dd'}}", "2020-02-29"),
      ("{{date (truncateDate (parseDate '2021-06-14T12:13:14Z') 'first day of month')}}", "2021-06-01T00:00:00Z"),
      ("{{math 1 '+' 2}} {{size 'abc'}} {{trim '  a '}} {{upper 'a'}}", "3 3 a A"),
      ("{{regexExtract 'abc-12' '([a-z]+)-([0-9]+)' 'p'}}{{p.1}}{{p.0}}", "12abc"),
      ("{{base64 'hi'}} {{base64 'aGk=' decode=true}} {{urlEncode 'a b&c'}}", "aGk= hi a+b%26c"),
      (
        "{{arrayJoin ',' (arrayAdd (array 1 2) 3)}} {{arrayJoin '-' (arrayRemove (array 1 2 3) position=0)}}",
        "1,2,3 2-3"
      ),
      ("{{jsonMerge '{\"a\":1}' '{\"b\":2}'}} {{jsonRemove '{\"a\":1,\"b\":2}' '$.a'}}", #"{"a":1,"b":2} {"b":2}"#),
      ("{{jsonArrayAdd '[1]' '2'}} {{jsonSort '[{\"n\":2},{\"n\":1}]' '$[*].n'}}", #"[1,2] [{"n":1},{"n":2}]"#),
      ("{{xPath '<a><b>c</b></a>' '/a/b/text()'}} {{#matches 'ab' 'a.'}}m{{/matches}}", "c m"),
      ("{{val 'x' assign='v'}}{{v}} {{#contains 'abc' 'b'}}in{{/contains}}", "x in"),
      ("a {{~! comment ~}} b{{{request.method}}}", "abPOST"),
      ("{{formData 'a=1&a=2&b=x%20y' 'f' urlDecode=true}}{{f.a.1}} {{f.b}}", "2 x y"),
      ("{{systemValue key='PATH'}}", "[ERROR: access to PATH is denied]"),
    ])
  func helpers(_ template: String, _ expected: String) throws {
    #expect(try Self.text(template) == expected)
  }

  @Test("end after 100 ms")
  func limit() throws {
    let loop = "{{#each (range 1 9999)}}"
    let clock = ContinuousClock()
    let start = clock.now
    let text = try Self.text(loop + loop + loop + "x" + "{{/each}}{{/each}}{{/each}}")
    #expect(text.contains("[ERROR: "))
    #expect(clock.now - start < .seconds(5))
  }

  @Test(
    "that are broken are refused with their line",
    arguments: ["{{", "{{#if a}}", "{{/if}}", "{{a 'b}}", "{{#each}}{{else}}{{else}}{{/each}}", "{{!-- a"])
  func broken(_ template: String) { #expect(throws: TemplateError.self) { try Template(template) } }
}

@Suite("Java's regular expressions") struct JavaPatternTests {
  @Test(
    "take texts as a whole",
    arguments: [
      ("[a-z]+", "abc", true), ("[a-z]+", "abc1", false), ("a|bc", "bc", true), ("(?i)ABC", "abc", true),
      ("(?!x)[a-z]+", "abc", true), ("(?!x)[a-z]+", "xbc", false), ("(a+)\\1", "aaaa", true),
      ("(a+)\\1b", "aaa", false),
      (".*(?<=c)d", "abcd", true), ("[a-z&&[^b]]+", "ac", true), ("[a-z&&[^b]]+", "ab", false), ("a++a", "aaa", false),
      ("\\Qa.b\\E", "a.b", true), ("\\Qa.b\\E", "axb", false), ("a.b", "a\nb", true), ("(?-s)a.b", "a\nb", false),
      ("^/v[0-9]{1,2}/x$", "/v12/x", true), ("\\p{Lu}\\p{L}*", "Äb", true), ("(?<y>\\d{4})-\\k<y>", "2020-2020", true),
    ])
  func whole(_ pattern: String, _ text: String, _ isMatch: Bool) throws {
    #expect(try JavaPattern(pattern).matches(text) == isMatch)
  }

  @Test("give up where going back would take forever")
  func bounded() throws {
    let start = ContinuousClock.now
    #expect(try !JavaPattern("(?=x|a)(a+)+b").matches(String(repeating: "a", count: 200)))
    #expect(ContinuousClock.now - start < .seconds(10))
  }
}
