import MPaaSSupport

extension OutputStream {
  /// What is written, which decides how a terminal is kept from obeying it.
  enum Content {
    /// Lines of text: escapes such as `\u{1b}`; tabs and line breaks stay.
    case text
    /// JSON, whose own escapes are taken, so that it stays the same document: DEL and C1 controls, which may stand in
    /// its strings as they are.
    case json
  }

  /// The stream with everything escaped that is written to it.
  func escaping(_ content: Content) -> OutputStream {
    @Sendable func shown(_ bytes: UnsafeRawBufferPointer) -> String {
      switch content {
      case .text: VisibleText.of(bytes, keeping: [.tabs, .lines])
      case .json: Self.escapingControls(String(decoding: bytes, as: UTF8.self))
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

  private static func escapingControls(_ json: String) -> String {
    func isControl(_ scalar: Unicode.Scalar) -> Bool { (0x7f..<0xa0).contains(scalar.value) }
    guard json.unicodeScalars.contains(where: isControl) else { return json }
    var result = ""
    for scalar in json.unicodeScalars {
      if isControl(scalar) {
        result += "\\u00" + String(scalar.value, radix: 16)
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
