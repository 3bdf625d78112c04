package import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The input of the command from the user or a pipe.
package enum StandardInput {
  package static var isTerminal: Bool { isatty(0) == 1 }

  /// Reads what there is, at most as much as `buffer` holds, and waits where there is nothing yet.
  ///
  /// - Returns: The number of bytes read, 0 at the end.
  package static func read(into buffer: inout [UInt8]) throws(FileError) -> Int {
    while true {
      let count = buffer.withUnsafeMutableBytes { readOnce($0) }
      if count >= 0 { return count }
      if errno != EINTR { throw .last(.read, "stdin") }
    }
  }

  private static func readOnce(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    #if canImport(Darwin)
      Darwin.read(0, buffer.baseAddress, buffer.count)
    #elseif canImport(Glibc)
      Glibc.read(0, buffer.baseAddress, buffer.count)
    #else
      Musl.read(0, buffer.baseAddress, buffer.count)
    #endif
  }
}
