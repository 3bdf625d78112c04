import Foundation

/// A program in a terminal of its own that a test types into, and whose screen it sees.
public final class PtySession: @unchecked Sendable {
  /// Errors of a session; all but the first hold the text of the last screen.
  public enum Failure: Error { case noTerminal, gone(screen: String), neverSeen(String, screen: String) }

  // `@unchecked Sendable`: used by one test, one step after another.
  private let master: FileHandle
  private let process = Process()
  /// The screen as the program has drawn it so far.
  public private(set) var screen: TerminalScreen

  /// Runs a line of shell; the terminal is its standard input, output and error, where the line says nothing else.
  public init(
    _ line: String, columns: Int = 80, rows: Int = 12, environment: [String: String] = [:]
  ) throws {
    guard let (number, name) = Self.pair() else { throw Failure.noTerminal }
    master = FileHandle(fileDescriptor: number, closeOnDealloc: true)
    screen = TerminalScreen(columns: columns, rows: rows)
    let slave = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard slave >= 0 else { throw Failure.noTerminal }
    let terminal = FileHandle(fileDescriptor: slave, closeOnDealloc: true)
    process.executableURL = URL(filePath: Command.find("setsid") ?? "/usr/bin/setsid")
    process.arguments = ["--ctty", "--wait", "sh", "-c", line]
    let base = ["TERM": "xterm-256color", "LC_ALL": "C", "MPAAS_LANG": "", "NO_COLOR": "", "CLICOLOR_FORCE": ""]
    let folders = [Command.mpaas.deletingLastPathComponent().path, Command.products.path]
    let path = (folders + [ProcessInfo.processInfo.environment["PATH"] ?? ""]).joined(separator: ":")
    process.environment = ProcessInfo.processInfo.environment.merging(base.merging(["PATH": path]) { $1 }) { $1 }
      .merging(environment) { $1 }
    process.standardInput = terminal
    process.standardOutput = terminal
    process.standardError = terminal
    setSize(columns, rows)
    try withNoSignalsBlocked { try process.run() }
    try? terminal.close()
  }

  /// A new terminal: our end of it, and the path of the other.
  private static func pair() -> (number: Int32, name: String)? {
    #if os(Linux)
      // Not all of <stdlib.h> is seen from Swift; these are the calls below it.
      let number = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
      var lock: Int32 = 0
      var index: UInt32 = 0
      guard number >= 0, ioctl(number, 0x4004_5431, &lock) == 0, ioctl(number, 0x8004_5430, &index) == 0 else {
        return nil
      }
      return (number, "/dev/pts/\(index)")
    #else
      let number = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)
      guard number >= 0, grantpt(number) == 0, unlockpt(number) == 0, let name = ptsname(number) else { return nil }
      return (number, String(cString: name))
    #endif
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
  }

  /// Types a text, as UTF-8.
  public func type(_ keys: String) {
    try? master.write(contentsOf: Data(keys.utf8))
  }

  /// Types bytes, such as those of a key without a character.
  public func type(bytes: [UInt8]) {
    try? master.write(contentsOf: Data(bytes))
  }

  /// The present treatment of typed text by the terminal.
  public struct Modes: Sendable, Equatable {
    /// Its flags for input, output, control and local things, in this order.
    let flags: [UInt]
    /// True where the terminal shows what is typed (`ECHO`).
    public let showsKeys: Bool
    /// True where the program gets whole lines (`ICANON`).
    public let readsLines: Bool
  }

  /// The modes that the terminal is in now.
  public var modes: Modes {
    var modes = termios()
    _ = tcgetattr(master.fileDescriptor, &modes)
    return Modes(
      flags: [modes.c_iflag, modes.c_oflag, modes.c_cflag, modes.c_lflag].map { UInt($0) },
      showsKeys: modes.c_lflag & tcflag_t(ECHO) != 0, readsLines: modes.c_lflag & tcflag_t(ICANON) != 0)
  }

  /// Waits until the terminal treats what is typed as it should.
  public func waitForModes(_ isSeen: (Modes) -> Bool) throws {
    let end = ContinuousClock.now + .seconds(60)
    while !isSeen(modes) {
      if ContinuousClock.now > end { throw Failure.neverSeen("the terminal's modes", screen: screen.text) }
      usleep(5000)
    }
  }

  /// Gives the terminal another size, which the program is told by a signal.
  public func resize(columns: Int, rows: Int) {
    screen = TerminalScreen(columns: columns, rows: rows)
    setSize(columns, rows)
  }

  private func setSize(_ columns: Int, _ rows: Int) {
    var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(master.fileDescriptor, UInt(TIOCSWINSZ), &size)
  }

  /// Waits until the screen is as it should be.
  @discardableResult
  public func waitFor(_ what: String, _ isSeen: (TerminalScreen) -> Bool) throws -> TerminalScreen {
    // Far more than it ever takes; only a test that fails waits so long.
    let end = ContinuousClock.now + .seconds(60)
    while !isSeen(screen) {
      guard try readMore(until: end) else {
        if isSeen(screen) { break }
        throw Failure.gone(screen: screen.text)
      }
      if ContinuousClock.now > end { throw Failure.neverSeen(what, screen: screen.text) }
    }
    return screen
  }

  /// Waits until a text stands somewhere on the screen.
  @discardableResult
  public func waitFor(_ text: String) throws -> TerminalScreen {
    try waitFor(text) { $0.text.contains(text) }
  }

  /// Reads what comes next; false at the end.
  private func readMore(until end: ContinuousClock.Instant) throws -> Bool {
    var watched = [pollfd(fd: master.fileDescriptor, events: Int16(POLLIN), revents: 0)]
    while true {
      let count = poll(&watched, 1, 1000)
      if count > 0 { break }
      if ContinuousClock.now > end { return true }
    }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = read(master.fileDescriptor, &buffer, buffer.count)
    guard count > 0 else { return false }
    screen.feed(buffer[..<count])
    return true
  }

  /// Waits for the end, and gives the status of the line.
  public func end() throws -> Int32 {
    while try readMore(until: ContinuousClock.now + .seconds(60)) {}
    process.waitUntilExit()
    return process.terminationReason == .uncaughtSignal ? 128 + process.terminationStatus : process.terminationStatus
  }

  /// Sends a signal to all processes in the terminal's session.
  public func signal(_ number: Int32, program: String) throws {
    _ = try Command.run("pkill", ["-\(number)", "-s", "\(session)", "-x", program])
  }

  private var session: pid_t {
    // The child of setsid leads the session, or setsid itself where it needed no child.
    let found = (try? Command.run("pgrep", ["-P", "\(process.processIdentifier)"]).output) ?? ""
    return found.split(separator: "\n").first.flatMap { pid_t($0) } ?? process.processIdentifier
  }
}
