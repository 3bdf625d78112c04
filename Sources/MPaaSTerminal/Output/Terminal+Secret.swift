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
  /// - Parameter option: The option that answers it without a question.
  /// - Returns: The bytes that were typed.
  /// - Throws: `input-needed` where nobody can be asked; `CancellationError` at Ctrl-C.
  package func askSecret(_ question: String, option: String) throws -> [UInt8] {
    guard settings.allowsInput, errors.isTerminal, StandardInput.isTerminal else {
      throw Diagnostic("input-needed", ["question": question, "option": option], exit: .usage)
    }
    errors.write(errorStyle.render(StyledText(question, .emphasis) + " "))
    defer { errors.write("\n") }
    return try Self.readUnseen()
  }

  /// Reads a line key by key, so that Ctrl-C comes here too and cannot leave a terminal behind that shows nothing.
  private static func readUnseen() throws -> [UInt8] {
    var before = termios()
    guard tcgetattr(0, &before) == 0 else { throw FileError.last(.read, "stdin") }
    var unseen = before
    unseen.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
    tcsetattr(0, TCSADRAIN, &unseen)
    defer { tcsetattr(0, TCSADRAIN, &before) }
    var typed: [UInt8] = []
    typed.reserveCapacity(longestSecret)
    var key = [UInt8](repeating: 0, count: 1)
    while try StandardInput.read(into: &key) == 1 {
      switch key[0] {
      case 0x0a, 0x0d: return typed
      case 0x03, 0x1c: throw CancellationError()
      case 0x04 where typed.isEmpty: throw CancellationError()
      case 0x08, 0x7f: removeCharacter(&typed)
      case 0x15: typed.removeAll(keepingCapacity: true)
      default: if typed.count < longestSecret { typed.append(key[0]) }
      }
    }
    return typed
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
