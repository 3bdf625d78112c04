package import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The changes that an update makes on the disk; tests fail or stop them one by one.
package struct KitFiles: Sendable {
  /// Makes a folder and those above it.
  package var makeFolder: @Sendable (_ path: String) throws(FileError) -> Void
  /// Writes a new file with these permissions, before the umask.
  package var write: @Sendable (_ path: String, _ bytes: Bytes, _ mode: UInt16) throws(FileError) -> Void
  /// Writes a small file beside its place and renames it over one that is there.
  package var replace: @Sendable (_ path: String, _ text: String) throws(FileError) -> Void
  /// Makes a symbolic link beside its place and renames it over one that is there.
  package var link: @Sendable (_ path: String, _ target: String) throws(FileError) -> Void
  package var rename: @Sendable (_ path: String, _ target: String) throws(FileError) -> Void
  /// Removes a folder with all that is in it, or a file.
  package var remove: @Sendable (_ path: String) throws(FileError) -> Void
  /// Has all that was written survive a loss of power.
  package var settle: @Sendable () throws(FileError) -> Void

  package init(
    makeFolder: @escaping @Sendable (_ path: String) throws(FileError) -> Void,
    write: @escaping @Sendable (_ path: String, _ bytes: Bytes, _ mode: UInt16) throws(FileError) -> Void,
    replace: @escaping @Sendable (_ path: String, _ text: String) throws(FileError) -> Void,
    link: @escaping @Sendable (_ path: String, _ target: String) throws(FileError) -> Void,
    rename: @escaping @Sendable (_ path: String, _ target: String) throws(FileError) -> Void,
    remove: @escaping @Sendable (_ path: String) throws(FileError) -> Void,
    settle: @escaping @Sendable () throws(FileError) -> Void
  ) {
    self.makeFolder = makeFolder
    self.write = write
    self.replace = replace
    self.link = link
    self.rename = rename
    self.remove = remove
    self.settle = settle
  }

  package static let live = KitFiles(
    makeFolder: { path throws(FileError) in try Directories.create(path) },
    write: { path, bytes, mode throws(FileError) in try Self.write(bytes, to: path, mode) },
    replace: { path, text throws(FileError) in try Bytes(Array(text.utf8)).write(to: path) },
    link: { path, target throws(FileError) in try Self.link(path, to: target) },
    rename: { path, target throws(FileError) in try FileSystem.rename(path, to: target) },
    remove: { path throws(FileError) in
      if FileStatus(ofLink: path)?.kind == .folder { FileSystem.removeTree(path) } else { try FileSystem.remove(path) }
    },
    // A kit has too many files to wait for each of them.
    settle: { sync() })

  private static func write(_ bytes: Bytes, to path: String, _ mode: UInt16) throws(FileError) {
    let file = try OpenFile(path, .emptying(mode), followsLinks: false)
    try withExtendedLifetime(bytes) { () throws(FileError) in try file.append(bytes.buffer) }
  }

  private static func link(_ path: String, to target: String) throws(FileError) {
    let beside = path + ".new"
    try FileSystem.remove(beside)
    guard symlink(target, beside) == 0 else { throw .last(.create, path) }
    try FileSystem.rename(beside, to: path)
    FileSystem.settle(FileSystem.folder(of: path))
  }
}
