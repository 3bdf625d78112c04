#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The wish that a program that runs until it is told to end now does so: SIGINT or SIGTERM.
///
/// From when it is made the signals only wake up who waits; a second one of a kind ends the process at once. One at a
/// time.
package struct EndRequest: ~Copyable {
  /// The wish of a signal.
  package enum Wish: Sendable, Equatable {
    case end
    /// SIGHUP: to read again what was read at the start.
    case reload
  }

  /// The write end of the pipe that the signal handler tells through; set before the handler is.
  private nonisolated(unsafe) static var wakeUp: Int32 = -1
  private let readEnd: Int32

  /// - Parameter reloads: Whether SIGHUP is a wish too, instead of ending the process.
  package init(reloads: Bool = false) {
    var ends: [Int32] = [-1, -1]
    // Without a pipe there is no waiting, and the signals go on ending the process.
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
    guard reloads else { return }
    signal(SIGHUP) { _ in _ = write(EndRequest.wakeUp, "\u{1}", 1) }
  }

  /// Waits for the next wish; nil where none came for so long.
  package func next(within limit: Duration) -> Wish? {
    guard readEnd >= 0 else {
      pause()
      return .end
    }
    let deadline = ContinuousClock.now + limit
    while true {
      let left = max(ContinuousClock.now.duration(to: deadline), .zero).components
      var waited = pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0)
      let count = poll(&waited, 1, Int32(clamping: left.seconds * 1000 + left.attoseconds / 1_000_000_000_000_000))
      if count == 0 { return nil }
      guard count > 0 else { continue }
      var byte: UInt8 = 0
      if read(readEnd, &byte, 1) == 1 { return byte == 1 ? .reload : .end }
    }
  }

  /// Waits for a signal that comes, or came since the request was made.
  package func wait() {
    guard readEnd >= 0 else {
      pause()
      return
    }
    var byte: UInt8 = 0
    while true {
      if read(readEnd, &byte, 1) < 0, errno == EINTR { continue }
      if byte != 1 { return }
    }
  }
}
