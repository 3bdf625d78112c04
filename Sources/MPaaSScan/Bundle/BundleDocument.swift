import MPaaSConfig
import MPaaSSupport

/// The property lists of bundles.
enum BundleDocument {
  /// The list of a file, binary or XML; nil where it is none.
  static func root(_ bytes: Bytes, _ path: String) -> PropertyListValue? { try? read(bytes, path) }

  /// - Throws: `ConfigError` with the place of what cannot stand there.
  static func read(_ bytes: Bytes, _ path: String) throws(ConfigError) -> PropertyListValue {
    try PropertyListFile(bytes.array, file: path).root
  }

  /// The folder of the bundle whose list is at `path`: on a Mac it stands deeper.
  static func bundle(of path: String) -> String {
    var folder = FileSystem.folder(of: path)
    if FileSystem.name(of: folder) == "Resources" { folder = FileSystem.folder(of: folder) }
    if FileSystem.name(of: folder) == "Contents" { return FileSystem.folder(of: folder) }
    let parent = FileSystem.folder(of: folder)
    return FileSystem.name(of: parent) == "Versions" ? FileSystem.folder(of: parent) : folder
  }
}
