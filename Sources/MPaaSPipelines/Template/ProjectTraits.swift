package import MPaaSProject
import MPaaSSupport
import MPaaSToolSupport

/// The parts of a project that a pipeline checks and builds; all paths are from its folder.
package struct ProjectTraits: Sendable, Equatable {
  /// True for a project that has modules.
  package var hasModules = false
  package var hasPackage = false
  package var hasPropertyLists = false
  /// Its Xcode project; nil without one.
  package var xcode: String?
  /// Folders with tables of texts.
  package var texts: [String] = []
  /// `MobileRuntime.plist`; nil without one.
  package var runtime: String?
  /// `GatewayConfig.plist`; nil without one.
  package var gateway: String?
  /// Folders of hotpatches.
  package var patches: [String] = []
  /// The app's `Info.plist`; nil without one.
  package var infoList: String?

  package init() {}

  /// The traits that the paths of a project's files tell.
  package init(paths: some Sequence<String>) {
    for path in paths.sorted(by: { ($0.split(separator: "/").count, $0) < ($1.split(separator: "/").count, $1) }) {
      take(path)
    }
    texts.sort()
    patches.sort()
  }

  private mutating func take(_ path: String) {
    let name = FileSystem.name(of: path)
    switch name {
    case "mpaas.toml": if path == name { hasModules = true }
    case "Package.swift": if path == name { hasPackage = true }
    case "project.pbxproj": xcode = xcode ?? FileSystem.folder(of: path)
    case "MobileRuntime.plist": runtime = runtime ?? path
    case "GatewayConfig.plist": gateway = gateway ?? path
    case "Info.plist": if !path.contains("Tests/"), !path.contains(".bundle/") { infoList = infoList ?? path }
    default: break
    }
    if [".plist", ".entitlements"].contains(where: name.hasSuffix) { hasPropertyLists = true }
    if name.hasSuffix(".lua") { Self.add(FileSystem.folder(of: path), to: &patches) }
    if let folder = Self.textFolder(path) { Self.add(folder, to: &texts) }
  }

  /// The folder that a table of texts belongs to; nil of other files, and of those of bundles.
  private static func textFolder(_ path: String) -> String? {
    guard !path.contains(".bundle/") else { return nil }
    let folder = FileSystem.folder(of: path)
    if path.hasSuffix(".xcstrings") { return folder }
    guard folder.hasSuffix(".lproj"), path.hasSuffix(".strings") || path.hasSuffix(".stringsdict") else { return nil }
    return FileSystem.folder(of: folder)
  }

  /// Adds a folder unless one above it is there already.
  private static func add(_ folder: String, to folders: inout [String]) {
    if !folders.contains(where: { $0 == "." || folder == $0 || folder.hasPrefix($0 + "/") }) { folders.append(folder) }
  }
}

extension ProjectTraits {
  /// The variables of a pipeline's template; paths are words of a shell's line.
  package var values: TemplateValues {
    func word(_ path: String?) -> TemplateValue { .text(path.map(Self.word) ?? "") }
    func words(_ paths: [String]) -> TemplateValue { .text(paths.map(Self.word).joined(separator: " ")) }
    let scheme = xcode.map { String(FileSystem.name(of: $0).dropLast(".xcodeproj".count)) }
    return [
      "modules": .flag(hasModules), "package": .flag(hasPackage), "plists": .flag(hasPropertyLists),
      "xcode": word(xcode), "scheme": word(scheme), "texts": words(texts), "runtime": word(runtime),
      "gateway": word(gateway), "patches": words(patches), "info_plist": word(infoList),
    ]
  }

  /// A path as a word of a shell's line.
  static func word(_ path: String) -> String {
    path.first == "-" ? path.shellQuoted : path.shellWord(plain: "+-./_")
  }

  /// Looks through a project's folder, without what builds and package managers put there.
  package init(folder: String) {
    var paths: [String] = []
    Self.collect(folder, "", &paths, depth: 0)
    self.init(paths: paths)
  }

  /// Folders of builds, of modules and of other tools.
  private static let foreign: Set<String> = ["MPaaS", "Pods", "Carthage", "DerivedData", "node_modules", "build"]

  private static func collect(_ folder: String, _ prefix: String, _ paths: inout [String], depth: Int) {
    guard depth < 12, paths.count < 20_000, let entries = try? FileSystem.entries(in: folder) else { return }
    for entry in entries where !entry.name.hasPrefix(".") && entry.name.isPlainText {
      let path = prefix + entry.name
      switch entry.kind {
      case .file: paths.append(path)
      case .folder:
        if !foreign.contains(entry.name) { collect(folder + "/" + entry.name, path + "/", &paths, depth: depth + 1) }
      case .other: break
      }
    }
  }
}
