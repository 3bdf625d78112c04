import MPaaSJSON

extension OpenAPISampler {
  // MARK: Numbers

  mutating func number(_ node: JSONNode, isWhole: Bool) -> JSONNode {
    let step = node["multipleOf"]?.number?.double
    let (low, isOpenLow) = Self.limit(node, "minimum", "exclusiveMinimum", largest: true)
    let (high, isOpenHigh) = Self.limit(node, "maximum", "exclusiveMaximum", largest: false)
    let unit = step ?? (isWhole ? 1 : 0.5)
    var first = low ?? (high.map { min($0, 0) } ?? 0)
    if isWhole || step != nil { first = (first / unit).rounded(.up) * unit }
    if isOpenLow, let low, first <= low { first += unit }
    if isOpenHigh, let high, first >= high { first -= unit }
    if let high, first > high { first = low.map { ($0 + high) / 2 } ?? high }
    guard numbers != nil else { return Self.node(first, isWhole) }
    let span = high.map { ($0 - first) / unit } ?? 10_000
    var drawn = first + unit * Double(draw(below: max(1, Int(min(max(span, 0), 1_000_000)))))
    if let high, drawn > high || (isOpenHigh && drawn >= high) { drawn = first }
    return Self.node(drawn, isWhole)
  }

  /// A limit, and whether it is not reached; both ways of writing exclusive ones are read.
  private static func limit(
    _ node: JSONNode, _ name: String, _ exclusive: String, largest: Bool
  ) -> (value: Double?, isOpen: Bool) {
    let closed = node[name]?.number?.double
    if node[exclusive]?.bool == true { return (closed, closed != nil) }
    guard let open = node[exclusive]?.number?.double else { return (closed, false) }
    guard let closed else { return (open, true) }
    return (largest ? open >= closed : open <= closed) ? (open, true) : (closed, false)
  }

  private static func node(_ value: Double, _ isWhole: Bool) -> JSONNode {
    if let whole = Int(exactly: value.rounded()), isWhole || value == value.rounded() {
      return JSONNode(.number(JSONNumber(whole)))
    }
    return JSONNode(.number(JSONNumber(value) ?? JSONNumber(0)))
  }

  // MARK: Strings

  mutating func string(_ node: JSONNode) -> String {
    let least = node["minLength"]?.number?.integer(Int.self) ?? 0
    let most = node["maxLength"]?.number?.integer(Int.self) ?? .max
    if let pattern = node["pattern"]?.string, let text = PatternSample.text(pattern, numbers, least: least) {
      if numbers != nil { _ = draw(below: 2) }
      return text
    }
    if let format = node["format"]?.string, let text = formatted(format) { return text }
    var text = numbers == nil ? "string" : word()
    while text.count < min(least, 100_000) { text += numbers == nil ? "string" : " " + word() }
    return text.count > max(most, least) ? String(text.prefix(max(most, least))) : text
  }

  private mutating func word() -> String {
    let parts = ["ba", "ce", "di", "fo", "gu", "la", "me", "ni", "po", "ru", "sa", "te", "vi", "zo"]
    return (0..<(2 + draw(below: 3))).map { _ in parts[draw(below: parts.count)] }.joined()
  }

  private mutating func digits(_ count: Int) -> String { (0..<count).map { _ in "\(draw(below: 10))" }.joined() }

  private mutating func hexadecimal(_ count: Int) -> String {
    (0..<count).map { _ in String(draw(below: 16), radix: 16) }.joined()
  }

  private mutating func date() -> String {
    guard numbers != nil else { return "2026-01-15" }
    let (year, month, day) = (2000 + draw(below: 30), 1 + draw(below: 12), 1 + draw(below: 28))
    return "\(year)-" + (month < 10 ? "0\(month)" : "\(month)") + "-" + (day < 10 ? "0\(day)" : "\(day)")
  }

  private mutating func formatted(_ format: String) -> String? {
    let name = numbers == nil ? "user" : word()
    switch format {
    case "date": return date()
    case "date-time": return date() + "T08:30:00Z"
    case "time": return "08:30:00Z"
    case "duration": return "P3D"
    case "email": return name + "@example.com"
    case "idn-email": return "пользователь@пример.ру"
    case "hostname": return numbers == nil ? "example.com" : name + ".example.com"
    case "idn-hostname": return "пример.ру"
    case "ipv4": return "192.0.2.\(1 + draw(below: 254))"
    case "ipv6": return "2001:db8::\(1 + draw(below: 9))"
    case "uri", "iri", "url": return "https://example.com" + (numbers == nil ? "" : "/" + name)
    case "uri-reference", "iri-reference": return "/" + name
    case "uri-template": return "https://example.com/{id}"
    case "uuid":
      guard numbers != nil else { return "b2d1f1a4-7c3e-4d5b-9a60-0f1e2d3c4b5a" }
      return hexadecimal(8) + "-" + hexadecimal(4) + "-4" + hexadecimal(3) + "-a" + hexadecimal(3) + "-"
        + hexadecimal(12)
    case "json-pointer": return "/" + name
    case "relative-json-pointer": return "0/" + name
    case "regex": return "^[a-z]+$"
    case "byte": return "bXBhYXM="
    default: return nil
    }
  }
}
