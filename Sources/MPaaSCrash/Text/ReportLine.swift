import MPaaSSupport
import MPaaSToolSupport

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
    /// Text that can be overlooked: `[inlined]`, offsets, ….
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
    segments.append(Segment(text: VisibleText.of(text, keeping: .tabs), role: role))
  }

  /// Appends spaces until the line is `column` characters long, at least one.
  package mutating func pad(to column: Int) {
    let length = segments.reduce(0) { $0 + $1.text.count }
    append(String(repeating: " ", count: max(column - length, 1)))
  }

  package var text: String {
    segments.map(\.text).joined()
  }
}
