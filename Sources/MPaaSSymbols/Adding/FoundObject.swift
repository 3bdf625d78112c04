import MPaaSSupport

/// An object file below a path that was looked through, one for each processor of a fat file.
package struct FoundObject: Sendable, Equatable {
  package let path: String
  /// The file on disk: the path, or the archive that it leads into.
  package let file: String
  /// nil where the linker gave it none.
  package let buildID: BuildID?
  package let architecture: String
  package let kind: ObjectKind
  package let hasCode: Bool
  package let hasDebugInfo: Bool

  init(_ image: any ObjectImage, at path: String) {
    self.path = path
    file = FileStatus(path) == nil ? FileContent.split(path)?.archive ?? path : path
    buildID = image.buildID
    architecture = image.architecture
    kind = image.kind
    hasCode = image.hasCode
    hasDebugInfo = image.hasDebugInfo
  }
}

extension SymbolStore {
  /// All object files at and below a path, in archives too, by path; with or without a build ID.
  package static func objects(below path: String) -> [FoundObject] {
    let given = GivenPaths([path])
    let paths = Set(given.contents.names.values.joined().map(\.path))
    return paths.sorted().flatMap { path in (given.images(at: path) ?? []).map { FoundObject($0, at: path) } }
  }
}
