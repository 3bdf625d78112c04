/// The functions of XPath 1.0.
enum XPathFunctions {
  /// The numbers of arguments that each takes.
  static let arguments: [String: ClosedRange<Int>] = [
    "position": 0...0, "last": 0...0, "count": 1...1, "name": 0...1, "local-name": 0...1, "namespace-uri": 0...1,
    "string": 0...1, "concat": 2...100, "starts-with": 2...2, "contains": 2...2, "substring-before": 2...2,
    "substring-after": 2...2, "substring": 2...3, "string-length": 0...1, "normalize-space": 0...1, "translate": 3...3,
    "not": 1...1, "true": 0...0, "false": 0...0, "boolean": 1...1, "number": 0...1, "sum": 1...1, "floor": 1...1,
    "ceiling": 1...1, "round": 1...1,
  ]

  static func call(_ name: String, _ values: [XPathValue], _ place: XPathRun.Place, _ run: XPathRun) -> XPathValue {
    let here = XPathValue.nodes([place.node])
    func text(_ index: Int) -> String { run.text(values.indices.contains(index) ? values[index] : here) }
    func number(_ index: Int) -> Double { run.number(values.indices.contains(index) ? values[index] : here) }
    switch name {
    case "position": return .number(Double(place.position))
    case "last": return .number(Double(place.size))
    case "true": return .bool(true)
    case "false": return .bool(false)
    case "not": return .bool(!run.bool(values[0]))
    case "boolean": return .bool(run.bool(values[0]))
    case "count", "sum", "name", "local-name", "namespace-uri": return node(name, values.first ?? here, run)
    case "string": return .text(text(0))
    case "concat": return .text(values.map { run.text($0) }.joined())
    case "starts-with": return .bool(text(1).isEmpty || text(0).hasPrefix(text(1)))
    case "contains": return .bool(text(1).isEmpty || text(0).contains(text(1)))
    case "substring-before": return .text(split(text(0), text(1))?.before ?? "")
    case "substring-after": return .text(split(text(0), text(1))?.after ?? "")
    case "substring": return .text(substring(text(0), number(1), values.count > 2 ? number(2) : nil))
    case "string-length": return .number(Double(text(0).unicodeScalars.count))
    case "normalize-space": return .text(text(0).split(whereSeparator: \.isWhitespace).joined(separator: " "))
    case "translate": return .text(translated(text(0), text(1), text(2)))
    case "number": return .number(number(0))
    case "floor": return .number(number(0).rounded(.down))
    case "ceiling": return .number(number(0).rounded(.up))
    default: return .number((number(0) + 0.5).rounded(.down))
    }
  }

  private static func node(_ name: String, _ value: XPathValue, _ run: XPathRun) -> XPathValue {
    guard case .nodes(let nodes) = value else { return name == "count" || name == "sum" ? .number(0) : .text("") }
    switch name {
    case "count": return .number(Double(nodes.count))
    case "sum": return .number(nodes.reduce(0) { $0 + Self.number(of: run.tree.text(of: $1)) })
    default: break
    }
    guard let first = nodes.first.map({ run.tree.nodes[$0] }) else { return .text("") }
    return .text(name == "name" ? first.name : name == "local-name" ? first.local : first.namespace)
  }

  private static func split(_ text: String, _ part: String) -> (before: String, after: String)? {
    let (text, part) = (Array(text), Array(part))
    guard part.count <= text.count else { return nil }
    for start in 0...(text.count - part.count) where text[start...].starts(with: part) {
      return (String(text[..<start]), String(text[(start + part.count)...]))
    }
    return nil
  }

  private static func substring(_ text: String, _ start: Double, _ length: Double?) -> String {
    func rounded(_ value: Double) -> Double { (value + 0.5).rounded(.down) }
    let first = rounded(start)
    let end = length.map { first + rounded($0) } ?? .infinity
    let kept = text.unicodeScalars.enumerated().filter { Double($0.offset + 1) >= first && Double($0.offset + 1) < end }
    var view = String.UnicodeScalarView()
    view.append(contentsOf: kept.map(\.element))
    return String(view)
  }

  private static func translated(_ text: String, _ from: String, _ to: String) -> String {
    let (from, to) = (Array(from), Array(to))
    return String(
      text.compactMap { character in
        guard let index = from.firstIndex(of: character) else { return character }
        return index < to.count ? to[index] : nil
      })
  }

  static func number(of text: String) -> Double {
    let trimmed = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    guard !trimmed.isEmpty, trimmed.allSatisfy({ "0123456789.-".contains($0) }) else { return .nan }
    return Double(trimmed) ?? .nan
  }

  static func text(of number: Double) -> String {
    if number.isNaN { return "NaN" }
    if number.isInfinite { return number < 0 ? "-Infinity" : "Infinity" }
    return Int(exactly: number).map { String($0) } ?? "\(number)"
  }
}
