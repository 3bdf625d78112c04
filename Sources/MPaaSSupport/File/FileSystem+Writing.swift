#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

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
