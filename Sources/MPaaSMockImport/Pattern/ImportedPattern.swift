import MPaaSJSON

/// Patterns of WireMock's, made of those of other servers.
enum ImportedPattern {
  static func make(_ name: String, _ value: String) -> JSONNode {
    JSONNode(members: [(name, JSONNode(text: value))])
  }

  /// One pattern of several that must all fit.
  static func all(_ patterns: [JSONNode]) -> JSONNode? {
    guard let first = patterns.first, patterns.count > 1 else { return patterns.first }
    return first.members == nil ? nil : JSONNode(members: [("and", JSONNode(elements: patterns))])
  }

  static func not(_ pattern: JSONNode) -> JSONNode { JSONNode(members: [("not", pattern)]) }

  static var absent: JSONNode { JSONNode(members: [("absent", JSONNode(.bool(true)))]) }

  /// An expression that must fit the whole text, of one that may fit a part.
  static func whole(_ expression: String) -> String {
    let starts = expression.hasPrefix("^")
    let ends = expression.hasSuffix("$") && !expression.hasSuffix("\\$")
    let inner = expression.dropFirst(starts ? 1 : 0).dropLast(ends && expression.utf8.count > (starts ? 1 : 0) ? 1 : 0)
    return (starts ? "" : "[\\s\\S]*") + "(?:\(inner))" + (ends ? "" : "[\\s\\S]*")
  }

  /// The expression of a text with `*` for any characters.
  static func expression(ofGlob glob: String) -> String {
    glob.split(separator: "*", omittingEmptySubsequences: false).map { quoted($0) }.joined(separator: ".*")
  }

  /// A text as an expression that fits it alone.
  static func quoted(_ text: some StringProtocol) -> String {
    text.map { "\\.+*?()[]{}|^$".contains($0) ? "\\\($0)" : String($0) }.joined()
  }
}

extension JSONNode {
  /// The elements of an array; none of anything else.
  var list: [JSONNode] { elements ?? [] }

  /// The text of a string, and the line of any other value.
  var anyText: String { string ?? line }

  var isNull: Bool { content == .null }
}

extension Optional<JSONNode> {
  /// The text of a string that is not empty.
  var text: String? { self?.string.flatMap { $0.isEmpty ? nil : $0 } }
}
