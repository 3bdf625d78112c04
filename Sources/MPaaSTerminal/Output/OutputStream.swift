import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The destination of text: a file descriptor, or a test's memory.
package struct OutputStream: Sendable {
  /// Tells whether a person looks at it.
  package let isTerminal: Bool
  /// Columns of the terminal now; nil for what is not one.
  package let width: @Sendable () -> Int?
  /// Writes all bytes; a reader that went away ends the process quietly.
  package let write: @Sendable (String) -> Void
  /// The same for bytes that are UTF-8 already.
  package let writeBytes: @Sendable (UnsafeRawBufferPointer) -> Void

  package init(
    isTerminal: Bool, width: @escaping @Sendable () -> Int?, write: @escaping @Sendable (String) -> Void,
    writeBytes: (@Sendable (UnsafeRawBufferPointer) -> Void)? = nil
  ) {
    self.isTerminal = isTerminal
    self.width = width
    self.write = write
    self.writeBytes = writeBytes ?? { write(String(decoding: $0, as: UTF8.self)) }
  }

  package static let standardOutput = descriptor(1)
  package static let standardError = descriptor(2)

  private static func descriptor(_ number: Int32) -> OutputStream {
    OutputStream(
      isTerminal: isatty(number) == 1,
      width: {
        var size = winsize()
        guard isatty(number) == 1, ioctl(number, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
      },
      write: { text in
        var text = text
        text.withUTF8 { writeAll(number, UnsafeRawBufferPointer($0)) }
      },
      writeBytes: { writeAll(number, $0) })
  }

  private static func writeAll(_ number: Int32, _ bytes: UnsafeRawBufferPointer) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = FileSystem.writeOnce(number, UnsafeRawBufferPointer(rebasing: rest))
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno == EPIPE {
        // The status that a shell shows for a program that SIGPIPE ended.
        ProcessEnd.now(128 + SIGPIPE)
      } else if errno != EINTR && errno != EAGAIN {
        // A full disk must not look like success; for standard error there is nowhere left to say it.
        if number == 1 { failed(errno) }
        return
      }
    }
  }

  private static func failed(_ code: Int32) -> Never {
    standardError.write("error: standard output: \(String(cString: strerror(code)))\n")
    ProcessEnd.now(74)
  }
}
