import MPaaSJSON

/// Matchers of Hoverfly as patterns of WireMock.
enum HoverflyPattern {
  /// The pattern of a matcher; nil where there is none like it.
  static func make(_ matcher: JSONNode) -> JSONNode? { make(matcher, depth: 0) }

  private static func make(_ matcher: JSONNode, depth: Int) -> JSONNode? {
    guard depth < 16, let value = matcher["value"] else { return nil }
    let kind = (matcher["matcher"].text ?? "exact").lowercased()
    let text = value.anyText
    guard matcher["doMatch"] == nil || matcher["doMatch"]?.isNull == true else {
      return chained(kind, text, matcher["doMatch"], depth: depth)
    }
    switch kind {
    case "exact": return ImportedPattern.make("equalTo", text)
    case "glob": return ImportedPattern.make("matches", ImportedPattern.expression(ofGlob: text))
    case "regex": return ImportedPattern.make("matches", ImportedPattern.whole(text))
    case "negate", "negation": return ImportedPattern.not(ImportedPattern.make("equalTo", text))
    case "json": return ImportedPattern.make("equalToJson", text)
    case "jsonpartial":
      return JSONNode(members: [
        ("equalToJson", JSONNode(text: text)), ("ignoreExtraElements", JSONNode(.bool(true))),
        ("ignoreArrayOrder", JSONNode(.bool(true))),
      ])
    case "jsonpath": return ImportedPattern.make("matchesJsonPath", text)
    case "xpath": return ImportedPattern.make("matchesXPath", text)
    case "xml": return ImportedPattern.make("equalToXml", text)
    case "array": return array(value, matcher["config"])
    default: return nil
    }
  }

  /// A value that an expression finds, matched in its turn.
  private static func chained(_ kind: String, _ text: String, _ next: JSONNode?, depth: Int) -> JSONNode? {
    let name = kind == "jsonpath" ? "matchesJsonPath" : kind == "xpath" ? "matchesXPath" : nil
    guard let name, let inner = next.flatMap({ make($0, depth: depth + 1) }), let members = inner.members else {
      return nil
    }
    let expression = JSONNode.Member(name: "expression", value: JSONNode(text: text))
    return JSONNode(members: [(name, JSONNode(.object([expression] + members)))])
  }

  /// All values of a parameter or a header.
  private static func array(_ value: JSONNode, _ config: JSONNode?) -> JSONNode? {
    guard config?["ignoreOccurrences"]?.bool != true else { return nil }
    let values = value.list.map { ImportedPattern.make("equalTo", $0.anyText) }
    let name = config?["ignoreUnknown"]?.bool == true ? "includes" : "hasExactly"
    return values.isEmpty ? nil : JSONNode(members: [(name, JSONNode(elements: values))])
  }

  /// The natural logarithm of a number from 1, without the mathematical library.
  static func logarithm(_ value: Double) -> Double {
    guard value.isFinite, value > 1 else { return 0 }
    // ln(m · 2ᵉ) = e · ln 2 + 2 · artanh((m − 1) / (m + 1))
    let mantissa = value.significand
    let ratio = (mantissa - 1) / (mantissa + 1)
    var (sum, power) = (0.0, ratio)
    for odd in stride(from: 1.0, to: 40, by: 2) {
      sum += power / odd
      power *= ratio * ratio
    }
    return Double(value.exponent) * 0.693_147_180_559_945_3 + 2 * sum
  }
}
