import MPaaSModules
import MPaaSSupport

extension ModuleContents {
  /// The contents of a folder of which nothing is said yet.
  ///
  /// - Parameter paths: The files in it, sorted.
  init(foundIn paths: [String]) {
    self.init()
    for path in paths {
      let parts = path.split(separator: "/").map(String.init)
      if let end = parts.firstIndex(where: { Self.package($0) != nil }), let list = Self.package(parts[end]) {
        add(parts[...end].joined(separator: "/"), to: list)
      } else if Self.isLibrary(path) {
        libraries.append(path)
      } else if path.hasSuffix(".h"), let folder = Self.headers(parts) {
        add(folder, to: \.headers)
      }
    }
    // Beside what is built, sources are what it was built of.
    if frameworks.isEmpty, xcframeworks.isEmpty, libraries.isEmpty { addSources(of: paths) }
  }

  private mutating func add(_ path: String, to list: WritableKeyPath<ModuleContents, [String]>) {
    if !self[keyPath: list].contains(path) { self[keyPath: list].append(path) }
  }

  /// The list of a folder that is one thing.
  private static func package(_ name: String) -> WritableKeyPath<ModuleContents, [String]>? {
    if name.hasSuffix(".xcframework") { return \.xcframeworks }
    if name.hasSuffix(".framework") { return \.frameworks }
    return name.hasSuffix(".bundle") ? \.bundles : nil
  }

  private static func isLibrary(_ path: String) -> Bool {
    [".a", ".so", ".dylib", ".tbd"].contains { path.hasSuffix($0) } || FileSystem.name(of: path).contains(".so.")
  }

  /// The folder to search for a header: one that is named so, else its own, unless that is one of sources.
  private static func headers(_ parts: [String]) -> String? {
    let folders = parts.dropLast()
    if let end = folders.firstIndex(where: { ["include", "headers"].contains($0.lowercased()) }) {
      return folders[...end].joined(separator: "/")
    }
    guard let first = folders.first, !isSourceFolder(first) else { return nil }
    return folders.joined(separator: "/")
  }

  private static func isSourceFolder(_ name: String) -> Bool {
    ["sources", "source", "src"].contains(name.lowercased())
  }

  private mutating func addSources(of paths: [String]) {
    for path in paths where path != "Package.swift" && Self.isSource(path) {
      let first = String(path.prefix { $0 != "/" })
      if Self.isSourceFolder(first) { add(first, to: \.sources) } else if first == path { sources.append(path) }
    }
  }

  private static func isSource(_ path: String) -> Bool {
    [".c", ".cc", ".cpp", ".m", ".mm", ".swift"].contains { path.hasSuffix($0) }
  }
}
