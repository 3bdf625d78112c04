/// The files that an operation reads and writes: the system's, or a test's memory.
package struct FileClient: Sendable {
  /// The kind of what is at a path; nil where there is nothing.
  package let kind: @Sendable (_ path: String) -> FileStatus.Kind?
  /// The permissions of what is at a path; nil where there is nothing.
  package let permissions: @Sendable (_ path: String) -> UInt16?
  package let read: @Sendable (_ path: String) throws(FileError) -> [UInt8]
  /// Puts bytes in the place of a file as a whole, or into a new one.
  package let write: @Sendable (_ bytes: [UInt8], _ path: String, _ mode: UInt16) throws(FileError) -> Void
  /// Makes a folder and those that it lies in; one that is there is fine.
  package let makeFolder: @Sendable (_ path: String) throws(FileError) -> Void

  package init(
    kind: @escaping @Sendable (_ path: String) -> FileStatus.Kind?,
    permissions: @escaping @Sendable (_ path: String) -> UInt16?,
    read: @escaping @Sendable (_ path: String) throws(FileError) -> [UInt8],
    write: @escaping @Sendable (_ bytes: [UInt8], _ path: String, _ mode: UInt16) throws(FileError) -> Void,
    makeFolder: @escaping @Sendable (_ path: String) throws(FileError) -> Void
  ) {
    self.kind = kind
    self.permissions = permissions
    self.read = read
    self.write = write
    self.makeFolder = makeFolder
  }

  package static let live = FileClient(
    kind: { FileStatus($0)?.kind }, permissions: { FileStatus($0)?.permissions },
    read: { path throws(FileError) in try Bytes.mapping(path).array },
    write: { bytes, path, mode throws(FileError) in try Bytes(bytes).write(to: path, mode: mode) },
    makeFolder: { path throws(FileError) in try Directories.create(path) })

  /// Puts bytes into a file with the permissions of a new one.
  package func write(_ bytes: [UInt8], to path: String) throws(FileError) {
    try write(bytes, path, 0o644)
  }

  /// Puts bytes in the place of a file, which keeps its permissions, or into a new one.
  package func replace(_ path: String, with bytes: [UInt8]) throws(FileError) {
    try write(bytes, path, permissions(path) ?? 0o644)
  }
}
