import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSProject

@Suite("Mustache texts") struct MustacheTextTests {
  static let values: TemplateValues = [
    "name": .text("Tom & Jerry"), "nothing": .text(""), "yes": .flag(true), "no": .flag(false),
    "list": .list(["b", "a", "c"]), "none": .list([]),
    "keys": .records([["key_name": "one"], ["key_name": "two"]]),
  ]

  struct Case: Sendable, CustomTestStringConvertible {
    let text: String
    let expected: String
    var testDescription: String { text }

    init(_ text: String, _ expected: String) {
      self.text = text
      self.expected = expected
    }
  }

  @Test(
    "say what mustache(5) says",
    arguments: [
      Case("{{name}}", "Tom & Jerry"), Case("{{{name}}}{{&name}}", "Tom & JerryTom & Jerry"),
      Case("{{xml(name)}}", "Tom &amp; Jerry"), Case("{{lowercased(xml(name))}}", "tom &amp; jerry"),
      Case("{{#yes}}a{{/yes}}{{#no}}b{{/no}}{{^no}}c{{/no}}", "ac"),
      Case("{{#nothing}}a{{/nothing}}{{^nothing}}b{{/nothing}}", "b"),
      Case("{{#name}}[{{.}}]{{/name}}", "[Tom & Jerry]"),
      Case("{{#list}}{{.}}{{^last()}}, {{/last()}}{{/list}}", "b, a, c"),
      Case("{{#sorted(list)}}{{index()}}{{.}}{{/sorted(list)}}", "0a1b2c"),
      Case("{{first(list)}}{{last(list)}}{{count(list)}}", "bc3"),
      Case("{{#none}}x{{/none}}{{^none}}y{{/none}}{{#empty(none)}}z{{/empty(none)}}", "yz"),
      Case("{{#keys}}{{key_name}}/{{name}};{{/keys}}", "one/Tom & Jerry;two/Tom & Jerry;"),
      Case("{{#yes}}{{#list}}{{#yes}}{{.}}{{/yes}}{{/list}}{{/yes}}", "truetruetrue"),
      Case("{{! a remark }}a{{=<% %>=}}<%name%>{{name}}", "aTom & Jerry{{name}}"),
      // Lines with nothing but structure go; others keep their white space.
      Case("a\n{{#yes}}\nb\n{{/yes}}\nc\n", "a\nb\nc\n"), Case("a\n  {{#yes}}  \n  b\n  {{/yes}}\n", "a\n  b\n"),
      Case("{{#yes}}\r\na\r\n{{/yes}}", "a\r\n"), Case("a\n{{! remark }}\nb", "a\nb"),
      Case("a {{#yes}}\nb{{/yes}}\n", "a \nb\n"), Case("{{#yes}}\n{{#no}}\nx\n{{/no}}\n{{/yes}}\ny", "y"),
      Case(" {{name}}\n", " Tom & Jerry\n"), Case("{{#no}}\nx\n{{/no}}", ""), Case("", ""), Case("{ {", "{ {"),
    ])
  func renders(_ sample: Case) throws {
    #expect(try MustacheText.render(sample.text, Self.values, file: "sample") == sample.expected)
  }

  @Test("that are broken are refused with their line, and never end the program")
  func broken() {
    for (text, line) in [
      ("a\n{{#yes}}", 2), ("{{/yes}}", 1), ("\n\n{{#yes}}{{/no}}", 3), ("{{name", 1), ("{{> part}}", 1), ("{{}}", 1),
      ("{{unknown}}", 1), ("\n{{odd name}}", 2), (String(repeating: "{{#yes}}", count: 17), 1),
    ] {
      let error = #expect(throws: TemplateError.self) { try MustacheText.render(text, Self.values, file: "sample") }
      #expect(error?.place == .text(file: "sample", line: line, column: nil), "\(text)")
    }
    var random = SeededRandom(seed: 11)
    let pieces = [
      "{{", "}}", "#", "/", "^", "yes", "list", "name", ".", "(", ")", "=", "!", "\n", " ", "{", "}", "é", "last()",
    ]
    for _ in 0..<SeededRandom.rounds(or: 3000) {
      let text = (0..<Int.random(in: 0..<24, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
      _ = try? MustacheText.render(text.joined(), Self.values, file: "sample")
    }
  }
}
