#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension OpenFile {
  /// Writes all of the bytes where the last write ended.
  ///
  /// - Throws: `FileError`; what was taken before it stays.
  package func append(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
    try FileSystem.writeAll(descriptor, bytes, name)
  }

  /// Writes all of the bytes where the last write ended.
  ///
  /// - Throws: `FileError`; what was taken before it stays.
  package func append(_ bytes: [UInt8]) throws(FileError) {
    try FileSystem.writeAll(descriptor, bytes, name)
  }

  /// Writes all of the bytes from a place on.
  ///
  /// - Throws: `FileError`; what was taken before it stays.
  package func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(FileError) {
    if let problem = problem(bytes, offset) { throw problem }
  }

  /// Writes all of the bytes from a place on.
  ///
  /// - Throws: `FileError`; what was taken before it stays.
  package func write(_ bytes: [UInt8], at offset: UInt64) throws(FileError) {
    if let problem = bytes.withUnsafeBytes({ problem($0, offset) }) { throw problem }
  }

  private func problem(_ bytes: UnsafeRawBufferPointer, _ offset: UInt64) -> FileError? {
    var done = 0
    while done < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
      let count = pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset) + off_t(done))
      if count > 0 { done += count } else if errno != EINTR { return .last(.write, name) }
    }
    return nil
  }

  /// Gives it this many bytes: what is behind them goes, and what is missing reads as zeros.
  package func resize(to size: UInt64) throws(FileError) {
    guard ftruncate(descriptor, off_t(size)) == 0 else { throw .last(.write, name) }
  }

  /// Has the bytes on the disk, and what the file system says of them; one that cannot promise it is no error.
  package func settle() throws(FileError) {
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw .last(.write, name) }
  }

  /// Has the bytes on the disk, without the times of the file where the system can leave them out.
  package func settleContent() throws(FileError) {
    #if canImport(Darwin)
      try settle()
    #else
      guard fdatasync(descriptor) == 0 || errno == EINVAL else { throw .last(.write, name) }
    #endif
  }

  /// Sets its permissions; those of another user's file stay as they are.
  ///
  /// - Parameter isMasked: Whether the ones are left out that new files do not get.
  package func permit(_ mode: UInt16, isMasked: Bool = false) {
    fchmod(descriptor, mode_t(isMasked ? mode & ~FileSystem.creationMask : mode))
  }
}

extension FileSystem {
  /// One write(2): how many bytes it took; negative, with `errno`, where it took none.
  package static func writeOnce(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
  }

  /// Writes all of the bytes, however many calls that takes.
  ///
  /// - Parameter path: What errors call the file.
  /// - Throws: `FileError`; what was taken before it stays.
  package static func writeAll(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, _ path: String) throws(FileError) {
    if let problem = problem(descriptor, bytes, path) { throw problem }
  }

  /// Writes all of the bytes, however many calls that takes.
  ///
  /// - Parameter path: What errors call the file.
  /// - Throws: `FileError`; what was taken before it stays.
  package static func writeAll(_ descriptor: Int32, _ bytes: [UInt8], _ path: String) throws(FileError) {
    if let problem = bytes.withUnsafeBytes({ problem(descriptor, $0, path) }) { throw problem }
  }

  private static func problem(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, _ path: String) -> FileError? {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = writeOnce(descriptor, UnsafeRawBufferPointer(rebasing: rest))
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        return .last(.write, path)
      }
    }
    return nil
  }
}
