import MPaaSModules
import MPaaSSupport

extension ModuleArchiveCheck {
  /// Endings of what is one thing though it is a folder.
  private static let packages = [".framework", ".xcframework", ".bundle"]

  /// Holds what `module.toml` lists against what the archive has.
  mutating func checkContents(in listing: ArchiveListing) {
    var seen: Set<String> = []
    for (key, list) in ModuleContents.lists {
      for path in manifest.contents[keyPath: list] {
        if !seen.insert(path).inserted { note(.error, .contentTwice, path) }
        guard listing.node(path) != nil else {
          note(.error, .contentMissing, path, ["key": "contents." + key])
          continue
        }
        if !Self.isFit(path, for: key, in: listing) { note(.error, .contentKind, path, ["key": "contents." + key]) }
      }
    }
    checkNames()
    for (name, node) in listing.nodes.sorted(by: { $0.key < $1.key }) where node == .folder {
      let path = name.text
      guard Self.isPackage(path) else { continue }
      let isKnown = seen.contains { path == $0 || path.hasPrefix($0 + "/") }
      if !isKnown, !Self.isInPackage(path) { note(.warning, .contentUnlisted, path) }
    }
  }

  private static func isPackage(_ path: String) -> Bool { packages.contains { path.hasSuffix($0) } }

  private static func isInPackage(_ path: String) -> Bool {
    path.split(separator: "/").dropLast().contains { part in packages.contains { part.hasSuffix($0) } }
  }

  private static func isFit(_ path: String, for key: String, in listing: ArchiveListing) -> Bool {
    switch key {
    case "frameworks": listing.isFolder(path) && path.hasSuffix(".framework")
    case "xcframeworks": listing.isFolder(path) && path.hasSuffix(".xcframework")
    case "bundles": listing.isFolder(path) && path.hasSuffix(".bundle")
    case "headers": listing.isFolder(path)
    case "libraries":
      listing.isFile(path)
        && ([".a", ".so", ".dylib", ".tbd"].contains { path.hasSuffix($0) } || path.contains(".so."))
    default: true
    }
  }

  /// Finds what would land under one name in an app or in a folder of libraries.
  private mutating func checkNames() {
    var known: [String: String] = [:]
    for path in manifest.contents.landing {
      let name = FileSystem.name(of: path)
      if let other = known[name.lowercased()], other != path {
        note(.error, .contentClash, path, ["other": other])
      } else {
        known[name.lowercased()] = path
      }
    }
  }
}

extension ModuleContents {
  /// Paths of what a project gets under its own name.
  var landing: [String] { frameworks + xcframeworks + libraries + bundles }
}
