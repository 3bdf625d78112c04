import MPaaSSupport

/// Foreign text made fit to be looked at: what a terminal would obey, or what hides and deceives, stands there as an
/// escape, such as `\u{1b}`.
///
/// Foreign is all that comes from reports, archives, servers, logs, names of files and other programs. The escapes are
/// for eyes; a text that has them by itself looks the same. Who needs the exact text takes `--json` or a pipe.
package enum VisibleText {
  /// The control characters that may stay.
  package struct Layout: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    package static let tabs = Layout(rawValue: 1)
    package static let lines = Layout(rawValue: 2)
  }

  /// Spelling of the escapes.
  package enum Notation: Sendable {
    /// `\u{1b}`, for eyes.
    case braces
    /// `\u001b`, so that a JSON document stays the same document.
    case json

    fileprivate func escape(_ scalar: Unicode.Scalar) -> String {
      switch self {
      case .braces: "\\u{\(String(scalar.value, radix: 16))}"
      case .json:
        String(scalar).utf16.map { "\\u" + $0.padded(to: 4, radix: 16) }.joined()
      }
    }
  }

  /// The text with escapes; the same text where it needs none.
  package static func of(_ text: String, keeping layout: Layout = [], as notation: Notation = .braces) -> String {
    var text = text
    guard text.withUTF8({ isSuspect(UnsafeRawBufferPointer($0), layout) }) else { return text }
    let scalars = Array(text.unicodeScalars)
    var result = ""
    result.reserveCapacity(text.utf8.count + 16)
    for (place, scalar) in scalars.enumerated() {
      if isShown(scalar, at: place, in: scalars, layout) {
        result.unicodeScalars.append(scalar)
      } else {
        result += notation.escape(scalar)
      }
    }
    return result
  }

  /// The text of bytes that should be UTF-8; those that are none stand there as `\xff`.
  package static func of(_ bytes: UnsafeRawBufferPointer, keeping layout: Layout = []) -> String {
    if let text = String(validUTF8: bytes) { return of(text, keeping: layout) }
    var parser = Unicode.UTF8.ForwardParser()
    var rest = bytes.makeIterator()
    var text = ""
    var place = 0
    while true {
      switch parser.parseScalar(from: &rest) {
      case .valid(let units):
        text.unicodeScalars.append(Unicode.UTF8.decode(units))
        place += units.count
      case .error(let length):
        for byte in bytes[place..<place + length] { text += "\\x" + String(byte, radix: 16) }
        place += length
      case .emptyInput: return of(text, keeping: layout)
      }
    }
  }

  /// Tells whether a look at each character is needed: a quick answer for plain texts.
  private static func isSuspect(_ bytes: UnsafeRawBufferPointer, _ layout: Layout) -> Bool {
    for byte in bytes where byte < 0x20 || byte >= 0x7f {
      switch byte {
      case 0x09 where layout.contains(.tabs), 0x0a where layout.contains(.lines): continue
      // Bytes that follow others, and leads of characters of which none is escaped: Latin, Greek, Cyrillic, Hebrew,
      // Chinese and Korean.
      case 0x80...0xbf, 0xc3...0xcc, 0xce...0xd7, 0xd9...0xdb, 0xe4...0xee: continue
      default: return true
      }
    }
    return false
  }
}

// MARK: - Characters

extension VisibleText {
  private static func isShown(
    _ scalar: Unicode.Scalar, at place: Int, in text: [Unicode.Scalar], _ layout: Layout
  ) -> Bool {
    if scalar.value >= 0x20, scalar.value < 0x7f { return true }
    switch scalar.value {
    case 0x09: return layout.contains(.tabs)
    case 0x0a: return layout.contains(.lines)
    case 0x200c, 0x200d: return isJoint(place, text)
    case 0xfe00...0xfe0f, 0xe0100...0xe01ef: return isVariant(place, text)
    case 0xe0020...0xe007f: return isFlag(place, text)
    // Combining grapheme joiner, and fillers of Hangul and Khmer, which are letters and marks without a shape.
    case 0x034f, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x180b...0x180d, 0x180f, 0x3164, 0xffa0: return false
    // Signs over numbers in Arabic, Syriac and Kaithi have a shape, though they are format characters.
    case 0x0600...0x0605, 0x06dd, 0x070f, 0x0890, 0x0891, 0x08e2, 0x110bd, 0x110cd: return true
    // The character that stands in for bytes or characters that were none.
    case 0xfffd: return true
    default: break
    }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: return false
    default: return !(0xe0000...0xe0fff).contains(scalar.value)
    }
  }

  /// Tells whether a joiner or non-joiner does its work: inside an emoji, or between letters of a script that joins
  /// them.
  private static func isJoint(_ place: Int, _ text: [Unicode.Scalar]) -> Bool {
    guard place > 0, place + 1 < text.count else { return false }
    let (before, after) = (text[place - 1], text[place + 1])
    if isOfJoiningScript(before), isOfJoiningScript(after) { return true }
    let endsEmoji = isEmoji(before) || before.value == 0xfe0f || before.value == 0xe007f
    return text[place].value == 0x200d && endsEmoji && isEmoji(after)
  }

  /// Arabic, Syriac and Mongolian, and the scripts of India and of Southeast Asia.
  private static func isOfJoiningScript(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0620...0x08ff, 0x0900...0x0dff, 0x0f00...0x109f, 0x1780...0x17b3, 0x17b6...0x18af, 0xa980...0xa9df,
      0x11000...0x11fff:
      true
    default: false
    }
  }

  private static func isEmoji(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value > 0xff && scalar.properties.isEmoji
  }

  /// Tells whether a selector chooses the form of the character before it; several in a row could hide a message.
  private static func isVariant(_ place: Int, _ text: [Unicode.Scalar]) -> Bool {
    guard place > 0 else { return false }
    switch text[place - 1].value {
    case 0xfe00...0xfe0f, 0xe0100...0xe01ef, 0x200b...0x200f: return false
    // Keys such as 1️⃣.
    case ..<0x80: return "0123456789#*".unicodeScalars.contains(text[place - 1])
    default: return true
    }
  }

  /// Tells whether a tag belongs to a flag such as that of Scotland: a black flag, three to six tags, the end.
  private static func isFlag(_ place: Int, _ text: [Unicode.Scalar]) -> Bool {
    func isTag(_ place: Int) -> Bool {
      text.indices.contains(place) && (0xe0020...0xe007e).contains(text[place].value)
    }
    var start = place
    while isTag(start - 1), place - start < 7 { start -= 1 }
    var end = place
    while isTag(end), end - place < 7 { end += 1 }
    guard start > 0, text[start - 1].value == 0x1f3f4, end < text.count, text[end].value == 0xe007f else {
      return false
    }
    return (3...6).contains(end - start)
  }
}
