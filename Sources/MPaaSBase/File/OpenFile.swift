#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// An open file, folder or device, closed when its owner goes; programs that this one starts do not get it.
package struct OpenFile: ~Copyable, Sendable {
  /// The ways in which a file is opened.
  package enum Opening: Sendable {
    case reading
    /// For reading and writing.
    case writing
    /// For reading and writing; made with these permissions where it is not there.
    case making(UInt16)
    /// The same; what it holds goes.
    case emptying(UInt16)
    /// As `making`; every write goes to the end of the file.
    case appending(UInt16)
    case folder
  }

  /// The path under which it was opened.
  package let path: String
  package let descriptor: Int32
  /// The path that errors name.
  package let name: String

  /// - Parameters:
  ///   - followsLinks: Whether `path` may be a symbolic link.
  ///   - name: The path that errors name once it is open.
  /// - Throws: `FileError` where it cannot be opened or made.
  package init(
    _ path: String, _ opening: Opening = .reading, followsLinks: Bool = true, called name: String? = nil
  ) throws(FileError) {
    let flags = O_CLOEXEC | (followsLinks ? 0 : O_NOFOLLOW)
    let descriptor: Int32
    var operation = FileError.Operation.open
    switch opening {
    case .reading: descriptor = open(path, flags | O_RDONLY)
    case .writing: descriptor = open(path, flags | O_RDWR)
    case .making(let mode): (descriptor, operation) = (open(path, flags | O_RDWR | O_CREAT, mode_t(mode)), .create)
    case .emptying(let mode):
      (descriptor, operation) = (open(path, flags | O_RDWR | O_CREAT | O_TRUNC, mode_t(mode)), .create)
    case .appending(let mode):
      (descriptor, operation) = (open(path, flags | O_RDWR | O_CREAT | O_APPEND, mode_t(mode)), .create)
    case .folder: descriptor = open(path, flags | O_RDONLY | O_DIRECTORY)
    }
    guard descriptor >= 0 else { throw .last(operation, path) }
    self.init(descriptor: descriptor, path: path, called: name)
  }

  /// Makes a file of a name that no other has, for its owner alone to read and write.
  ///
  /// - Parameters:
  ///   - start: The path before the dot and the six characters that make it unique.
  ///   - name: The path that errors name.
  /// - Throws: `FileError` where no file can be made there.
  package init(unique start: String, called name: String) throws(FileError) {
    var path = Array((start + ".XXXXXX").utf8CString)
    let descriptor = mkstemp(&path)
    guard descriptor >= 0 else { throw .last(.create, name) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    self.init(
      descriptor: descriptor, path: String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self),
      called: name)
  }

  /// Takes over a descriptor of an open file, which is this one's to close from now on.
  ///
  /// - Parameter name: The path that errors name.
  package init(descriptor: Int32, path: String, called name: String? = nil) {
    self.descriptor = descriptor
    self.path = path
    self.name = name ?? path
  }

  /// The status that the file system gives of it now.
  package var status: FileStatus? { FileStatus(of: descriptor) }

  /// True while its path leads to it.
  package var hasName: Bool {
    status.map { $0.identity == FileStatus(ofLink: path)?.identity } ?? false
  }

  deinit { close(descriptor) }
}

/// An open file that several own, or that a collection holds.
package final class SharedFile: Sendable {
  package let file: OpenFile

  package init(_ file: consuming OpenFile) { self.file = file }
}
