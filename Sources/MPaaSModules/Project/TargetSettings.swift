/// The settings that the modules of one target bring to a compiler and a linker.
struct TargetSettings {
  let target: ProjectTarget
  let modules: [ProjectSettingsFiles.Module]
  /// The folder where modules are placed, from the project's folder.
  let folder: String
  /// The names in a folder of the project.
  let names: (_ path: String) -> [String]

  init(
    _ target: ProjectTarget, _ modules: [ProjectSettingsFiles.Module], folder: String,
    names: @escaping (_ path: String) -> [String]
  ) {
    self.target = target
    self.modules = modules
    self.folder = folder
    self.names = names
  }

  // MARK: - Paths, from the project's folder, and flags; each once, in the order of the modules

  var frameworkFolders: [String] { each { all($0.contents.frameworks, $1).map(Self.parent) } }

  var libraryFolders: [String] { each { all($0.contents.libraries, $1).map(Self.parent) } }

  var headerFolders: [String] { each { all($0.contents.headers, $1) } }

  /// Frameworks of the modules and of the system that have to be linked.
  var frameworks: [String] {
    each { manifest, module in
      manifest.contents.frameworks.map(Self.stem) + slices(manifest, module).filter(\.isFramework).map(\.name)
        + manifest.link.frameworks
    }
  }

  var weakFrameworks: [String] {
    each { manifest, _ in manifest.link.weakFrameworks }.filter { !frameworks.contains($0) }
  }

  /// The modules' libraries, each before those that it needs, and behind them the system's: from an archive linkers
  /// take only what was missing before it.
  var libraries: [LinkedLibrary] {
    var seen: Set<LinkedLibrary> = []
    let own = needingFirst.flatMap { module in
      linked(module.manifest.contents.libraries, module)
        + slices(module.manifest, module).filter { !$0.isFramework }.map { .named($0.name) }
    }
    let system = modules.flatMap { $0.manifest.link.libraries.map(LinkedLibrary.named) }
    return (own + system).filter { seen.insert($0).inserted }
  }

  /// A library that comes static and shared is linked statically: an app is then whole without it.
  private func linked(_ paths: [String], _ module: ProjectSettingsFiles.Module) -> [LinkedLibrary] {
    let archives = Set(paths.filter { $0.hasSuffix(".a") }.compactMap(Self.libraryName))
    let shared = Set(paths.filter { !$0.hasSuffix(".a") }.compactMap(Self.libraryName))
    return paths.compactMap { path in
      guard let name = Self.libraryName(path) else { return .path(module.path + "/" + path) }
      guard archives.contains(name), shared.contains(name) else { return .named(name) }
      return path.hasSuffix(".a") ? .path(module.path + "/" + path) : nil
    }
  }

  /// The modules, each before those that it needs, else by name; a ring is broken at the first name.
  var needingFirst: [ProjectSettingsFiles.Module] {
    var owners: [String: Int] = [:]
    for dependency in modules.flatMap(\.locked.dependencies) { owners[dependency.name, default: 0] += 1 }
    var rest = modules
    var sorted: [ProjectSettingsFiles.Module] = []
    while !rest.isEmpty {
      let next = rest.remove(at: rest.firstIndex { owners[$0.locked.name, default: 0] == 0 } ?? 0)
      for dependency in next.locked.dependencies { owners[dependency.name, default: 0] -= 1 }
      sorted.append(next)
    }
    return sorted
  }

  var flags: [String] { each { manifest, _ in manifest.link.flags } }

  var slices: [XCFrameworkSlice] { each { manifest, module in slices(manifest, module) } }

  private func slices(_ manifest: ModuleManifest, _ module: ProjectSettingsFiles.Module) -> [XCFrameworkSlice] {
    all(manifest.contents.xcframeworks, module).flatMap { XCFrameworkSlice.all(in: $0, names: names) }
  }

  private func each<Value: Hashable>(
    _ values: (ModuleManifest, ProjectSettingsFiles.Module) -> [Value]
  ) -> [Value] {
    var seen: Set<Value> = []
    return modules.flatMap { values($0.manifest, $0) }.filter { seen.insert($0).inserted }
  }

  private func all(_ paths: [String], _ module: ProjectSettingsFiles.Module) -> [String] {
    paths.map { module.path + "/" + $0 }
  }

  static func parent(_ path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
  }

  /// A file's name without the part after its last point.
  static func stem(_ path: String) -> String {
    let name = path.split(separator: "/").last ?? ""
    return String(name.lastIndex(of: ".").map { name[..<$0] } ?? name)
  }

  /// `z` for `libz.a`, `libz.so` and `libz.tbd`; nil for a name that `-l` cannot find.
  static func libraryName(_ path: String) -> String? {
    let name = stem(path)
    let isLibrary = [".a", ".so", ".dylib", ".tbd"].contains { path.hasSuffix($0) }
    return isLibrary && name.hasPrefix("lib") && name.utf8.count > 3 ? String(name.dropFirst(3)) : nil
  }
}

/// A library as a linker is told of it.
enum LinkedLibrary: Hashable {
  /// A library that `-l` finds.
  case named(String)
  /// From the project's folder.
  case path(String)
}

/// The part of an xcframework that is for one kind of machine: `ios-arm64`, `ios-arm64_x86_64-simulator`.
///
/// The names of the folders are those that `xcodebuild -create-xcframework` gives them.
struct XCFrameworkSlice: Hashable {
  /// From the project's folder.
  let path: String
  /// As Xcode names it: `iphoneos`, `iphonesimulator`; nil for a system that Xcode does not know.
  let sdk: String?
  /// The product to link: a framework, or a library without `lib`.
  let name: String
  let isFramework: Bool
  let hasHeaders: Bool

  static func all(in xcframework: String, names: (_ path: String) -> [String]) -> [XCFrameworkSlice] {
    names(xcframework).compactMap { folder in
      let path = xcframework + "/" + folder
      let contents = names(path)
      let hasHeaders = contents.contains("Headers")
      if let framework = contents.first(where: { $0.hasSuffix(".framework") }) {
        return XCFrameworkSlice(
          path: path, sdk: sdk(folder), name: TargetSettings.stem(framework), isFramework: true, hasHeaders: hasHeaders)
      }
      return contents.lazy.compactMap(TargetSettings.libraryName).first.map { name in
        XCFrameworkSlice(path: path, sdk: sdk(folder), name: name, isFramework: false, hasHeaders: hasHeaders)
      }
    }
  }

  private static func sdk(_ folder: String) -> String? {
    let parts = folder.split(separator: "-")
    let isSimulator = parts.last == "simulator"
    switch parts.first {
    case "ios": return parts.last == "maccatalyst" ? "macosx" : isSimulator ? "iphonesimulator" : "iphoneos"
    case "tvos": return isSimulator ? "appletvsimulator" : "appletvos"
    case "watchos": return isSimulator ? "watchsimulator" : "watchos"
    case "xros": return isSimulator ? "xrsimulator" : "xros"
    case "macos": return "macosx"
    default: return nil
    }
  }
}
