import MPaaSSupport

extension KeyValueFolder {
  /// The system's folders.
  package static let disk = KeyValueFolder(
    open: { path, opening throws(FileError) in
      guard FileStatus(path) != nil || opening == .making else { return nil }
      if opening == .making, FileStatus(path)?.size ?? 0 == 0 { try begin(path) }
      let file = try OpenFile(path, opening == .reading ? .reading : .writing)
      return try DiskKeyValueFile(file)
    },
    make: { path throws(FileError) in
      let file = try OpenFile(unique: path, called: path)
      let name = file.path
      do throws(FileError) {
        try file.resize(to: UInt64(KeyValueHeader.size))
        let made = try DiskKeyValueFile(file)
        return NewKeyValueFile(
          file: made,
          place: { () throws(FileError) in
            try FileSystem.rename(name, to: path)
            FileSystem.settle(FileSystem.folder(of: path))
          },
          discard: { try? FileSystem.remove(name) })
      } catch {
        try? FileSystem.remove(name)
        throw error
      }
    })

  /// Makes a file that has room for a header and nothing else; one that another process was faster with stays.
  private static func begin(_ path: String) throws(FileError) {
    let file = try OpenFile(path, .making(0o600))
    // The second of two processes finds the size that the first has made.
    if case .impossible(let error) = file.lock(waits: true) { throw error }
    guard let status = file.status, status.size == 0 else { return }
    try file.resize(to: UInt64(KeyValueHeader.size))
    FileSystem.settle(FileSystem.folder(of: path))
  }
}
