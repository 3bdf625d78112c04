/// A line of a report's text form, in pieces that say what they are, so that a terminal can colour them.
package struct ReportLine: Sendable, Equatable {
  package enum Role: Sendable, Hashable {
    case plain
    /// The title of a section, or the key of a header line.
    case heading
    /// The title of the crashed thread, and the exception.
    case crashed
    case address, function, image, path, lineNumber
    /// A line of source code.
    case source
    /// The line of source code that crashed, and the mark under it.
    case mark
    /// What can be overlooked: `[inlined]`, offsets, ….
    case faint
  }

  package struct Segment: Sendable, Equatable {
    package let text: String
    package let role: Role
  }

  package private(set) var segments: [Segment] = []

  package init(_ text: String = "", _ role: Role = .plain) {
    append(text, role)
  }

  /// Appends a piece; control characters in it are shown, so that no report can steer a terminal.
  package mutating func append(_ text: String, _ role: Role = .plain) {
    guard !text.isEmpty else { return }
    segments.append(Segment(text: Self.harmless(text), role: role))
  }

  /// Appends spaces until the line is `column` characters long, at least one.
  package mutating func pad(to column: Int) {
    let length = segments.reduce(0) { $0 + $1.text.count }
    append(String(repeating: " ", count: max(column - length, 1)))
  }

  package var text: String {
    segments.map(\.text).joined()
  }

  /// `text` with control characters other than tabs, and characters that turn the writing direction, made visible.
  private static func harmless(_ text: String) -> String {
    func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
      switch scalar.value {
      case 0x09: false
      case 0..<0x20, 0x7f..<0xa0, 0x2028...0x202e, 0x2066...0x2069: true
      default: false
      }
    }
    guard text.unicodeScalars.contains(where: isHarmful) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      if isHarmful(scalar) {
        result += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
