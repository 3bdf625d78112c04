import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSLanguages

@Suite("A .stringsdict file") struct StringsDictionaryTests {
  private static let head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<plist version=\"1.0\">\n<dict>\n"

  /// A file with one key, whose value has these members.
  private func read(_ members: String) throws -> StringsDictionary {
    let text = Self.head + "<key>k</key><dict>\(members)</dict>\n</dict>\n</plist>\n"
    return try StringsDictionary(Array(text.utf8), file: "a.stringsdict")
  }

  private static func variable(_ name: String, _ forms: [String], type: String = "d") -> String {
    let all = forms.map { "<key>\($0)</key><string>%\(type) \($0)</string>" }.joined()
    return "<key>\(name)</key><dict><key>NSStringFormatSpecTypeKey</key><string>NSStringPluralRuleType</string>"
      + "<key>NSStringFormatValueTypeKey</key><string>\(type)</string>\(all)</dict>"
  }

  private static func format(_ text: String) -> String {
    "<key>NSStringLocalizedFormatKey</key><string>\(text)</string>"
  }

  @Test("has the forms of each variable, and its type")
  func forms() throws {
    let file = try read(Self.format("%#@n@") + Self.variable("n", ["one", "other"], type: "lld"))
    let text = try #require(file.entries.first?.text)
    #expect(text.substitutions == [.init(name: "n", argument: nil, specifier: "lld")])
    #expect(
      text.variants.map(\.path) == [
        [], [.substitution("n"), .plural("one")], [.substitution("n"), .plural("other")],
      ])
    #expect(file.findings.isEmpty)
  }

  @Test("leaves out what is no form and no variable")
  func others() throws {
    let members = Self.format("%#@n@") + Self.variable("n", ["other", "several"]) + "<key>x</key><string>y</string>"
    let text = try #require(try read(members).entries.first?.text)
    #expect(text.variants.map(\.path) == [[], [.substitution("n"), .plural("other")]])
    #expect(text.substitutions.map(\.name) == ["n"])
  }

  @Test("tells of a variable without the form that all numbers have")
  func noOther() throws {
    let findings = try read(Self.format("%#@n@") + Self.variable("n", ["one"])).findings
    #expect(findings.map(\.kind) == [.pluralMissing])
    #expect(findings.first?.details == ["form": "n.other"])
  }

  @Test("tells of variables that its texts name and that are not there")
  func noVariable() throws {
    let findings = try read(Self.format("%#@n@ %#@m@") + Self.variable("n", ["other"])).findings
    #expect(findings.map(\.kind) == [.variableMissing])
    #expect(findings.first?.details == ["variable": "m"])
  }

  @Test("has texts by width and by device")
  func rules() throws {
    let members =
      "<key>NSStringVariableWidthRuleType</key><dict><key>20</key><string>short</string></dict>"
      + "<key>NSStringDeviceSpecificRuleType</key><dict><key>iphone</key><string>phone</string></dict>"
    let text = try #require(try read(members).entries.first?.text)
    #expect(text.variants.map(\.path) == [[.width("20")], [.device("iphone")]])
    #expect(text.variants.map(\.value) == ["short", "phone"])
  }

  @Test(
    "has no entry for a key that says nothing",
    arguments: ["", "<key>a</key><dict/>", "<key>a</key><integer>1</integer>"])
  func nothing(members: String) throws {
    #expect(try read(members).entries.isEmpty)
  }

  @Test("is written so that it says the same")
  func roundTrip() throws {
    let file = try read(
      Self.format("&lt;b&gt; %#@n@ &amp; %#@m@") + Self.variable("n", ["zero", "other"])
        + Self.variable("m", ["other"], type: "lu"))
    let bytes = try StringsDictionary.bytes(file.entries, file: "b.stringsdict")
    let again = try StringsDictionary(bytes, file: "b.stringsdict")
    #expect(again.entries.map(\.key) == ["k"])
    #expect(again.entries.first?.text.variants == file.entries.first?.text.variants)
    #expect(again.entries.first?.text.substitutions == file.entries.first?.text.substitutions)
  }

  @Test("has forms of a text that is nothing but them, by the type of its number")
  func plainForms() throws {
    let text = LocalizedText(
      [.init([.plural("one")], "%lu apple"), .init([.plural("other")], "%lu apples")], .translated)
    let bytes = try StringsDictionary.bytes([("k", text)], file: "a")
    let again = try #require(try StringsDictionary(bytes, file: "a").entries.first?.text)
    #expect(again.value == "%#@value@")
    #expect(again.substitutions.map(\.specifier) == ["lu"])
  }

  @Test("has no place for forms below a device")
  func notExpressible() {
    let text = LocalizedText([.init([.device("iphone"), .plural("one")], "x")], .translated)
    #expect(throws: LanguageError(.notExpressible, ["key": "k", "format": "stringsdict"])) {
      try StringsDictionary.bytes([("k", text)], file: "a")
    }
  }

  @Test("never stops the reader, whatever bytes stand there")
  func mutations() throws {
    var random = SeededRandom(seed: 22)
    let members = Self.format("%#@n@") + Self.variable("n", ["one", "other"])
    let original = Array((Self.head + "<key>k</key><dict>\(members)</dict>\n</dict>\n</plist>\n").utf8)
    for _ in 0..<SeededRandom.rounds(or: 400) {
      guard let file = try? StringsDictionary(mutated(original, &random), file: "a") else { continue }
      _ = try? StringsDictionary.bytes(file.entries, file: "a")
    }
  }
}
