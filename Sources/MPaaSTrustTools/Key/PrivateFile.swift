import MPaaSSupport
package import MPaaSTrust

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Files that only their owner may read.
package enum PrivateFile {
  /// Keys are small; nothing larger is read.
  package static let limit = 1 << 20

  /// Reads a file that only its owner may read.
  ///
  /// - Throws: `TrustError` `key-file-permissions` where its group or others may do anything with it, or where it
  ///   belongs to somebody else; `key-file-too-large`.
  package static func read(_ path: String) throws(TrustError) -> SecretBytes {
    let file = try opened(path)
    // The open file is asked, not its name: nothing can be put in its place in between.
    if let mode = try modeOpenToOthers(file) {
      throw TrustError(.keyFilePermissions, ["path": path, "mode": String(mode, radix: 8)], at: .file(path))
    }
    return try read(descriptor: file.descriptor, path)
  }

  /// Reads a file whoever else may read it, and says whether somebody may.
  package static func readAnyway(_ path: String) throws(TrustError) -> (bytes: SecretBytes, isOpenToOthers: Bool) {
    let file = try opened(path)
    let isOpen = try modeOpenToOthers(file) != nil
    return (try read(descriptor: file.descriptor, path), isOpen)
  }

  private static func opened(_ path: String) throws(TrustError) -> OpenFile {
    do throws(FileError) { return try OpenFile(path) } catch { throw TrustError(error) }
  }

  /// The permissions of a file that not only its owner has; nil where they are as they should be.
  private static func modeOpenToOthers(_ file: borrowing OpenFile) throws(TrustError) -> mode_t? {
    var status = stat()
    guard fstat(file.descriptor, &status) == 0 else { throw TrustError(.last(.read, file.path)) }
    // A pipe, as `--key <(…)` makes one, has no permissions that mean anything.
    guard status.st_mode & S_IFMT == S_IFREG else { return nil }
    let isPrivate = status.st_mode & 0o077 == 0 && (status.st_uid == geteuid() || status.st_uid == 0)
    return isPrivate ? nil : status.st_mode & 0o7777
  }

  /// Reads an open file to its end.
  ///
  /// - Parameter path: What errors call it.
  package static func read(descriptor: Int32, _ path: String) throws(TrustError) -> SecretBytes {
    // A key that comes in pieces is in memory before all of it is.
    CoreDumps.forbid()
    var bytes = [UInt8](repeating: 0, count: limit + 1)
    defer { SecretBytes.wipe(&bytes) }
    var count = 0
    while count <= limit {
      let taken = bytes.withUnsafeMutableBytes { buffer in
        readOnce(descriptor, UnsafeMutableRawBufferPointer(rebasing: buffer[count...]))
      }
      if taken == 0 { break }
      if taken > 0 { count += taken } else if errno != EINTR { throw TrustError(.last(.read, path)) }
    }
    guard count <= limit else { throw TrustError(.keyFileTooLarge, ["path": path], at: .file(path)) }
    return bytes.withUnsafeBytes { SecretBytes(copying: UnsafeRawBufferPointer(rebasing: $0[..<count])) }
  }

  private static func readOnce(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    #if canImport(Darwin)
      Darwin.read(descriptor, buffer.baseAddress, buffer.count)
    #elseif canImport(Glibc)
      Glibc.read(descriptor, buffer.baseAddress, buffer.count)
    #else
      Musl.read(descriptor, buffer.baseAddress, buffer.count)
    #endif
  }

  /// Writes a file that only its owner may read, at once or not at all.
  package static func write(_ bytes: some Collection<UInt8>, to path: String) throws(TrustError) {
    do throws(FileError) {
      try Bytes(bytes).write(to: path, mode: 0o600)
      // A key may be the only one that opens or speaks for something.
      FileSystem.settle(FileSystem.folder(of: path))
    } catch {
      throw TrustError(error)
    }
  }

  /// Makes a folder that only its owner may enter; one that is there stays as it is.
  package static func createFolder(_ path: String) throws(TrustError) {
    guard FileStatus(path)?.kind != .folder else { return }
    do throws(FileError) {
      try Directories.create(FileSystem.folder(of: path))
    } catch {
      throw TrustError(error)
    }
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw TrustError(.last(.create, path)) }
  }
}

extension TrustError.Code {
  package static let keyFilePermissions = refused("key-file-permissions")
  package static let keyFileTooLarge = malformed("key-file-too-large")
}
