import MPaaSProject
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("Answers to a template's questions") struct TemplateAnswersTests {
  private static let manifest = """
    [variables.title]
    default = "{{name}}!"
    option = "title"
    pattern = "[A-Za-z!]*"
    [variables.slug]
    default = "{{lowercased(title)}}"
    [variables.flag]
    type = "bool"
    default = true
    [variables.kinds]
    type = "list"
    default = ["a", "b"]
    [variables.pick]
    type = "choice"
    choices = ["one", "二"]
    default = "one"
    """

  private func template(_ manifest: String = manifest) throws -> Template {
    let templates = try SampleTemplates()
    try templates.write("t", manifest, files: ["f": ""])
    return try templates.shelf.template("t", kind: .project)
  }

  private func values(_ template: Template, _ change: (inout TemplateAnswers) -> Void) throws -> TemplateValues {
    var answers = TemplateAnswers()
    change(&answers)
    let builtIn = BuiltInVariables(name: try ProjectName("Shop"), year: "2026", kitVersion: "1.0.0")
    return try template.values(builtIn, answers) { _ in nil }
  }

  @Test("count in this order: what was set, the option, what was recorded, the default")
  func order() throws {
    let template = try template()
    var answers = TemplateAnswers()
    func title() throws -> TemplateValue? { try values(template) { $0 = answers }["title"] }
    #expect(try title() == .text("Shop!"))
    answers.recorded["title"] = .text("Recorded")
    #expect(try title() == .text("Recorded"))
    answers.options["title"] = "Option"
    #expect(try title() == .text("Option"))
    answers.settings["title"] = "Set"
    #expect(try title() == .text("Set"))
  }

  @Test("that were recorded and no longer fit are passed over, those that were given are refused")
  func fitting() throws {
    let template = try template()
    #expect(
      try values(template) { $0.recorded = ["title": .text("a b"), "pick": .text("three")] }["pick"] == .text("one"))
    #expect(try values(template) { $0.recorded = ["flag": .text("true")] }["flag"] == .flag(true))
    #expect(try values(template) { $0.recorded = ["title": .text("1")] }["title"] == .text("Shop!"))
    for settings in [["title": "a b"], ["pick": "three"], ["pick": ""], ["flag": "maybe"]] {
      let error = #expect(throws: TemplateError.self) { try values(template) { $0.settings = settings } }
      #expect(error?.code == .answerWrong)
      #expect(error?.values["variable"] == settings.keys.first)
    }
  }

  @Test("make the defaults of those behind them")
  func chain() throws {
    #expect(try values(try template()) { $0.settings = ["title": "ABC"] }["slug"] == .text("abc"))
  }

  @Test(
    "say yes and no in several words, in any case",
    arguments: [
      ("true", true), ("YES", true), ("on", true), ("1", true), ("False", false), ("no", false), ("OFF", false),
      ("0", false), ("", false),
    ])
  func flags(answer: String, value: Bool) throws {
    #expect(try values(try template()) { $0.settings = ["flag": answer] }["flag"] == .flag(value))
  }

  @Test(
    "are lists by commas, with blanks behind them or not",
    arguments: [
      ("a,b", ["a", "b"]), ("a, b", ["a", "b"]), ("", []), ("中,文", ["中", "文"]), ("a,,b", ["a", "b"]), ("a b", ["a b"]),
    ])
  func lists(answer: String, list: [String]) throws {
    #expect(try values(try template()) { $0.settings = ["kinds": answer] }["kinds"] == .list(list))
  }

  @Test("to questions that nobody asked are refused, with the name that was probably meant")
  func unknown() throws {
    let error = #expect(throws: TemplateError.self) { try values(try template()) { $0.settings = ["tilte": "x"] } }
    #expect(error?.code == .answerUnknown)
    #expect(error?.values["suggestion"] == "title")
    #expect(error?.values["known"]?.contains("name_identifier") == true)
  }

  @Test("are asked for where there is no default, one after the other, and missing where nobody answers")
  func asking() throws {
    let template = try template("[variables.b]\n[variables.a]\npattern = \"[0-9]\"\n")
    let builtIn = BuiltInVariables(name: try ProjectName("Shop"), year: "2026", kitVersion: "1.0.0")
    var asked: [String] = []
    let values = try template.values(builtIn, TemplateAnswers()) { variable in
      asked.append(variable.name)
      return "7"
    }
    #expect(asked == ["b", "a"])
    #expect(values["a"] == .text("7"))
    let error = #expect(throws: TemplateError.self) { try template.values(builtIn, TemplateAnswers()) { _ in nil } }
    #expect(error == TemplateError(.answerMissing, ["variable": "b", "option": "--set b=…"]))
    #expect(throws: TemplateError.self) { try template.values(builtIn, TemplateAnswers()) { _ in "x" } }
  }

  @Test("with control characters, signs that turn the writing round, or without end are refused")
  func texts() throws {
    let template = try template("[variables.a]\n")
    for text in ["a\nb", "a\u{7}", "a\u{202e}b", "e\u{301}", String(repeating: "x", count: 4097)] {
      #expect(throws: TemplateError.self, "\(text.prefix(9))") { try values(template) { $0.settings = ["a": text] } }
    }
    let longest = String(repeating: "界", count: 1365)
    #expect(try values(template) { $0.settings = ["a": longest] }["a"] == .text(longest))
  }

  @Test("set the built-in variables that may be set, and only those")
  func builtIn() throws {
    let template = try template()
    let settings = ["name_identifier": "Other", "year": "1999", "author": "王", "lang": "zh-Hans", "objc": "true"]
    let changed = try values(template) { $0.settings = settings }
    #expect(changed["name"] == .text("Shop"))
    #expect(changed["name_identifier"] == .text("Other"))
    #expect(changed["name_identifier_lower"] == .text("other"))
    #expect(changed["author"] == .text("王"))
    #expect(changed["lang"] == .text("zh-Hans"))
    #expect(changed["objc"] == .flag(true))
    for settings in [["name": "x"], ["kit_path": "x"], ["name_identifier": "class"], ["author": "a\nb"]] {
      #expect(throws: TemplateError.self, "\(settings)") { try values(template) { $0.settings = settings } }
    }
  }

  @Test(
    "say whether it is Objective-C as other flags say it, and are refused where they say neither",
    arguments: [("TRUE", true), ("On", true), ("no", false), ("0", false), ("maybe", nil), ("objc", nil)])
  func objectiveC(answer: String, value: Bool?) throws {
    let template = try template()
    guard let value else {
      let error = #expect(throws: TemplateError.self) { try values(template) { $0.settings = ["objc": answer] } }
      #expect(error?.code == .answerWrong)
      return
    }
    #expect(try values(template) { $0.settings = ["objc": answer] }["objc"] == .flag(value))
  }

  @Test(
    "come back from JSON as they were, and nothing else is a value",
    arguments: [
      TemplateValue.text(""), .text("中文"), .flag(true), .flag(false), .list(["a", ""]), .list([]),
      .records([["a": "1", "b": "2"], [:]]),
    ])
  func json(value: TemplateValue) {
    #expect(TemplateValue(value.json) == value)
    for other in [JSONValue.null, 1, ["a": 1], [1], ["a", ["b": "c"]]] as [JSONValue] {
      #expect(TemplateValue(other) == nil, "\(other.line)")
    }
  }
}
