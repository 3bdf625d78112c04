import Foundation
import MPaaSSupport
import Testing

@testable import MPaaSServer

@Suite("The scrubber") struct ScrubberTests {
  private static func clean(_ text: String, _ rules: ScrubbingRules = ScrubbingRules()) -> String {
    let bytes = Array(text.utf8)
    let clean = bytes.withUnsafeBytes { Scrubber(rules).document($0) }
    return clean.map { String(decoding: $0, as: UTF8.self) } ?? text
  }

  @Test(
    "finds addresses, cards and secrets in texts, and nothing else",
    arguments: [
      ("mail to ann.b+c@mail.example.com, or call", "mail to [email], or call"),
      ("ann@example.com bob@example.org", "[email] [email]"),
      ("[INFO] ann@example.com", "[INFO] [email]"), (#"{"package":"a 1.2.3.4"}"#, #"{"package":"a 1.2.3.4"}"#),
      ("a@b", "a@b"), ("@Published var x", "@Published var x"), ("pkg@1.2.3", "pkg@1.2.3"),
      ("card 4111111111111111 declined", "card [card] declined"), ("4111 1111 1111 1111", "[card]"),
      ("4111-1111-1111-1111.", "[card]."), ("378282246310005", "[card]"), ("4111111111111112", "4111111111111112"),
      ("time 1732892677123 and 1732892677123456", "time 1732892677123 and 1732892677123456"),
      ("id a4111111111111111", "id a4111111111111111"),
      ("from 203.0.113.9:443", "from [ip]:443"), ("127.0.0.1 and 0.0.0.0", "127.0.0.1 and 0.0.0.0"),
      ("version 1.2.3", "version 1.2.3"), ("10.0.19041.1", "10.0.19041.1"), ("1.2.3.4.5", "1.2.3.4.5"),
      ("via 2001:db8::8a2e:370:7334 here", "via [ip] here"), ("fe80::1", "[ip]"),
      ("12:34:56 std::vector dead::beef", "12:34:56 std::vector dead::beef"),
      ("GET /pay?token=abc123&x=1", "GET /pay?token=[filtered]&x=1"),
      ("password=hunter2; next", "password=[filtered]; next"),
      ("if token == nil", "if token == nil"),
      ("Authorization: Bearer abcdefghijkl", "Authorization: Bearer [filtered]"),
      ("postgres://ann:pw@db.example.com/x", "postgres://[filtered]@db.example.com/x"),
      (
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N", "[filtered]"
      ),
    ])
  func texts(_ text: String, _ clean: String) {
    #expect(Scrubber(ScrubbingRules()).text(text) == clean)
  }

  @Test(
    "takes out the values of keys that name secrets, in each form that SDKs have",
    arguments: [
      (#"{"password":"x","n":1}"#, #"{"password":"[filtered]","n":1}"#),
      (#"{"apiKey": 12, "user_token":"t"}"#, #"{"apiKey": "[filtered]", "user_token":"[filtered]"}"#),
      (
        #"{"cookies":{"a":"b","c":["d",1,null]}}"#,
        #"{"cookies":{"a":"[filtered]","c":["[filtered]","[filtered]",null]}}"#
      ),
      (
        #"{"headers":[["Authorization","Basic x"],["Accept","a"]]}"#,
        #"{"headers":[["Authorization","[filtered]"],["Accept","a"]]}"#
      ),
      (
        #"{"tags":[{"key":"secret","value":"v"},{"key":"a","value":"v"}]}"#,
        #"{"tags":[{"key":"secret","value":"[filtered]"},{"key":"a","value":"v"}]}"#
      ),
      (#"["token","b","c"]"#, #"["token","b","c"]"#),
      (#"{"author":"x","tokenizer":"y"}"#, #"{"author":"x","tokenizer":"y"}"#),
      (#"{"password":"a\"b\\","x":"ann@example.com\ncafé"}"#, #"{"password":"[filtered]","x":"[email]\ncafé"}"#),
      (#"{"m":"a\nann@example.com"}"#, #"{"m":"a\n[email]"}"#),
    ])
  func keys(_ text: String, _ clean: String) {
    #expect(Self.clean(text) == clean)
  }

  @Test("leaves the names that a person has on purpose, and the names of code")
  func kept() {
    let event = """
      {"user":{"id":"ann@example.com","email":"ann@example.com","ip_address":"203.0.113.9","data":{"m":"b@c.de"}},
      "exception":{"values":[{"value":"for ann@example.com","stacktrace":{"frames":[{"filename":"/x/react@18.2.js",
      "function":"a@b.cd","vars":{"token":"t"}}]}}]},"release":"a@1.2.3.4","modules":{"secrets":"1.2.3.4"}}
      """
    let clean = Self.clean(event)
    let expected =
      event.replacingOccurrences(of: "203.0.113.9", with: "[ip]").replacingOccurrences(of: "b@c.de", with: "[email]")
      .replacingOccurrences(of: "for ann@example.com", with: "for [email]")
      .replacingOccurrences(of: #""token":"t""#, with: #""token":"[filtered]""#)
    #expect(clean == expected)
  }

  @Test("follows the rules of an app: other kinds, further keys, keys that stay")
  func rules() {
    var rules = ScrubbingRules()
    rules.builtin = [.email]
    rules.keys = ["x-*"]
    rules.keep = ["Contact"]
    let event = #"{"X-Session":"s","contact":"a@b.cd","m":"a@b.cd 203.0.113.9","password":"p"}"#
    let clean = #"{"X-Session":"[filtered]","contact":"a@b.cd","m":"[email] 203.0.113.9","password":"p"}"#
    #expect(Self.clean(event, rules) == clean)
    rules.builtin = []
    rules.keys = []
    #expect(Self.clean(event, rules) == event)
  }

  @Test("keeps documents whole: what comes out is JSON where JSON went in, and once is as good as twice")
  func whole() throws {
    var random = SystemRandomNumberGenerator()
    let pieces = [
      "{", "}", "[", "]", ",", ":", "\"password\"", "\"a@b.cd\"", "\"\\n4111111111111111\"", "12", "-1.5e3", "null",
      "\"",
      "\\", " ", "\u{e9}", "\"user\"", "\"value\"", "\"key\"", "true",
    ]
    for _ in 0..<20_000 {
      let count = Int.random(in: 1...24, using: &random)
      let text = (0..<count).map { _ in pieces[Int.random(in: pieces.indices, using: &random)] }.joined()
      let clean = Self.clean(text)
      #expect(Self.clean(clean) == clean, "\(text)")
      guard Self.isJSON(text) else { continue }
      #expect(Self.isJSON(clean), "\(text) \(clean)")
    }
  }

  private static func isJSON(_ text: String) -> Bool {
    (try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)) != nil
  }

  @Test("goes through levels of any depth")
  func deep() {
    let deep = String(repeating: "[", count: 100_000) + "\"a@b.cd\"" + String(repeating: "]", count: 100_000)
    #expect(Self.clean(deep) == deep.replacingOccurrences(of: "a@b.cd", with: "[email]"))
  }
}
