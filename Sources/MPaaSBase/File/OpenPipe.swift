#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The two ends of a pipe, closed when their owner goes; programs that this one starts do not get them.
package struct OpenPipe: ~Copyable, Sendable {
  package let reading: OpenFile
  package let writing: OpenFile

  /// - Parameter waits: False if calls return at once where there is nothing to read, or no room.
  /// - Throws: `FileError` where the system has no descriptors left.
  package init(waits: Bool = true) throws(FileError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw .last(.open, "pipe") }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      if !waits { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    }
    reading = OpenFile(descriptor: ends[0], path: "pipe")
    writing = OpenFile(descriptor: ends[1], path: "pipe")
  }

  /// The end to read from; the other one is closed.
  package consuming func endToReadFrom() -> OpenFile { reading }

  /// The end to write to; the other one is closed.
  package consuming func endToWriteTo() -> OpenFile { writing }
}
