import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The removal of files below a root, folder by folder from the open root on: no link can lead it elsewhere.
struct PurgeRemoval: ~Copyable {
  private let root: OpenFile

  init(_ root: String) throws(FileError) { self.root = try OpenFile(root, .folder, followsLinks: false) }

  /// Removes the file that was planned, and says whether it did; another one of its name stays.
  func remove(_ item: PurgePlan.Item) -> Bool {
    within(item.path) { folder, name in
      var now = stat()
      guard fstatat(folder, name, &now, AT_SYMLINK_NOFOLLOW) == 0, now.st_mode & S_IFMT != S_IFDIR else { return false }
      let identity = [UInt64(truncatingIfNeeded: now.st_dev), UInt64(truncatingIfNeeded: now.st_ino)]
      #if canImport(Darwin)
        let time = now.st_mtimespec
      #else
        let time = now.st_mtim
      #endif
      let modified = (Int64(time.tv_sec) &* 1_000_000_000) &+ Int64(time.tv_nsec)
      guard identity == item.identity, modified == item.modifiedNanoseconds else { return false }
      return unlinkat(folder, name, 0) == 0
    }
  }

  /// Removes a folder where nothing is left in it.
  func removeIfEmpty(_ path: String) {
    _ = within(path) { folder, name in unlinkat(folder, name, AT_REMOVEDIR) == 0 }
  }

  /// Calls `body` with the open folder of a path and the last name of it; false where a link is on the way.
  private func within(_ path: String, _ body: (Int32, String) -> Bool) -> Bool {
    let parts = path.split(separator: "/").map(String.init)
    guard let name = parts.last, !parts.contains("..") else { return false }
    var folder = openat(root.descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { if folder >= 0 { close(folder) } }
    for part in parts.dropLast() {
      let next = openat(folder, part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      close(folder)
      folder = next
      guard folder >= 0 else { return false }
    }
    return folder >= 0 && body(folder, name)
  }
}
