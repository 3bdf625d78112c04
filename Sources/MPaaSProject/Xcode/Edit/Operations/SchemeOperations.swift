import MPaaSSupport

/// Adds a shared scheme: which targets are built, which is run, which tests belong to it.
package struct AddScheme: ProjectOperation {
  package static var word: String { "add-scheme" }

  package var name = ""
  /// The targets that are built; the first of them is run.
  package var targets = TargetWords.unnamed
  package var tests: [String] = []
  /// The configuration to run, test and analyze: `Debug` where it is nil, or the first that there is.
  package var configuration: String?
  /// The configuration to profile and archive: `Release` where it is nil, or the last that there is.
  package var archiveConfiguration: String?

  package init() {}

  package static var parameters: [EditParameter<Self>] {
    [
      .text("name", \.name, .argument("add-scheme.name", "name")), .targets(\.targets, "add-scheme.target"),
      .texts("tests", \.tests, .option("add-scheme.test", "name")),
      .text("configuration", \.configuration, .option("add-scheme.configuration", "name")),
      .text("archive_configuration", \.archiveConfiguration, .option("add-scheme.archive-configuration", "name")),
    ]
  }

  package func apply(to editor: inout ProjectEditor) throws(ProjectEditError) {
    guard !name.isEmpty, !name.contains("/"), !name.contains("\0"), !name.hasPrefix(".") else {
      throw ProjectEditError(.badWord, ["word": name, "expected": "NAME"])
    }
    let built = try editor.needed(targets)
    let tests = tests.isEmpty ? [] : try editor.named(.names(tests))
    let path = editor.schemePath(name)
    let document = SchemeDocument(
      built: built.map { editor.buildable($0) }, tests: tests.map { editor.buildable($0) },
      container: editor.files.bundle, upgradeVersion: editor.upgradeVersion,
      debug: try editor.schemeConfiguration(configuration, standard: "Debug"),
      release: try editor.schemeConfiguration(archiveConfiguration, standard: "Release"))
    let bytes = Array(document.text.utf8)
    if let old = try editor.file(path), old != bytes {
      throw ProjectEditError(.schemeExists, ["scheme": name, "file": path], at: .file(path))
    }
    try editor.write(bytes, to: path)
  }
}

/// Removes shared schemes from the project's folder.
package struct RemoveScheme: ProjectOperation {
  package static var word: String { "remove-scheme" }

  package var names: [String] = []

  package init() {}

  package static var parameters: [EditParameter<Self>] {
    [.requiredTexts("names", \.names, .argument("remove-scheme.names", "name"))]
  }

  package func apply(to editor: inout ProjectEditor) throws(ProjectEditError) {
    for name in names {
      let path = editor.schemePath(name)
      if name.contains("/") {
        throw ProjectEditError(.badWord, ["word": name, "expected": "NAME"])
      } else if try editor.file(path) == nil {
        editor.note(.absent, name)
      } else {
        try editor.write(nil, to: path)
      }
    }
  }
}

extension ProjectEditor {
  private var schemeFolder: String { files.bundle + "/xcshareddata/xcschemes" }

  func schemePath(_ name: String) -> String { schemeFolder + "/" + name + ".xcscheme" }

  /// The shared schemes whose text holds some words.
  func schemes(holding words: String) throws(ProjectEditError) -> [String] {
    var found: [String] = []
    for name in names(inFolder: schemeFolder) where name.hasSuffix(".xcscheme") {
      guard let bytes = try file(schemeFolder + "/" + name) else { continue }
      if String(decoding: bytes, as: UTF8.self).contains(words) { found.append(String(name.dropLast(9))) }
    }
    return found
  }

  fileprivate func buildable(_ target: ID) -> SchemeDocument.Buildable {
    let product = text(target, "productReference").flatMap { text($0, "path") ?? text($0, "name") }
    let type = text(target, "productType") ?? ""
    let isRunnable = TargetKind.allCases.contains { kind in
      [.application, .tool].contains(kind) && type.hasPrefix(kind.productType ?? "-")
    }
    return SchemeDocument.Buildable(
      id: target, name: targetName(target), product: product ?? targetName(target), isRunnable: isRunnable)
  }

  fileprivate var upgradeVersion: String {
    guard let project = try? project() else { return "1600" }
    return self[project, "attributes"]?["LastUpgradeCheck"]?.string ?? "1600"
  }

  /// The configuration that was named, or the standard one where the project has it.
  fileprivate func schemeConfiguration(_ name: String?, standard: String) throws(ProjectEditError) -> String {
    let lists = try configurationLists()
    if let name {
      guard lists.contains(where: { configuration(name, in: $0) != nil }) else {
        throw unknownConfiguration(name, lists)
      }
      return name
    }
    guard let list = lists.first else { return standard }
    let names = self.list(list, "buildConfigurations").compactMap { text($0, "name") }
    if names.contains(standard) { return standard }
    return (standard == "Debug" ? names.first : names.last) ?? standard
  }
}
