import MPaaSSupport

/// The form of a text: a check by name, or a regular expression that the whole text has to match.
package struct ValuePattern: Sendable, Hashable {
  enum Named: String, CaseIterable {
    case bundleID = "bundle-id"
    case identifier
    case typeName = "type-name"
    case pathComponent = "path-component"
    case url
    case none
  }

  /// The name, or the expression.
  package let text: String
  private let named: Named?

  package static let none = ValuePattern(text: Named.none.rawValue, named: Named.none)
  static let typeName = ValuePattern(text: Named.typeName.rawValue, named: .typeName)

  private init(text: String, named: Named?) {
    self.text = text
    self.named = named
  }

  /// - Returns: nil where the text is neither a known name nor a regular expression.
  package init?(_ text: String) {
    if let named = Named(rawValue: text) {
      self.init(text: text, named: named)
    } else {
      // A word of letters and hyphens is a name that was misspelt, no expression.
      guard text.utf8.count <= 500, !text.utf8.allSatisfy({ ($0 | 0x20) &- 0x61 < 26 || $0 == 0x2d }),
        (try? Regex(text)) != nil
      else { return nil }
      self.init(text: text, named: nil)
    }
  }

  package func matches(_ value: String) -> Bool {
    switch named {
    case .none?: true
    case .bundleID: Self.isBundleID(value)
    case .identifier: SwiftWords.isIdentifier(value)
    case .typeName: SwiftWords.isTypeName(value)
    case .pathComponent: RenderedPath.isComponent(value)
    case .url: Self.isURL(value)
    case nil:
      // Bounded, since an expression may look at a text many times over.
      value.utf8.count <= 500 && ((try? Regex(text)).flatMap { try? $0.wholeMatch(in: value) }) != nil
    }
  }

  /// The wanted form, in a word or as the expression.
  var wanted: String { named == Named.none ? "text" : text }

  /// A line that says in words what a named check wants.
  var details: [Diagnostic.Detail] {
    guard let named else { return [] }
    return [Diagnostic.Detail("text.template-pattern-\(named.rawValue)")]
  }

  /// Source: Apple, "CFBundleIdentifier": letters, digits, hyphens and periods; Java's and our own tools want two parts
  /// and a letter first in each.
  static func isBundleID(_ text: String) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count >= 2 && text.utf8.count <= 155
      && parts.allSatisfy { part in
        guard let first = part.utf8.first, (first | 0x20) &- 0x61 < 26, part.utf8.last != 0x2d else { return false }
        return part.utf8.allSatisfy { ($0 | 0x20) &- 0x61 < 26 || $0 &- 0x30 < 10 || $0 == 0x2d }
      }
  }

  private static func isURL(_ text: String) -> Bool {
    guard let colon = text.firstIndex(of: ":") else { return false }
    let scheme = text[..<colon].utf8
    let rest = text[text.index(after: colon)...]
    return !scheme.isEmpty && scheme.allSatisfy { ($0 | 0x20) &- 0x61 < 26 || $0 &- 0x30 < 10 || $0 == 0x2b }
      && rest.hasPrefix("//") && rest.utf8.count > 2 && rest.utf8.allSatisfy { $0 > 0x20 && $0 != 0x22 && $0 != 0x5c }
  }
}
