import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension Terminal {
  /// Asks for something that must not be seen: what is typed does not appear.
  ///
  /// Ctrl-Z stops the program; when it goes on the question is asked anew. However the program ends or stops, the
  /// terminal shows again what is typed, SIGKILL and SIGSTOP apart, which no program can catch.
  ///
  /// - Parameter option: The option that answers it without a question.
  /// - Returns: The bytes that were typed.
  /// - Throws: `input-needed` where there is no person to ask; `CancellationError` at Ctrl-C.
  package func askSecret(_ question: String, option: String) throws -> [UInt8] {
    guard settings.allowsInput, errors.isTerminal, StandardInput.isTerminal else {
      throw Diagnostic("input-needed", ["question": question, "option": option], exit: .usage)
    }
    let question = errorStyle.render(StyledText(question, .emphasis) + " ")
    defer { errors.write("\n") }
    return try readUnseen(question)
  }

  /// Reads a line key by key, so that Ctrl-C and Ctrl-Z come here too.
  ///
  /// Typing is hidden before the question is seen, so that a quick answer does not show.
  private func readUnseen(_ question: String) throws -> [UInt8] {
    var before = termios()
    guard tcgetattr(0, &before) == 0 else { throw FileError.last(.read, "stdin") }
    let suspend = Self.suspendKey(of: before)
    let mask = Self.openToStops()
    TerminalGuard.begin(0, .unseen, question: question)
    TerminalGuard.take()
    defer {
      TerminalGuard.end()
      Self.close(mask)
    }
    errors.write(question)
    var typed: [UInt8] = []
    typed.reserveCapacity(Self.longestSecret)
    var key = [UInt8](repeating: 0, count: 1)
    var asked = TerminalGuard.questions
    while try StandardInput.read(into: &key) == 1 {
      if asked != TerminalGuard.questions {
        asked = TerminalGuard.questions
        typed.removeAll(keepingCapacity: true)
      }
      switch key[0] {
      case 0x0a, 0x0d: return typed
      case 0x03, 0x1c: throw CancellationError()
      case 0x04 where typed.isEmpty: throw CancellationError()
      case suspend: kill(0, SIGTSTP)
      case 0x08, 0x7f: Self.removeCharacter(&typed)
      case 0x15: typed.removeAll(keepingCapacity: true)
      default: if typed.count < Self.longestSecret { typed.append(key[0]) }
      }
    }
    return typed
  }

  /// The key that stops a program, Ctrl-Z mostly; nil where the terminal has none.
  private static func suspendKey(of modes: termios) -> UInt8? {
    let key = withUnsafeBytes(of: modes.c_cc) { $0[Int(VSUSP)] }
    let none: UInt8 = fpathconf(0, Int32(_PC_VDISABLE)) == 0xff ? 0xff : 0
    return modes.c_lflag & tcflag_t(ISIG) == 0 || key == none ? nil : key
  }

  /// Lets the system stop this thread where it reads in the background; threads of tasks hold signals back.
  ///
  /// - Returns: What it held back before.
  private static func openToStops() -> sigset_t {
    var stops = sigset_t()
    var before = sigset_t()
    sigemptyset(&stops)
    for number in [SIGTSTP, SIGTTIN, SIGTTOU] { sigaddset(&stops, number) }
    pthread_sigmask(SIG_UNBLOCK, &stops, &before)
    return before
  }

  private static func close(_ mask: sigset_t) {
    var mask = mask
    pthread_sigmask(SIG_SETMASK, &mask, nil)
  }

  /// Bytes.
  private static let longestSecret = 1024

  /// Takes the last character away, of as many bytes as UTF-8 gave it.
  private static func removeCharacter(_ typed: inout [UInt8]) {
    while let last = typed.popLast() {
      if last & 0xc0 != 0x80 { return }
    }
  }
}
