import MPaaSSupport
import MPaaSToolSupport

/// The purpose of a piece of text; the terminal decides how that looks.
package enum TextRole: Sendable, Hashable {
  case plain, heading, emphasis, faint
  case good, warning, bad
  case address, function, path, number, highlight
  /// The searched text, in a line that has it.
  case match
  /// On a cyan background.
  case marked
}

/// A line of text in pieces with roles; without colour it is just their sum.
///
/// This is the one door for text to a terminal: what a terminal would obey is an escape in every piece (`VisibleText`),
/// line breaks too. Colours are no text; they are put around the pieces when a line is written.
package struct StyledText: Sendable, Hashable, ExpressibleByStringInterpolation {
  package struct Span: Sendable, Hashable {
    package let text: String
    package let role: TextRole
    /// Tells whether the text stands as it came, until a terminal gets it.
    fileprivate let isVerbatim: Bool

    fileprivate var visible: Span {
      isVerbatim ? Span(text: VisibleText.of(text, keeping: .tabs), role: role, isVerbatim: false) : self
    }
  }

  package private(set) var spans: [Span] = []

  /// Text of a line; tabs stay.
  package init(_ text: String = "", _ role: TextRole = .plain) {
    append(text, role)
  }

  /// A line of data, such as one of a file or a path that a script reads: a pipe or a file gets it as it is, and a
  /// terminal gets it with escapes, of line breaks too.
  package init(verbatim text: String, _ role: TextRole = .plain) {
    append(verbatim: text, role)
  }

  package init(stringLiteral value: String) {
    self.init(value)
  }

  package var text: String {
    spans.map(\.text).joined()
  }

  package var displayWidth: Int {
    spans.reduce(0) { $0 + $1.text.displayWidth }
  }

  package static func + (left: StyledText, right: StyledText) -> StyledText {
    var sum = left
    sum.spans += right.spans
    return sum
  }

  package static func += (left: inout StyledText, right: StyledText) {
    left = left + right
  }

  /// - Parameter keepsLines: Whether line breaks stay.
  package mutating func append(_ text: String, _ role: TextRole = .plain, keepsLines: Bool = false) {
    guard !text.isEmpty else { return }
    let shown = VisibleText.of(text, keeping: keepsLines ? [.tabs, .lines] : .tabs)
    spans.append(Span(text: shown, role: role, isVerbatim: false))
  }

  package mutating func append(verbatim text: String, _ role: TextRole = .plain) {
    if !text.isEmpty { spans.append(Span(text: text, role: role, isVerbatim: true)) }
  }

  /// The line as a terminal may have it, its data too.
  package var visible: StyledText { mapped(\.visible) }

  /// The line as a cell of a table: without tabs, whose width is unknown.
  var inCell: StyledText {
    guard spans.contains(where: { $0.isVerbatim || $0.text.utf8.contains(0x09) }) else { return self }
    return mapped { Span(text: VisibleText.of($0.text), role: $0.role, isVerbatim: false) }
  }

  private func mapped(_ change: (Span) -> Span) -> StyledText {
    var result = StyledText()
    result.spans = spans.map(change)
    return result
  }

  package func truncated(toWidth columns: Int) -> StyledText {
    guard displayWidth > columns else { return self }
    var result = StyledText()
    var left = columns
    for span in spans {
      let width = span.text.displayWidth
      let text = width > left ? span.text.truncated(toWidth: left) : span.text
      if !text.isEmpty { result.spans.append(Span(text: text, role: span.role, isVerbatim: span.isVerbatim)) }
      left -= width
      if left <= 0 { break }
    }
    return result
  }
}

/// Turns roles into ANSI escape sequences, or leaves them out.
package struct TextStyle: Sendable {
  package let hasColour: Bool

  package init(hasColour: Bool) {
    self.hasColour = hasColour
  }

  package func render(_ text: StyledText) -> String {
    guard hasColour else { return text.text }
    return text.spans.map { span in
      guard let code = Self.code(span.role) else { return span.text }
      return "\u{1b}[\(code)m\(span.text)\u{1b}[0m"
    }.joined()
  }

  private static func code(_ role: TextRole) -> String? {
    switch role {
    case .plain: nil
    case .heading, .emphasis: "1"
    case .faint: "2"
    case .good: "32"
    case .warning: "33"
    case .bad: "1;31"
    case .address: "2"
    case .function: "36"
    case .path: "34"
    case .number: "35"
    case .highlight: "7"
    case .match: "1;32"
    case .marked: "30;46"
    }
  }
}
