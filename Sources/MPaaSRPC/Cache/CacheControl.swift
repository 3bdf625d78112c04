/// The directives of a field `Cache-Control`.
///
/// - Source: RFC 9111, 5.2; RFC 5861.
struct CacheControl: Sendable, Equatable {
  /// By names in lower case; nil values for directives without one.
  private var directives: [String: String?] = [:]

  init(_ field: String?) {
    for part in Self.parts(field ?? "") {
      let pair = part.split(separator: "=", maxSplits: 1)
      guard let name = pair.first?.lowercased().filter({ $0 != " " && $0 != "\t" }), !name.isEmpty else { continue }
      let value = pair.count == 2 ? Self.unquoted(pair[1]) : nil
      // Of a directive that stands twice the first counts; which one is right nothing tells.
      if directives[name] == nil { directives[name] = .some(value) }
    }
  }

  func has(_ name: String) -> Bool { directives[name] != nil }

  /// A number of seconds; nil where there is none.
  ///
  /// A text that is no number counts as 0, so that the answer is stale.
  func seconds(_ name: String) -> Double? {
    guard let directive = directives[name] else { return nil }
    guard let value = directive, !value.isEmpty, value.utf8.allSatisfy({ $0 &- 0x30 < 10 }) else { return 0 }
    // Numbers beyond 2^31 count as that (RFC 9111, 1.2.2).
    return min(Double(value) ?? 2_147_483_648, 2_147_483_648)
  }

  /// True for a directive that stands without fields it is limited to: `no-cache`, not `no-cache="Set-Cookie"`.
  func isWhole(_ name: String) -> Bool {
    guard let directive = directives[name] else { return false }
    return directive.map(\.isEmpty) ?? true
  }

  /// The parts between commas that stand in no quotation marks.
  private static func parts(_ field: String) -> [String] {
    var parts: [String] = [""]
    var isQuoted = false
    for character in field {
      if character == "\"" { isQuoted.toggle() }
      if character == ",", !isQuoted { parts.append("") } else { parts[parts.count - 1].append(character) }
    }
    return parts
  }

  private static func unquoted(_ text: Substring) -> String {
    String(text.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" }).filter { $0 != "\"" }
  }
}
