import Foundation
import MPaaSProject
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("The creation of a project") struct ProjectCreationTests {
  @Test("writes the template's files and a record of it; a dry run only renders them")
  func creates() throws {
    let templates = try SampleTemplates()
    try templates.write("app", "version = \"1.0\"\n", files: ["a.txt.mustache": "{{name}}\n"])
    let template = try templates.shelf.template("app", kind: .project)
    let values = try templates.values(template)
    let folder = try TemporaryFolder()
    let path = folder.path + "/Shop"
    let planned = try ProjectCreation(in: path, replaces: false, isDryRun: true)
      .create(by: template, values, source: nil)
    #expect(planned.text("a.txt") == "Shop\n")
    #expect(FileStatus(path) == nil)
    let tree = try ProjectCreation(in: path, replaces: false, isDryRun: false)
      .create(by: template, values, source: templates.path)
    #expect(tree.paths == planned.paths)
    #expect(try String(contentsOfFile: path + "/a.txt", encoding: .utf8) == "Shop\n")
    let record = try #require(try ProjectRecord.read(path))
    #expect(record.template == "app")
    #expect(record.source == FileSystem.resolved(templates.path))
  }

  @Test("takes a folder that is empty or not there; another one has to be asked for")
  func folders() throws {
    let folder = try TemporaryFolder()
    func check(_ path: String, replaces: Bool = false, isDryRun: Bool = false) throws {
      try ProjectCreation(in: path, replaces: replaces, isDryRun: isDryRun).checkFolder()
    }
    try check(folder.path + "/none")
    try check(folder.path)
    let file = folder.path + "/file"
    try Data().write(to: URL(filePath: file))
    for path in [folder.path, file] {
      #expect(throws: TemplateError(.targetExists, ["path": path], at: .file(path))) { try check(path) }
      try check(path, replaces: true)
      try check(path, isDryRun: true)
    }
  }

  @Test("a place is told from the project's root, whether it is there or not")
  func places() throws {
    let folder = try TemporaryFolder()
    let root = try #require(FileSystem.resolved(folder.path))
    #expect(try ProjectLayout.place(folder.path + "/a/b") == root + "/a/b")
    #expect(try ProjectLayout.path(of: root, in: folder.path) == ".")
    #expect(try ProjectLayout.path(of: root + "/a/b", in: folder.path) == "a/b")
    #expect(throws: TemplateError.self) { try ProjectLayout.path(of: root + "x", in: folder.path) }
    #expect(throws: FileError.self) { try ProjectLayout.path(of: root, in: folder.path + "/none") }
    #expect(throws: TemplateError.self) { try ProjectLayout.place(folder.path + "/none/..") }
  }
}
