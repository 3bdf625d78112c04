import Foundation
import MPaaSProject
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("The check of a template") struct TemplateCheckTests {
  private func check(_ manifest: String, files: [String: String] = ["f": ""]) throws -> TemplateCheck {
    let templates = try SampleTemplates()
    return TemplateCheck(folder: try templates.write("t", manifest, files: files)) { (name) throws(TemplateError) in
      throw TemplateError(.unknown, ["name": name])
    }
  }

  @Test("finds nothing in a template that is right")
  func right() throws {
    let manifest = "[variables.a]\ndefault = \"x\"\n[[files]]\npath = \"f\"\nwhen = \"a\"\n"
    let check = try check(manifest, files: ["f.mustache": "{{a}} {{name}}\n{{#objc}}\nx\n{{/objc}}\n"])
    #expect(check.faults.map(\.code.id) == [])
    #expect(check.doubts.map(\.code.id) == [])
    #expect(check.template?.knownNames.contains("a") == true)
  }

  @Test(
    "finds nothing in the kit's own templates",
    arguments: [
      "base", "framework", "single", "tabs", "pieces/dao", "pieces/interceptor", "pieces/micro-app", "pieces/model",
      "pieces/module", "pieces/service", "pieces/singleton", "pieces/view-controller",
    ])
  func own(name: String) {
    let root = Fixture.package.appending(path: "templates").path
    let check = TemplateCheck(folder: root + "/" + name) { base in root + "/" + base }
    #expect(check.faults.map { "\($0)" } == [])
    #expect(check.doubts.map { "\($0)" } == [])
  }

  @Test(
    "finds each fault",
    arguments: [
      ("", ["f.mustache": "{{nmae}}"], ["template-variable-unknown"]),
      ("", ["{{nmae}}.swift": ""], ["template-variable-unknown"]),
      ("", ["f.mustache": "{{#name}}", "g.mustache": "{{/x}}"], ["template-tag", "template-tag"]),
      ("[[files]]\npath = \"f\"\nwhen = \"hott\"\n", ["f": ""], ["template-variable-unknown"]),
      ("[variables.a]\ndefault = \"{{nmae}}\"\n", ["f.mustache": "{{a}}"], ["template-variable-unknown"]),
      ("[variables.a]\ndefault = \"X\"\npattern = \"[a-z]\"\n", ["f.mustache": "{{a}}"], ["template-answer-wrong"]),
      (
        "[variables.a]\ntype = \"choice\"\nchoices = [\"x\"]\ndefault = \"y\"\n", ["f.mustache": "{{a}}"],
        ["template-answer-wrong"]
      ),
      ("[[register]]\nkind = \"service\"\nname = \"{{nmae}}\"\n", ["f": ""], ["template-variable-unknown"]),
      ("[[files]]\npath = \"f\"\nto = \"../{{name}}\"\n", ["f": ""], ["template-path"]),
      ("[[files]]\npath = \"f\"\nto = \"g\"\n", ["f": "", "g": ""], ["template-path-clash"]),
      ("kind = \"projekt\"\n", ["f": ""], ["template-field-word"]),
      ("extends = \"nobody\"\n", ["f": ""], ["template-unknown"]),
    ] as [(String, [String: String], [String])])
  func faults(manifest: String, files: [String: String], codes: [String]) throws {
    #expect(try check(manifest, files: files).faults.map(\.code.id.name) == codes)
  }

  @Test("doubts what does nothing: a rule for no file, a variable that nobody uses")
  func doubts() throws {
    let manifest = """
      [variables.used]
      default = "1"
      [variables.idle]
      default = "2"
      [variables.inPath]
      default = "3"
      [variables.inRule]
      default = "4"
      [variables.inDefault]
      default = "5"
      [variables.last]
      default = "{{inDefault}}"
      [[files]]
      path = "nothing/**"
      [[files]]
      path = "f"
      when = "inRule"
      """
    let check = try check(manifest, files: ["f.mustache": "{{used}}{{last}}", "{{inPath}}.txt": ""])
    #expect(check.faults.map(\.code.id.name) == [])
    #expect(check.doubts.map(\.code.id.name) == ["template-rule-idle", "template-variable-idle"])
    #expect(check.doubts.last?.values["variable"] == "idle")
  }
}
