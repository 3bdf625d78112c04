import Foundation
import MPaaSProject
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("A template's manifest") struct TemplateManifestTests {
  static let whole = """
    name = "tabs"
    version = "1.2.0"
    kind = "project"
    description = { en = "Tabs", zh-Hans = "标签" }
    extends = "base"

    [variables.title]
    default = "{{name}}"
    [variables.bundle_id]
    default = "com.example.{{name_identifier_lower}}"
    pattern = "bundle-id"
    option = "bundle-id"
    prompt = { en = "Bundle identifier", zh-Hans = "应用包标识" }
    [variables.colours]
    type = "list"
    default = ["red", "green"]
    [variables.format]
    type = "choice"
    choices = ["16", "26.3"]
    default = "16"

    [[files]]
    path = "Package/Hotpatch/**"
    when = "hotpatch && !objc || format == 26.3"
    [[files]]
    path = "a.txt"
    to = "{{name}}.txt"
    [[register]]
    kind = "service"
    class = "X"
    lazyLoading = true
    """

  static func code(_ text: String) -> (id: String, line: Int?)? {
    do throws(TemplateError) {
      _ = try TemplateManifest(text, file: "template.toml")
      return nil
    } catch {
      guard case .text(_, let line, _)? = error.place else { return (error.code.id.name, nil) }
      return (error.code.id.name, line)
    }
  }

  @Test("is read with its variables in their order")
  func whole() throws {
    let manifest = try TemplateManifest(Self.whole, file: "template.toml")
    #expect(manifest.variables.map(\.name) == ["title", "bundle_id", "colours", "format"])
    #expect(manifest.variables[1].prompt?.text("zh-Hans") == "应用包标识")
    #expect(manifest.files.count == 2)
    #expect(manifest.files.last?.newPath == "{{name}}.txt")
    #expect(manifest.registrations.first?.fields == ["class": "X", "lazyLoading": "true"])
    #expect(manifest.base == "base")
  }

  @Test(
    "names the line of what is wrong",
    arguments: [
      ("name = 5", "template-field-type", 1),
      ("name = \"a\"\nkind = \"projekt\"", "template-field-word", 2),
      ("name = \"a/b\"", "template-field-text", 1),
      ("name = \"a\"\n[variables.x]\ntype = \"choice\"", "template-field-missing", 2),
      ("name = \"a\"\n[variables.x]\npattern = \"(\"", "template-expression", 3),
      ("name = \"a\"\n[variables.x]\npattern = \"bundel-id\"", "template-expression", 3),
      ("name = \"a\"\n[variables.year]\n", "template-field-word", 2),
      ("name = \"a\"\n[[files]]\npath = \"b\"\n[[files]]\npath = \"c\"\nwhen = \"a = b\"", "template-condition", 4),
      ("name = \"a\"\n[[register]]\nclass = \"c\"", "template-field-missing", 2),
      ("name = ", "toml-malformed", 1),
    ])
  func faults(text: String, code: String, line: Int) {
    let found = Self.code(text)
    #expect(found?.id == code)
    #expect(found?.line == line)
  }

  @Test("without a name is refused")
  func nameless() { #expect(Self.code("version = \"1\"")?.id == "template-field-missing") }

  @Test("never brings the reader down, whatever its bytes are")
  func fuzz() {
    var random = SeededRandom(seed: 63)
    let original = Array(Self.whole.utf8)
    let words = ["[", "]", "{{", "}}", "\"", "=", "\n", "[[files]]", "&&", "||", "\0", "é", "true", "999", "'''"]
    for _ in 0..<SeededRandom.rounds(or: 1500) {
      var bytes = original
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let at = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[at] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.removeSubrange(at..<min(bytes.count, at + 9))
        default: bytes.insert(contentsOf: Array((words.randomElement(using: &random) ?? "").utf8), at: at)
        }
        if bytes.isEmpty { break }
      }
      _ = try? TemplateManifest(String(decoding: bytes, as: UTF8.self), file: "template.toml")
    }
  }
}

@Suite("Conditions and patterns of templates") struct TemplateConditionTests {
  static let values: TemplateValues = [
    "on": .flag(true), "off": .flag(false), "text": .text("a b"), "empty": .text(""), "list": .list(["x", "y"]),
  ]

  @Test(
    "&& binds closer than ||, and words are compared as they stand",
    arguments: [
      ("on", true), ("!on", false), ("off || on", true), ("off && on || on", true), ("on && off", false),
      ("text == \"a b\"", true), ("text == a b", true), ("text != a", true), ("empty", false), ("!empty", true),
      ("list == x", true), ("list == z", false), ("nobody", false), ("on == true", true), ("nobody == ", true),
    ])
  func condition(text: String, holds: Bool) throws {
    #expect(try #require(TemplateCondition(text)).holds(Self.values) == holds)
  }

  @Test("what is no condition is none", arguments: ["", "a b", "a =", "a == \"b", "&&", "a &&", "(a)", "a === b", "!"])
  func malformed(text: String) { #expect(TemplateCondition(text) == nil) }

  @Test(
    "globs take parts and any number of them",
    arguments: [
      ("a/*.swift", "a/b.swift", true), ("a/*.swift", "a/b/c.swift", false), ("a/**", "a/b/c", true),
      ("**/c", "a/b/c", true), ("**/*.h", "x.h", true), ("a/**/d", "a/d", true), ("a/**/d", "a/b/c/d", true),
      ("a?c", "abc", true), ("a?c", "ac", false), ("{{x}}/**", "{{x}}/a", true), ("a", "b", false),
      ("*a*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaa", false),
    ])
  func glob(pattern: String, path: String, matches: Bool) { #expect(PathGlob(pattern).matches(path) == matches) }

  @Test(
    "values are checked by name or by expression",
    arguments: [
      ("bundle-id", "com.example.a-b", true), ("bundle-id", "com", false), ("bundle-id", "com..a", false),
      ("bundle-id", "com.1a", false), ("bundle-id", "com.é", false), ("type-name", "Order", true),
      ("type-name", "order", false), ("type-name", "String", false), ("identifier", "class", false),
      ("identifier", "a_1", true), ("path-component", "a/b", false), ("path-component", "..", false),
      ("url", "https://a.b", true), ("url", "a.b", false), ("[a-z]{2}", "ab", true), ("[a-z]{2}", "abc", false),
    ])
  func pattern(text: String, value: String, matches: Bool) throws {
    #expect(try #require(ValuePattern(text)).matches(value) == matches)
  }
}
