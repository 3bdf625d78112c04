package import MPaaSSupport
import SystemPackage

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The terminal that a person sits at, whatever standard input and output are, with every key handed over as it is.
///
/// However the process ends, the terminal is as it was before: signals that end it put it back first. One at a time.
package final class TerminalDevice: @unchecked Sendable {
  package enum Event: Sendable, Equatable {
    case bytes([UInt8])
    /// Another size, or the program goes on after it was stopped: everything is to be drawn again.
    case changed
    /// `wake` was called.
    case woken
    case timeout
    /// Nobody sits there any more.
    case ended
  }

  // `@unchecked Sendable`: `wake` only writes to a pipe; all else is called by one thread.
  private let descriptor: Int32
  private let pipe: (read: Int32, write: Int32)
  /// What turns the screen on, and off.
  private let begin: String
  private let end: String

  /// Opens the terminal and takes it over.
  ///
  /// - Parameters:
  ///   - begin: What is written to it now and after each pause.
  ///   - end: What is written when it is given back.
  /// - Throws: `FileError` where there is none.
  package init(begin: String, end: String) throws(FileError) {
    descriptor = try Self.open()
    var ends: [Int32] = [-1, -1]
    guard Self.makePipe(&ends) else {
      let error = FileError.last(.open, "/dev/tty")
      close(descriptor)
      throw error
    }
    pipe = (ends[0], ends[1])
    self.begin = begin
    self.end = end
    TerminalGuard.begin(descriptor, wake: ends[1], end: end)
    enter()
  }

  deinit {
    leave()
    TerminalGuard.end()
    close(pipe.read)
    close(pipe.write)
    close(descriptor)
  }

  private static func open() throws(FileError) -> Int32 {
    #if canImport(Darwin)
      // There poll does not know /dev/tty.
      let path = [2, 1, 0].lazy.compactMap { ttyname($0) }.first.map { String(cString: $0) } ?? "/dev/tty"
      let descriptor = Darwin.open(path, O_RDWR | O_CLOEXEC | O_NOCTTY)
    #elseif canImport(Glibc)
      let path = "/dev/tty"
      let descriptor = Glibc.open(path, O_RDWR | O_CLOEXEC | O_NOCTTY)
    #else
      let path = "/dev/tty"
      let descriptor = Musl.open(path, O_RDWR | O_CLOEXEC | O_NOCTTY)
    #endif
    guard descriptor >= 0 else { throw .last(.open, path) }
    return descriptor
  }

  private static func makePipe(_ ends: inout [Int32]) -> Bool {
    #if canImport(Darwin)
      guard Darwin.pipe(&ends) == 0 else { return false }
    #elseif canImport(Glibc)
      guard Glibc.pipe(&ends) == 0 else { return false }
    #else
      guard Musl.pipe(&ends) == 0 else { return false }
    #endif
    for number in ends {
      _ = fcntl(number, F_SETFD, FD_CLOEXEC)
      _ = fcntl(number, F_SETFL, O_NONBLOCK)
    }
    return true
  }

  private func enter() {
    TerminalGuard.makeRaw()
    write(begin)
  }

  /// Gives the terminal back; it may be called again.
  package func leave() {
    TerminalGuard.restore()
  }

  /// Stops the program as Ctrl-Z does, and goes on when the shell says so.
  package func suspend() {
    leave()
    kill(0, SIGTSTP)
    enter()
  }

  /// Columns and rows now.
  package var size: (columns: Int, rows: Int) {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return (80, 24) }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Ends the wait of the thread that reads; any thread may.
  package func wake() {
    TerminalGuard.tell(pipe.write, UInt8(ascii: "w"))
  }

  /// Waits for what is next.
  ///
  /// - Parameter milliseconds: nil for any time.
  package func next(within milliseconds: Int32? = nil) -> Event {
    var watched = [
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: pipe.read, events: Int16(POLLIN), revents: 0),
    ]
    while true {
      let count = poll(&watched, 2, milliseconds ?? -1)
      if count == 0 { return .timeout }
      if count > 0 { break }
      if errno != EINTR { return .ended }
    }
    if watched[1].revents != 0 {
      let told = read(pipe.read)
      if told.contains(UInt8(ascii: "c")) {
        // Who stopped the program may have set the terminal to something else.
        enter()
        return .changed
      }
      return told.contains(UInt8(ascii: "s")) ? .changed : .woken
    }
    let bytes = read(descriptor)
    return bytes.isEmpty ? .ended : .bytes(bytes)
  }

  private func read(_ number: Int32) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      #if canImport(Darwin)
        let count = Darwin.read(number, &buffer, buffer.count)
      #elseif canImport(Glibc)
        let count = Glibc.read(number, &buffer, buffer.count)
      #else
        let count = Musl.read(number, &buffer, buffer.count)
      #endif
      if count >= 0 { return Array(buffer[..<count]) }
      if errno != EINTR { return [] }
    }
  }

  /// Writes to the terminal.
  package func write(_ text: String) {
    TerminalGuard.write(descriptor, Array(text.utf8))
  }
}

/// What puts a terminal back: memory and calls that a signal handler may use.
private enum TerminalGuard {
  private nonisolated(unsafe) static var descriptor: Int32 = -1
  private nonisolated(unsafe) static var wakeUp: Int32 = -1
  private nonisolated(unsafe) static var isRaw: sig_atomic_t = 0
  private nonisolated(unsafe) static let before = UnsafeMutablePointer<termios>.allocate(capacity: 1)
  private nonisolated(unsafe) static var ending = UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)
  private nonisolated(unsafe) static let actions = UnsafeMutablePointer<sigaction>.allocate(capacity: 64)

  private static let fatal = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGABRT, SIGSEGV, SIGILL, SIGTRAP, SIGFPE]

  static func begin(_ number: Int32, wake: Int32, end: String) {
    descriptor = number
    wakeUp = wake
    before.initialize(to: termios())
    tcgetattr(number, before)
    let bytes = Array(end.utf8)
    ending = .allocate(capacity: bytes.count)
    _ = ending.initialize(from: bytes)
    for number in fatal {
      guard sigaction(number, nil, actions + Int(number)) == 0 else { continue }
      signal(number) { number in
        TerminalGuard.restore()
        // What was meant to happen happens now: at once where the fault is met again, else when it is raised.
        sigaction(number, TerminalGuard.actions + Int(number), nil)
        raise(number)
      }
    }
    sigaction(SIGWINCH, nil, actions + Int(SIGWINCH))
    signal(SIGWINCH) { _ in TerminalGuard.tell(TerminalGuard.wakeUp, UInt8(ascii: "s")) }
    sigaction(SIGCONT, nil, actions + Int(SIGCONT))
    signal(SIGCONT) { _ in TerminalGuard.tell(TerminalGuard.wakeUp, UInt8(ascii: "c")) }
  }

  static func end() {
    for number in fatal + [SIGWINCH, SIGCONT] { sigaction(number, actions + Int(number), nil) }
    descriptor = -1
    wakeUp = -1
    ending.deallocate()
    ending = UnsafeMutableBufferPointer(start: nil, count: 0)
  }

  static func makeRaw() {
    var raw = before.pointee
    cfmakeraw(&raw)
    // Signs that are written go to the next line as usual.
    raw.c_oflag = before.pointee.c_oflag
    tcsetattr(descriptor, TCSADRAIN, &raw)
    isRaw = 1
  }

  static func restore() {
    guard isRaw != 0 else { return }
    isRaw = 0
    write(descriptor, ending.baseAddress, ending.count)
    tcsetattr(descriptor, TCSADRAIN, before)
  }

  static func write(_ number: Int32, _ bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { write(number, $0.baseAddress, $0.count) }
  }

  private static func write(_ number: Int32, _ start: UnsafePointer<UInt8>?, _ count: Int) {
    guard var place = start else { return }
    var rest = count
    while rest > 0 {
      #if canImport(Darwin)
        let written = Darwin.write(number, place, rest)
      #elseif canImport(Glibc)
        let written = Glibc.write(number, place, rest)
      #else
        let written = Musl.write(number, place, rest)
      #endif
      if written > 0 {
        place += written
        rest -= written
      } else if errno != EINTR {
        return
      }
    }
  }

  static func tell(_ number: Int32, _ byte: UInt8) {
    var byte = byte
    let saved = errno
    write(number, &byte, 1)
    errno = saved
  }
}
