import Foundation
import MPaaSProject
import MPaaSSupport
import MPaaSTestSupport
import MPaaSToolSupport
import Synchronization
import Testing

@Suite("The update of a project") struct ProjectUpdateTests {
  /// A project that a template made, and the folder of templates.
  private struct Sample {
    let templates: SampleTemplates
    let project: TemporaryFolder

    init(_ files: [String: String]) throws {
      templates = try SampleTemplates()
      project = try TemporaryFolder()
      try templates.write("app", "version = \"1.0\"\n", files: files)
      let template = try templates.shelf.template("app", kind: .project)
      let values = try templates.values(template, set: ["author": "Ann"])
      var tree = try template.render(values)
      try ProjectRecord(template: "app", version: "1.0", source: "", values: values).add(to: &tree)
      for path in tree.paths {
        guard let file = tree[path] else { continue }
        let url = project.url.appending(path: path)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(file.bytes).write(to: url)
      }
    }

    func update(_ processes: ProcessRunner = .live) throws -> ProjectUpdate {
      try ProjectUpdate(of: project.path, temporary: TemporaryPlace(project.path), processes: processes)
    }

    func text(_ path: String) -> String? {
      try? String(contentsOf: project.url.appending(path: path), encoding: .utf8)
    }
  }

  private static let kit = Kit(path: "/kit", url: nil, templates: nil)

  @Test("brings a changed template in with the values that the project was made with")
  func updates() throws {
    let sample = try Sample(["a.txt.mustache": "{{name}} by {{author}}\n"])
    #expect(sample.text("a.txt") == "Shop by Ann\n")
    try sample.templates.write("app", "version = \"2.0\"\n", files: ["a.txt.mustache": "{{name}} of {{author}}\n"])
    let update = try sample.update()
    let template = try sample.templates.shelf.template("app", kind: .project)
    let values = try update.values(
      of: template, settings: [:], kit: nil, kitVersion: "2.0.0"
    ) { _ in nil }
    let planned = try update.planned(to: template, values, source: nil)
    #expect(sample.text("a.txt") == "Shop by Ann\n")
    #expect(planned.record.version == "2.0")
    #expect(planned.changes.conflicts == [])
    try planned.apply()
    #expect(sample.text("a.txt") == "Shop of Ann\n")
    #expect(try ProjectRecord.read(sample.project.path)?.version == "2.0")
    #expect(try sample.update().planned(to: template, values, source: nil).changes.isEmpty)
  }

  @Test("the recorded values stay, unless others are set; the kit stays, unless another is asked for")
  func values() throws {
    let sample = try Sample(["a.txt": "x"])
    let update = try sample.update()
    let template = try sample.templates.shelf.template("app", kind: .project)
    let kept = try update.values(of: template, settings: [:], kit: nil, kitVersion: "2.0.0") { _ in nil }
    #expect(kept["author"]?.json == .string("Ann"))
    #expect(kept["year"]?.json == .string("2026"))
    #expect(kept["kit_path"]?.json == .string(""))
    #expect(kept["kit_version"]?.json == .string("2.0.0"))
    let set = try update.values(
      of: template, settings: ["author": "Bob"], kit: Self.kit, kitVersion: "2.0.0"
    ) { _ in nil }
    #expect(set["author"]?.json == .string("Bob"))
    #expect(set["kit_path"]?.json == .string("/kit"))
  }

  @Test("a working copy with changes is refused with the first five; one that git does not know is taken")
  func committed() throws {
    let sample = try Sample(["a.txt": "x"])
    let requests = Mutex<[[String]]>([])
    func check(_ output: String, status: Int32 = 0) throws {
      try sample.update(
        ProcessRunner { request throws(FileError) in
          requests.withLock { $0.append([request.program] + request.arguments) }
          return ProcessRunner.Outcome(status: status, output: output)
        }
      ).checkCommitted()
    }
    try check("")
    try check("fatal: not a git repository\n", status: 128)
    let path = sample.project.path
    #expect(throws: TemplateError(.uncommitted, ["path": path, "files": "a.txt"], at: .file(path))) {
      try check(" M a.txt\n")
    }
    let six = (1...6).map { " M \($0)\n" }.joined()
    #expect(throws: TemplateError(.uncommitted, ["path": path, "files": "1, 2, 3, 4, 5, …"], at: .file(path))) {
      try check(six)
    }
    #expect(requests.withLock { $0.allSatisfy { $0.prefix(4) == ["git", "-C", path, "status"] } })
  }

  @Test("a folder that no template made is refused")
  func noRecord() throws {
    let folder = try TemporaryFolder()
    #expect(throws: TemplateError(.recordMissing, ["path": folder.path])) {
      try ProjectUpdate(of: folder.path, temporary: TemporaryPlace(folder.path))
    }
  }
}
