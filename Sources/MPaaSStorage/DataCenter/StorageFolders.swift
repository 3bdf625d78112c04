import MPaaSDigests
import MPaaSSupport

/// The folders of a data center: one for all, one for each user, one for each version of the app.
///
/// Names come from digests, so that a user id of any characters is one plain name and leads nowhere else.
struct StorageFolders: Sendable {
  let root: String

  /// The folder of what belongs to no user.
  var common: String { root + "/common" }

  /// The folder of a user.
  func user(_ id: String) -> String { root + "/user-" + Self.digest(id) }

  /// The folder of a version of the app.
  func version(_ version: String) -> String { root + "/version-" + Self.digest(version) }

  /// A name that is the same for the same bytes only; equal texts of different bytes are different users.
  static func digest(_ text: String) -> String { Array(text.utf8).sha256.prefix(20).hexadecimal }

  /// Removes the folders of other versions, and what a reset left over that could not finish.
  func tidy(version: String) {
    let kept = FileSystem.name(of: self.version(version))
    for name in (try? FileSystem.names(in: root)) ?? [] where name != kept {
      if name.hasPrefix("version-") { try? discard(root + "/" + name) }
      if name.hasPrefix(Self.discarded) { FileSystem.removeTree(root + "/" + name) }
    }
  }

  /// Empties a folder at once: it gets another name first, so that half of it is never found.
  func discard(_ folder: String) throws(FileError) {
    guard FileStatus(ofLink: folder) != nil else { return }
    let trash = try FileSystem.makeFolder(unique: root + "/" + Self.discarded, called: folder)
    try FileSystem.rename(folder, to: trash + "/content")
    FileSystem.settle(root)
    FileSystem.removeTree(trash)
  }

  private static let discarded = ".discarded"
}
