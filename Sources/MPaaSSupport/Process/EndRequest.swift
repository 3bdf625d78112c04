#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The wish that a program that runs until it is told to end now does so: SIGINT or SIGTERM.
package enum EndRequest {
  /// The write end of the pipe that the signal handler tells through; set before the handler is.
  private nonisolated(unsafe) static var wakeUp: Int32 = -1

  /// Waits for a signal, which then does nothing else. A second one ends the process at once.
  package static func wait() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return }
    wakeUp = ends[1]
    for number in [SIGINT, SIGTERM] {
      signal(number) { number in
        signal(number, SIG_DFL)
        _ = write(EndRequest.wakeUp, "", 1)
      }
    }
    var byte: UInt8 = 0
    while read(ends[0], &byte, 1) < 0, errno == EINTR {}
  }
}
