import MPaaSSupport

/// The root of the project that a folder lies in.
package enum ProjectRoot {
  /// The names that stand in a project's root, by their endings or whole.
  private static let endings = [".xcworkspace", ".xcodeproj"]
  private static let names: Set<String> = ["Package.swift", "project.yml", "Podfile", "modules.toml", ".git"]

  /// The nearest folder, from `path` upward, with a project in it; nil where none has one.
  ///
  /// - Parameter path: A folder, or a project such as `Shop.xcodeproj`.
  package static func find(from path: String) -> String? {
    guard var folder = FileSystem.resolved(path) else { return nil }
    if isProject(folder) || FileStatus(folder)?.kind != .folder { folder = FileSystem.folder(of: folder) }
    while true {
      let inside = (try? FileSystem.names(in: folder)) ?? []
      if inside.contains(where: { names.contains($0) || isProject($0) }) { return folder }
      let above = FileSystem.folder(of: folder)
      guard folder != "/", above != folder else { return nil }
      folder = above
    }
  }

  private static func isProject(_ path: String) -> Bool { endings.contains { path.hasSuffix($0) } }
}
