import MPaaSProject
import MPaaSSupport
import MPaaSTerminal
import MPaaSToolSupport

/// The project that was made, or would be.
struct CreatedProject: Presentable {
  struct File: Encodable {
    let path: String
    let size: Int
    let executable: Bool
  }

  let name: String
  let path: String
  let template: String
  let templateVersion: String
  /// The Swift type's and module's name that was made of the name.
  let identifier: String
  let bundleID: String?
  let files: [File]
  let created: Bool

  private enum CodingKeys: String, CodingKey {
    case name, path, template, templateVersion, identifier, files, created
    case bundleID = "bundleId"
  }

  init(
    folder: String, _ template: TemplateManifest, _ values: TemplateValues, _ tree: RenderedTree, isDryRun: Bool
  ) {
    func text(_ name: String) -> String? { values[name]?.json.string }
    name = text("name") ?? ""
    path = folder
    self.template = template.name
    templateVersion = template.version
    identifier = text("name_identifier") ?? ""
    bundleID = text("bundle_id")
    files = tree.paths.compactMap { path in
      tree[path].map { File(path: path, size: $0.bytes.count, executable: $0.isExecutable) }
    }
    created = !isDryRun
  }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    let size = ByteCount(UInt64(files.reduce(0) { $0 + $1.size })).description
    let values = [
      "name": name, "path": path, "template": template, "version": templateVersion, "count": String(files.count),
      "size": size, "identifier": identifier, "bundle": bundleID ?? "",
    ]
    document.line(StyledText(catalogue.text(created ? "text.project-created" : "text.project-planned", values), .good))
    if identifier != name { document.line(StyledText(catalogue.text("text.project-identifier", values), .faint)) }
    if bundleID != nil { document.line(StyledText(catalogue.text("text.project-bundle", values), .faint)) }
    document.line()
    for line in FileOutline(files.map(\.path)).lines { document.line("  " + line) }
    guard created else { return document }
    document.line()
    document.line(StyledText(catalogue.text("text.project-next"), .heading))
    for (command, key) in commands {
      document.line("  " + StyledText(command, .emphasis) + StyledText("  # " + catalogue.text(key), .faint))
    }
    return document
  }

  /// The next steps, by what was made.
  private var commands: [(String, String)] {
    var commands = [("cd \(path.shellWord())", "text.project-next-enter")]
    let paths = Set(files.map(\.path))
    if paths.contains("Package.swift") {
      let hasProgram = paths.contains { $0.hasPrefix("Sources/") && $0.hasSuffix("/main.swift") }
      commands.append(("swift test", "text.project-next-test"))
      if hasProgram { commands.append(("swift run", "text.project-next-run")) }
    }
    if let workspace = paths.first(where: { $0.contains(".xcworkspace/") && !$0.contains(".xcodeproj/") }) {
      let name = workspace.prefix { $0 != "/" }
      commands.append(("open \(String(name).shellWord())", "text.project-next-open"))
    }
    if paths.contains(where: { $0.hasSuffix("MobileRuntime.plist") }) {
      commands.append(("mpaas new micro-app Orders", "text.project-next-new"))
    }
    return commands
  }
}

/// The paths of a tree as people draw it: folders with many files, and what only machines read, in one line each.
struct FileOutline {
  let lines: [StyledText]

  init(_ paths: [String]) {
    var folders: [String: [String]] = [:]
    for path in paths {
      let slash = path.lastIndex(of: "/")
      folders[slash.map { String(path[...$0]) } ?? "", default: []].append(path)
    }
    lines = folders.sorted { $0.key < $1.key }.flatMap { folder, files -> [StyledText] in
      let names = files.map { String($0.dropFirst(folder.count)) }
      guard Self.isOfInterest(folder) else { return [] }
      if folder.isEmpty { return names.map { StyledText($0) } }
      let shown = names.prefix(4).joined(separator: ", ") + (names.count > 4 ? ", … (\(names.count))" : "")
      return [StyledText(folder, .path) + "  " + StyledText(shown)]
    }
  }

  private static func isOfInterest(_ folder: String) -> Bool {
    !["xcshareddata", ".xcassets/", ".lproj/", ".mpaas/"].contains { folder.contains($0) }
  }
}
