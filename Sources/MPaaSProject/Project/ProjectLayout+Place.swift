import MPaaSSupport

extension ProjectLayout {
  /// A folder as a place: those above it that are there, with links resolved, and the rest as it was given.
  ///
  /// - Throws: `TemplateError` for a path that leads nowhere.
  package static func place(_ path: String) throws(TemplateError) -> String {
    var rest: [String] = []
    var folder = path
    while true {
      if let resolved = FileSystem.resolved(folder) { return ([resolved] + rest.reversed()).joined(separator: "/") }
      let name = FileSystem.name(of: folder)
      guard name != "..", folder != FileSystem.folder(of: folder) else {
        throw TemplateError(.path, ["path": path, "other": ""], at: .file(path))
      }
      rest.append(name)
      folder = FileSystem.folder(of: folder)
    }
  }

  /// The path of a place from a project's root; `.` for the root itself.
  ///
  /// - Throws: `FileError` where the root is not there, `TemplateError` where the place is outside of it.
  package static func path(of place: String, in root: String) throws -> String {
    guard let base = FileSystem.resolved(root) else { throw FileError(.open, root, .noSuchFileOrDirectory) }
    if place == base { return "." }
    guard place.hasPrefix(base == "/" ? base : base + "/") else {
      throw TemplateError(.path, ["path": place, "other": ""], at: .file(place))
    }
    return String(place.dropFirst(base == "/" ? 1 : base.count + 1))
  }
}
