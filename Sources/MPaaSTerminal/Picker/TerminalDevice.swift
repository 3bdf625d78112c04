package import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The terminal that a person sits at, whatever standard input and output are, with every key handed over as it is.
///
/// However the process ends or stops, the terminal is as it was before: see `TerminalGuard`. One at a time.
package final class TerminalDevice: @unchecked Sendable {
  package enum Event: Sendable, Equatable {
    case bytes([UInt8])
    /// Another size, or the program goes on after it was stopped: everything is to be drawn again.
    case changed
    /// `wake` was called.
    case woken
    case timeout
    /// The person at the terminal is gone.
    case ended
  }

  // `@unchecked Sendable`: `wake` only writes to a pipe; all else is called by one thread.
  private let device: OpenFile
  private let pipe: OpenPipe
  /// The codes that turn the screen on, and off.
  private let begin: String
  private let end: String

  /// Opens the terminal and takes it over.
  ///
  /// - Parameters:
  ///   - begin: What is written to it now and after each pause.
  ///   - end: What is written when it is given back.
  /// - Throws: `FileError` where there is none.
  package init(begin: String, end: String) throws(FileError) {
    device = try Self.open()
    do throws(FileError) {
      pipe = try OpenPipe(waits: false)
    } catch {
      throw FileError(.open, "/dev/tty", error.code)
    }
    self.begin = begin
    self.end = end
    TerminalGuard.begin(device.descriptor, .raw, giveBack: end, wake: pipe.writing.descriptor)
    enter()
  }

  deinit { TerminalGuard.end() }

  private static func open() throws(FileError) -> OpenFile {
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
    return OpenFile(descriptor: descriptor, path: path)
  }

  private func enter() {
    TerminalGuard.take()
    write(begin)
  }

  /// Gives the terminal back; it may be called again.
  package func leave() {
    TerminalGuard.giveBack()
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
    guard ioctl(device.descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return (80, 24)
    }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Ends the wait of the thread that reads; any thread may.
  package func wake() {
    TerminalGuard.tell(pipe.writing.descriptor, UInt8(ascii: "w"))
  }

  /// Waits for what is next.
  ///
  /// - Parameter milliseconds: nil for any time.
  package func next(within milliseconds: Int32? = nil) -> Event {
    var watched = [
      pollfd(fd: device.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: pipe.reading.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    while true {
      let count = poll(&watched, 2, milliseconds ?? -1)
      if count == 0 { return .timeout }
      if count > 0 { break }
      if errno != EINTR { return .ended }
    }
    if watched[1].revents != 0 {
      let told = read(pipe.reading.descriptor)
      if told.contains(UInt8(ascii: "c")) {
        // The shell that stopped the program may have set the terminal to something else.
        enter()
        return .changed
      }
      return told.contains(UInt8(ascii: "s")) ? .changed : .woken
    }
    let bytes = read(device.descriptor)
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
    TerminalGuard.write(device.descriptor, Array(text.utf8))
  }
}
