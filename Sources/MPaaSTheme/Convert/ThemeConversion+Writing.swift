package import MPaaSSupport

extension ThemeConversion {
  /// Writes the files below a folder, or the only one to a path; all or, where one is there, none.
  ///
  /// - Parameters:
  ///   - isFolder: Takes the target for a folder; one that is there or ends in a slash is one anyway.
  ///   - replaces: Replaces files that are there.
  /// - Returns: The paths, in the order of the files.
  /// - Throws: `theme-output-exists`, `FileError`.
  package func write(
    to target: String, isFolder: Bool, replaces: Bool, by disk: FileClient = .live
  ) throws -> [String] {
    let isFolder = isFolder || disk.kind(target) == .folder || target.hasSuffix("/")
    let paths = files.map { isFolder ? Self.joined(target, $0.path) : target }
    for path in paths where !replaces && disk.kind(path) == .file {
      throw ThemeError(.outputExists, ["file": path])
    }
    for (path, file) in zip(paths, files) {
      try disk.makeFolder(FileSystem.folder(of: path))
      switch file.content {
      case .text(let text): try disk.write(Array(text.utf8), to: path)
      case .copy(let source): try disk.write(disk.read(source), to: path)
      }
    }
    return paths
  }

  private static func joined(_ folder: String, _ path: String) -> String {
    folder == "." ? path : folder.hasSuffix("/") ? folder + path : folder + "/" + path
  }
}

extension ThemeError.Code {
  /// A file that is not overwritten unasked.
  package static var outputExists: Self { ThemeError.Code("theme-output-exists", exit: .cannotCreate) }
}
