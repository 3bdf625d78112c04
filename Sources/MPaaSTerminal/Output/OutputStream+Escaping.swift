import MPaaSSupport
import MPaaSToolSupport

extension OutputStream {
  /// The content that is written, which decides how a terminal is kept from obeying it.
  enum Content {
    /// Lines of text: escapes such as `\u{1b}`; tabs and line breaks stay.
    case text
    /// JSON, whose own escapes are taken, so that it stays the same document.
    case json
  }

  /// The stream with everything escaped that is written to it.
  func escaping(_ content: Content) -> OutputStream {
    @Sendable func shown(_ bytes: UnsafeRawBufferPointer) -> String {
      switch content {
      case .text: VisibleText.of(bytes, keeping: [.tabs, .lines])
      case .json: VisibleText.of(String(decoding: bytes, as: UTF8.self), keeping: [.tabs, .lines], as: .json)
      }
    }
    let write = self.write
    return OutputStream(
      isTerminal: isTerminal, width: width,
      write: { text in
        var text = text
        write(text.withUTF8 { shown(UnsafeRawBufferPointer($0)) })
      },
      writeBytes: { write(shown($0)) })
  }
}
