/// Expressions that name licences: `MIT OR (Apache-2.0 AND LicenseRef-ours)`.
///
/// Source: SPDX 2.3, annex D. Whether an identifier is on SPDX's list is not looked at.
package enum SPDXExpression {
  /// Tells whether `text` follows the grammar.
  package static func isValid(_ text: String) -> Bool {
    guard text.utf8.count <= 1024 else { return false }
    var tokens = ArraySlice(tokens(text))
    return alternatives(&tokens, depth: 0) && tokens.isEmpty
  }

  private static func tokens(_ text: String) -> [Substring] {
    text.split(separator: " ").flatMap { word -> [Substring] in
      var tokens: [Substring] = []
      var rest = word
      while rest.first == "(" {
        tokens.append(rest.prefix(1))
        rest = rest.dropFirst()
      }
      let name = rest.prefix { $0 != ")" && $0 != "(" }
      if !name.isEmpty { tokens.append(name) }
      return tokens + rest.dropFirst(name.count).map { Substring(String($0)) }
    }
  }

  /// One or more terms with AND or OR between them; which binds closer does not matter here.
  private static func alternatives(_ tokens: inout ArraySlice<Substring>, depth: Int) -> Bool {
    guard depth < 32 else { return false }
    while true {
      guard term(&tokens, depth: depth) else { return false }
      guard let next = tokens.first, next == "AND" || next == "OR" else { return true }
      tokens.removeFirst()
    }
  }

  private static func term(_ tokens: inout ArraySlice<Substring>, depth: Int) -> Bool {
    guard let first = tokens.popFirst() else { return false }
    if first == "(" { return alternatives(&tokens, depth: depth + 1) && tokens.popFirst() == ")" }
    guard isLicense(first) else { return false }
    guard tokens.first == "WITH" else { return true }
    tokens.removeFirst()
    return tokens.popFirst().map(isIdentifier) ?? false
  }

  /// An identifier, with `+` for later versions, or `DocumentRef-x:LicenseRef-y`.
  private static func isLicense(_ token: Substring) -> Bool {
    let parts = token.split(separator: ":", omittingEmptySubsequences: false)
    if parts.count == 2 {
      return parts[0].hasPrefix("DocumentRef-") && parts[1].hasPrefix("LicenseRef-") && parts.allSatisfy(isIdentifier)
    }
    return isIdentifier(token.hasSuffix("+") ? token.dropLast() : token)
  }

  private static func isIdentifier(_ token: Substring) -> Bool {
    guard !token.isEmpty, !["AND", "OR", "WITH"].contains(token) else { return false }
    return token.utf8.allSatisfy { byte in
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "-")
        || byte == UInt8(ascii: ".")
    }
  }
}
