import Foundation
import MPaaSProject
import MPaaSTestSupport

/// A folder of templates that a test writes.
struct SampleTemplates {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  var path: String { folder.path }

  /// Writes a template; `files` stand below its `files/`.
  @discardableResult
  func write(_ name: String, _ manifest: String, files: [String: String] = [:]) throws -> String {
    let root = folder.url.appending(path: name)
    try Self.write("name = \"\(name)\"\n" + manifest, to: root.appending(path: "template.toml"))
    for (path, text) in files { try Self.write(text, to: root.appending(path: "files/" + path)) }
    return root.path
  }

  static func write(_ text: String, to url: URL) throws {
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  var shelf: TemplateShelf { TemplateShelf([.init(folder: path, origin: "test")]) }

  func render(_ name: String, as project: String = "Shop", set: [String: String] = [:]) throws -> RenderedTree {
    let template = try shelf.template(name, kind: .project)
    return try template.render(try values(template, as: project, set: set))
  }

  func values(_ template: Template, as project: String = "Shop", set: [String: String] = [:]) throws -> TemplateValues {
    var answers = TemplateAnswers()
    answers.settings = set
    let builtIn = BuiltInVariables(name: try ProjectName(project), year: "2026", kitVersion: "1.0.0")
    return try template.values(builtIn, answers) { _ in nil }
  }
}

extension RenderedTree {
  func text(_ path: String) -> String? { self[path].map { String(decoding: $0.bytes, as: UTF8.self) } }

  /// A tree of texts.
  init(_ files: [String: String]) throws {
    self.init()
    for (path, text) in files.sorted(by: { $0.key < $1.key }) {
      try add(.init(bytes: Array(text.utf8)), at: path, origin: path)
    }
  }
}
