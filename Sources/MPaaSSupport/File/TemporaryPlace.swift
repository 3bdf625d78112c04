#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The place for files that go again when their work is done.
///
/// It is the folder that `TMPDIR` names, else one of the user's own in the cache, and never /tmp by itself: there
/// others can be first. What is made in it has no name that somebody could know before.
package struct TemporaryPlace: Sendable, Equatable {
  package let folder: String
  /// True if it is made where it is missing.
  private let isOwn: Bool

  /// A folder that is there.
  package init(_ folder: String) {
    self.folder = folder
    isOwn = false
  }

  /// - Parameters:
  ///   - chosen: The folder that the user wants; nil for one in the cache.
  ///   - cache: The user's cache folder.
  init(chosen: String?, cache: String) {
    folder = chosen ?? cache + "/tmp"
    isOwn = chosen == nil
  }

  /// The place that the environment of this process names.
  package static var current: TemporaryPlace {
    let names = ["TMPDIR", "MPAAS_HOME", "XDG_CACHE_HOME", "HOME"]
    let values = names.compactMap { name in getenv(name).map { (name, String(cString: $0)) } }
    return Directories(environment: Dictionary(values) { $1 }).temporary
  }

  /// The folder, which is there now.
  ///
  /// - Throws: `FileError`, `home-unknown` where the user's home is unknown.
  package func prepared() throws(FileError) -> String {
    if isOwn { try PrivateFolder.create(folder) }
    return folder
  }

  /// Makes a folder of a new name, which only its owner may enter.
  package func makeFolder(_ name: String) throws(FileError) -> String {
    try FileSystem.makeFolder(unique: "\(try prepared())/\(name)", called: folder)
  }
}

extension Directories {
  /// The place of files that go again when their work is done.
  package var temporary: TemporaryPlace { TemporaryPlace(chosen: chosenTemporary, cache: cache) }
}
