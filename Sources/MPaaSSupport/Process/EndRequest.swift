#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The wish that a program that runs until it is told to end now does so: SIGINT or SIGTERM.
///
/// From when it is made the signals only wake up who waits; a second one of a kind ends the process at once. One at a time.
package struct EndRequest: ~Copyable {
  /// The write end of the pipe that the signal handler tells through; set before the handler is.
  private nonisolated(unsafe) static var wakeUp: Int32 = -1
  private let readEnd: Int32

  package init() {
    var ends: [Int32] = [-1, -1]
    // Without a pipe nobody can wait, and the signals go on ending the process.
    guard pipe(&ends) == 0 else {
      readEnd = -1
      return
    }
    readEnd = ends[0]
    Self.wakeUp = ends[1]
    for number in [SIGINT, SIGTERM] {
      signal(number) { number in
        signal(number, SIG_DFL)
        _ = write(EndRequest.wakeUp, "", 1)
      }
    }
  }

  /// Waits for a signal that comes, or came since the request was made.
  package func wait() {
    guard readEnd >= 0 else {
      pause()
      return
    }
    var byte: UInt8 = 0
    while read(readEnd, &byte, 1) < 0, errno == EINTR {}
  }
}
