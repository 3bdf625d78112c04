#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Folders and files that only their owner may read.
package enum PrivateFolder {
  /// Makes a folder with the permissions 0700; those above it get the usual ones.
  ///
  /// One that is there stays as it is.
  package static func create(_ path: String) throws(FileError) {
    guard !path.isEmpty else { return }
    if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
    guard errno == ENOENT else { throw .last(.create, path) }
    try Directories.create(FileSystem.folder(of: path))
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .last(.create, path) }
  }

  /// Takes from others what they may do with a folder of this user; another user's stays as it is.
  package static func close(_ path: String) throws(FileError) { try restrict(path, O_DIRECTORY, to: 0o700) }

  /// Takes from others what they may do with a file of this user; one that is not there is made or passed over.
  package static func closeFile(_ path: String, isMade: Bool) throws(FileError) {
    try restrict(path, isMade ? O_CREAT : 0, to: 0o600)
  }

  private static func restrict(_ path: String, _ flags: Int32, to mode: mode_t) throws(FileError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | flags, mode)
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == EACCES { return }
      throw .last(.open, path)
    }
    let file = OpenFile(descriptor: descriptor, path: path)
    var status = stat()
    guard fstat(file.descriptor, &status) == 0, status.st_uid == geteuid(), status.st_mode & 0o077 != 0 else { return }
    guard fchmod(file.descriptor, mode) == 0 else { throw .last(.create, path) }
  }
}
