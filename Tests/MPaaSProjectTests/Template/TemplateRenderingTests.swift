import Foundation
import MPaaSArchive
import MPaaSProject
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("Rendering a template") struct TemplateRenderingTests {
  static func code(_ work: () throws -> Void) -> String? {
    do {
      try work()
      return nil
    } catch {
      return (error as? TemplateError)?.code.id.name
    }
  }

  @Test("names, conditions, renames and files that are copied")
  func whole() throws {
    let sample = try SampleTemplates()
    let manifest = """
      [variables.hot]
      type = "bool"
      default = false
      [[files]]
      path = "hot/**"
      when = "hot"
      [[files]]
      path = "r.txt"
      to = "renamed/{{name_bundle}}.txt"
      """
    try sample.write(
      "t", manifest,
      files: [
        "{{name_identifier}}/a.swift.mustache": "let a = \"{{swift(name)}}\" // {{xml(name)}} {{year}}\n",
        "hot/x": "x", "r.txt": "r", "raw.txt": "{{name}}",
        "d.mustache": "{{#hot}}\nyes\n{{/hot}}\n{{^hot}}\nno\n{{/hot}}\n{{=<% %>=}}\n${{ x }} <% name %>\n",
      ])
    let tree = try sample.render("t", as: "Tom & co")
    #expect(tree.paths == ["TomCo/a.swift", "d", "raw.txt", "renamed/Tom-co.txt"])
    #expect(tree.text("TomCo/a.swift") == "let a = \"Tom & co\" // Tom &amp; co 2026\n")
    #expect(tree.text("raw.txt") == "{{name}}")
    #expect(tree.text("d") == "no\n${{ x }} Tom & co\n")
    #expect(try sample.render("t", set: ["hot": "yes"]).paths.contains("hot/x"))
  }

  @Test("a template's files replace those of the one that it extends")
  func extends() throws {
    let sample = try SampleTemplates()
    try sample.write(
      "base", "abstract = true\n[variables.a]\ndefault = \"1\"", files: ["x": "old", "y.mustache": "{{a}}"])
    try sample.write("t", "extends = \"base\"\n[variables.a]\ndefault = \"2\"", files: ["x.mustache": "{{a}}!"])
    let tree = try sample.render("t")
    #expect(tree.text("x") == "2!")
    #expect(tree.text("y") == "2")
    #expect(sample.shelf.entries().map(\.manifest.name) == ["t"])
    try sample.write("loop", "extends = \"loop\"")
    #expect(Self.code { _ = try sample.render("loop") } == "template-extends-itself")
    #expect(Self.code { _ = try sample.render("tt") } == "template-unknown-near")
  }

  @Test(
    "tags that cannot be rendered are named with their line",
    arguments: [
      ("a\n{{name", "template-tag", 2), ("{{#name}}", "template-tag", 1), ("a\n\n{{/name}}", "template-tag", 3),
      ("{{> partial}}", "template-tag", 1), ("{{< parent}}{{/parent}}", "template-tag", 1),
      ("a\n{{nmae}}", "template-variable-unknown", 2), ("{{upper(name)}}", "template-variable-unknown", 1),
      (String(repeating: "{{#name}}", count: 40), "template-tag", 1), ("{{% CONTENT_TYPE:HTML}}", "template-tag", 1),
      ("{{=a}}", "template-tag", 1),
    ])
  func tags(text: String, code: String, line: Int) throws {
    let sample = try SampleTemplates()
    try sample.write("t", "", files: ["f.mustache": text])
    let error = #expect(throws: TemplateError.self) { try sample.render("t") }
    #expect(error?.code.id.name == code)
    guard case .text(let file, let found, _)? = error?.place else { return }
    #expect(file.hasSuffix("f.mustache"))
    #expect(found == line)
  }

  @Test(
    "paths that lead elsewhere are refused",
    arguments: ["../x", "/x", "a/../../x", ".git/hooks/post-checkout", "a\u{7}b", "a\\b", "", "a//b", "a:b", "CON|x"])
  func paths(path: String) {
    var tree = RenderedTree()
    #expect(Self.code { try tree.add(.init(bytes: []), at: path, origin: "t") } == "template-path")
  }

  @Test("names that are one on some file systems are refused", arguments: ["A", "a/b", "É"])
  func clashes(path: String) throws {
    var tree = try RenderedTree(["a": "", "é": "", "d/x": ""])
    #expect(Self.code { try tree.add(.init(bytes: []), at: path, origin: "t") } == "template-path-clash")
    #expect(Self.code { try tree.add(.init(bytes: []), at: "D", origin: "t") } == "template-path-clash")
  }

  @Test("answers are checked, and unknown ones refused")
  func answers() throws {
    let sample = try SampleTemplates()
    try sample.write(
      "t", "[variables.c]\ntype = \"choice\"\nchoices = [\"a\"]\ndefault = \"a\"\n[variables.n]\npattern = \"[0-9]+\"",
      files: ["f.mustache": "{{c}}{{n}}"])
    #expect(Self.code { _ = try sample.render("t") } == "template-answer-missing")
    #expect(Self.code { _ = try sample.render("t", set: ["n": "x"]) } == "template-answer-wrong")
    #expect(Self.code { _ = try sample.render("t", set: ["n": "1", "c": "b"]) } == "template-answer-wrong")
    #expect(Self.code { _ = try sample.render("t", set: ["n": "1", "d": "b"]) } == "template-answer-unknown")
    #expect(try sample.render("t", set: ["n": "1"]).text("f") == "a1")
  }

  @Test("links in templates are refused")
  func links() throws {
    let sample = try SampleTemplates()
    let path = try sample.write("t", "", files: ["f": ""])
    try FileManager.default.createSymbolicLink(atPath: path + "/files/l", withDestinationPath: "/etc/passwd")
    #expect(Self.code { _ = try sample.render("t") } == "template-link")
  }

  @Test("any text is rendered or refused, and never brings the program down")
  func fuzz() throws {
    var random = SeededRandom(seed: 64)
    let pieces = [
      "{{", "}}", "{{{", "#", "^", "/", "name", "objc", "\n", " ", "=", "<% %>", "(", ")", "!", "&", ".", "x", "$",
      "hotpatch_keys", "last()", "\r\n",
    ]
    let sample = try SampleTemplates()
    let path = try sample.write("t", "", files: ["f.mustache": ""])
    for _ in 0..<SeededRandom.rounds(or: 1000) {
      let text = (0..<Int.random(in: 1...14, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
      try Data(text.joined().utf8).write(to: URL(filePath: path + "/files/f.mustache"))
      _ = try? sample.render("t")
    }
  }
}

@Suite("Writing what was rendered") struct TreeWriterTests {
  @Test("makes all of it or nothing, and keeps who may execute it")
  func whole() throws {
    let folder = try TemporaryFolder()
    var tree = try RenderedTree(["a/b": "b"])
    try tree.add(.init(bytes: [1], isExecutable: true), at: "run", origin: "t")
    try tree.write(to: folder.path + "/p")
    #expect(FileManager.default.isExecutableFile(atPath: folder.path + "/p/run"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["p"])
    #expect(throws: TemplateError.self) { try tree.write(to: folder.path + "/p") }
    try SampleTemplates.write("mine", to: folder.url.appending(path: "p/mine"))
    try tree.write(to: folder.path + "/p", replaces: true)
    #expect(FileManager.default.fileExists(atPath: folder.path + "/p/mine"))
    // A file where a folder is needed: nothing is left.
    try SampleTemplates.write("", to: folder.url.appending(path: "f"))
    #expect(throws: TemplateError.self) { try tree.write(to: folder.path + "/f/p") }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["f", "p"])
  }

  @Test("the copy of what was rendered is a zip that gives it back, the same bytes each time")
  func zip() throws {
    var tree = try RenderedTree(["a/中文.txt": "x", "b": ""])
    try tree.add(.init(bytes: [0, 255], isExecutable: true), at: "run", origin: "t")
    let bytes = StoredZip.bytes(of: tree)
    #expect(try StoredZip.tree(bytes, file: "z") == tree)
    #expect(StoredZip.bytes(of: tree) == bytes)
  }

  @Test("other programs read that zip", .tool("unzip"))
  func peers() throws {
    let folder = try TemporaryFolder()
    let tree = try RenderedTree(["a/b.txt": "hello\n", "c": ""])
    try Data(StoredZip.bytes(of: tree)).write(to: folder.url.appending(path: "z.zip"))
    #expect(try Command.run("unzip", ["-t", folder.path + "/z.zip"]).status == 0)
    #expect(try Command.run("unzip", ["-p", folder.path + "/z.zip", "a/b.txt"]).output == "hello\n")
  }

  @Test("a damaged copy is refused and never brings the reader down")
  func fuzz() throws {
    var random = SeededRandom(seed: 65)
    let original = StoredZip.bytes(of: try RenderedTree(["a": "xyz", "b/c": "1", "d": ""]))
    for _ in 0..<SeededRandom.rounds(or: 3000) {
      var bytes = original
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      _ = try? StoredZip.tree(Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random))), file: "z")
      _ = try? StoredZip.tree(bytes, file: "z")
    }
  }
}
