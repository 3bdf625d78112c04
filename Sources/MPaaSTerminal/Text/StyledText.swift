/// What a piece of text is for; the terminal decides how that looks.
package enum TextRole: Sendable, Hashable {
  case plain, heading, emphasis, faint
  case good, warning, bad
  case address, function, path, number, highlight
  /// What was looked for, in a line that has it.
  case match
  /// On a cyan background.
  case marked
}

/// A line of text in pieces with roles; without colour it is just their sum.
package struct StyledText: Sendable, Hashable, ExpressibleByStringInterpolation {
  package struct Span: Sendable, Hashable {
    package let text: String
    package let role: TextRole
  }

  package private(set) var spans: [Span]

  package init(_ text: String = "", _ role: TextRole = .plain) {
    spans = text.isEmpty ? [] : [Span(text: text, role: role)]
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

  package mutating func append(_ text: String, _ role: TextRole = .plain) {
    if !text.isEmpty { spans.append(Span(text: text, role: role)) }
  }

  package func truncated(toWidth columns: Int) -> StyledText {
    guard displayWidth > columns else { return self }
    var result = StyledText()
    var left = columns
    for span in spans {
      let width = span.text.displayWidth
      result.append(width > left ? span.text.truncated(toWidth: left) : span.text, span.role)
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
