import MPaaSJSON
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSProject

@Suite("Mustache over any text") struct MustachePropertyTests {
  /// Texts of lines with all that people write in files, but no tags.
  private static func texts(_ count: Int, seed: UInt64) -> [String] {
    var random = SeededRandom(seed: seed)
    let pieces = [
      "let a = 1", "{", "}", "{ {", "中文", "e\u{301}", "🙂", " ", "\t", "\n", "\r\n", "\n\n", "$x", "#", "/", "\\", "\"",
      "'",
      "<%", "%>", "&", "<b>",
    ]
    return (0..<count).map { _ in
      (0..<Int.random(in: 0..<14, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
    }.filter { !$0.contains("{{") && !$0.hasSuffix("{") }
  }

  private func render(_ text: String, _ values: TemplateValues = MustacheTextTests.values) throws -> String {
    try MustacheText.render(text, values, file: "sample")
  }

  @Test("a text without tags comes out as it went in, to the byte")
  func unchanged() throws {
    for text in Self.texts(400, seed: 41) {
      #expect(Array(try render(text).utf8) == Array(text.utf8))
      // With a tag somewhere the long way is gone.
      #expect(Array(try render(text + "{{nothing}}").utf8) == Array(text.utf8))
    }
  }

  @Test("lines between the lines of a section that holds come out as they stand, and not at all where it does not")
  func sections() throws {
    for text in Self.texts(300, seed: 42) {
      #expect(try render("{{#yes}}\n\(text)\n{{/yes}}\n") == text + "\n")
      #expect(try render("{{^no}}\n\(text)\n{{/no}}\n") == text + "\n")
      #expect(try render("{{#no}}\n\(text)\n{{/no}}\n") == "")
      #expect(try render("a{{^yes}}\(text){{/yes}}b") == "ab")
    }
  }

  @Test("of a section and its opposite just one stands, whatever the value is")
  func opposites() throws {
    for (name, value) in MustacheTextTests.values.sorted(by: { $0.key < $1.key }) {
      let text = try render("{{#\(name)}}1{{/\(name)}}{{^\(name)}}0{{/\(name)}}")
      switch value {
      case .list(let list) where !list.isEmpty: #expect(text == String(repeating: "1", count: list.count))
      case .records(let records) where !records.isEmpty: #expect(text == String(repeating: "1", count: records.count))
      default: #expect(text == (value.isSomething ? "1" : "0"), "\(name)")
      }
    }
  }

  @Test("elements know their place in lists of any length")
  func places() throws {
    for count in 0..<7 {
      let list = (0..<count).map { "e\($0)" }
      let values: TemplateValues = ["list": .list(list)]
      #expect(try render("{{#list}}{{.}}{{^last()}}, {{/last()}}{{/list}}", values) == list.joined(separator: ", "))
      #expect(
        try render("{{#list}}{{#first()}}^{{/first()}}{{index()}}{{/list}}", values)
          == (count > 0 ? "^" : "") + (0..<count).map(String.init).joined())
      let parity = (0..<count).map { $0 % 2 == 0 ? "e" : "o" }.joined()
      #expect(try render("{{#list}}{{#even()}}e{{/even()}}{{#odd()}}o{{/odd()}}{{/list}}", values) == parity)
      #expect(try render("{{count(list)}}", values) == String(count))
      #expect(try render("{{reversed(list)}}", values) == list.reversed().joined(separator: ", "))
    }
  }

  @Test("an inner list counts by itself, and the outer one goes on behind it")
  func nested() throws {
    let values: TemplateValues = ["a": .list(["1", "2"]), "b": .list(["x", "y", "z"]), "t": .text("!")]
    #expect(
      try render("{{#a}}{{.}}{{#b}}{{.}}{{index()}}{{/b}}{{index()}}{{^last()}};{{/last()}}{{/a}}", values)
        == "1x0y1z20;2x0y1z21")
    #expect(try render("{{#a}}{{#t}}{{.}}{{/t}}{{.}}{{/a}}", values) == "!1!2")
  }

  @Test("a record's fields hide the names outside it, and only inside it")
  func records() throws {
    let values: TemplateValues = [
      "key_name": .text("outer"), "keys": .records([["key_name": "a", "key_id": "1"], ["key_name": "b"]]),
    ]
    #expect(
      try render("{{key_name}}{{#keys}}[{{key_name}}{{key_id}}]{{/keys}}{{key_name}}", values) == "outer[a1][b]outer")
  }

  @Test("what is escaped for JSON, Swift and the shell is read as it was")
  func escapes() throws {
    let texts = ["a\"b", "a\\", "\\\"", "中文 “x”", "a'b", "$HOME `x`", "!", "", "a  b", "-n", "*", "ü"]
    for text in texts {
      let values: TemplateValues = ["name": .text(text)]
      for transform in ["json", "swift", "objc"] {
        let literal = try render("\"{{\(transform)(name)}}\"", values)
        #expect(try JSONSource(Array(literal.utf8), file: "x").root.string == text, "\(transform) \(literal)")
      }
    }
    var values: TemplateValues = [:]
    for (index, text) in texts.enumerated() { values["v\(index)"] = .text(text) }
    let words = texts.indices.map { "{{shell(v\($0))}}" }.joined(separator: " ")
    let outcome = try Command.run("sh", ["-c", try render("printf '[%s]\\n' " + words, values)])
    #expect(outcome.output == texts.map { "[\($0)]\n" }.joined())
  }

  @Test("markup has no sign of its own left in a text that is escaped for it")
  func markup() throws {
    let values: TemplateValues = ["name": .text("<a href=\"x\">Tom & 'Jerry'</a>")]
    let text = try render("{{xml(name)}}", values)
    #expect(!text.contains { "<>\"".contains($0) })
    #expect(try render("{{lowercased(name)}}{{uppercased(name)}}", values).contains("TOM & 'JERRY'"))
    #expect(try render("{{camel(n)}}{{type(n)}}", ["n": .text("Order list")]) == "order listOrderList")
  }

  @Test("an unknown name is told with the line that it stands on, counted from where the text begins")
  func lines() throws {
    for (line, ending) in (1...40).map({ ($0, $0 % 2 == 0 ? "\n" : "\r\n") }) {
      let text = String(repeating: "{{name}} 中\(ending)", count: line - 1) + "{{nmae}}\(ending){{name}}"
      for first in [1, 7] {
        let error = #expect(throws: TemplateError.self) {
          try MustacheText.render(text, MustacheTextTests.values, file: "f", firstLine: first)
        }
        #expect(error?.place == .text(file: "f", line: line + first - 1, column: nil))
        #expect(error?.values["suggestion"] == "name")
      }
    }
  }

  @Test("sections may lie sixteen deep, and no deeper")
  func depth() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "{{#yes}}", count: depth) + "x" + String(repeating: "{{/yes}}", count: depth)
    }
    #expect(try render(nested(16)) == "x")
    #expect(throws: TemplateError.self) { try render(nested(17)) }
  }

  @Test("a section that is closed by another name, or twice, is refused")
  func closing() throws {
    for text in ["{{#yes}}{{#no}}{{/yes}}{{/no}}", "{{#yes}}{{/yes}}{{/yes}}", "{{#first(list)}}{{/list}}"] {
      let error = #expect(throws: TemplateError.self) { try render(text) }
      #expect(error?.code == .tag, "\(text)")
    }
  }
}
