import MPaaSJSON

extension ContentPattern {
  func distance(_ value: MatchedText?, now: Double) -> Double {
    if matches(value, now: now) { return 0 }
    switch self {
    case .and(let patterns):
      return patterns.reduce(0) { $0 + $1.distance(value, now: now) } / Double(max(patterns.count, 1))
    case .or(let patterns): return patterns.map { $0.distance(value, now: now) }.min() ?? 1
    default: break
    }
    guard let value else { return 1 }
    switch self {
    case .equalTo(let text, let ignoresCase):
      return ignoresCase
        ? EditDistance.share(text.lowercased(), value.text.lowercased()) : EditDistance.share(text, value.text)
    case .dateTime(let pattern): return pattern.matches(value.text, now: now) == nil ? 1 : 0.5
    case .equalToJSON(let pattern): return value.json.map { pattern.distance($0) } ?? 1
    case .equalToXML(let pattern): return value.xml.map { pattern.distance($0) } ?? 1
    case .xpath(let pattern): return pattern.distance(value, now: now)
    case .number(let pattern): return pattern.distance(value.text)
    case .jsonPath(let path, let sub):
      guard let sub, let json = value.json else { return 1 }
      let found = path.values(in: json)
      return found.map { sub.distance(MatchedText($0.plainText), now: now) }.min() ?? 1
    default: return 1
    }
  }

  /// The distance of several values: of the nearest.
  func distance(values: [MatchedText], now: Double) -> Double {
    if matches(values: values, now: now) { return 0 }
    return values.map { distance($0, now: now) }.filter { $0 > 0 }.min() ?? 1
  }
}

extension XPathPattern {
  func distance(_ value: MatchedText, now: Double) -> Double {
    guard value.first == UInt8(ascii: "<"), let tree = value.xml else { return 1 }
    let found = expression.value(in: tree, namespaces: namespaces)
    guard let sub else {
      switch found {
      case .nodes(let nodes): return nodes.isEmpty ? 1 : 0
      case .text(let text): return text.isEmpty ? 1 : 0
      case .number(let number): return number == 0 || number.isNaN ? 1 : 0
      case .bool(let flag): return flag ? 0 : 1
      }
    }
    switch found {
    case .nodes(let nodes):
      if nodes.isEmpty, sub.matches(nil as MatchedText?, now: now) { return 0 }
      return nodes.map { node in
        let isElement = tree.nodes[node].kind == .element
        let texts = isElement ? [tree.source(of: node), tree.text(of: node)] : [tree.text(of: node)]
        return texts.map { sub.distance(MatchedText($0), now: now) }.min() ?? 1
      }.min() ?? 1
    case .text(let text): return sub.distance(MatchedText(text), now: now)
    case .number(let number): return sub.distance(MatchedText(XPathFunctions.text(of: number)), now: now)
    case .bool(let flag): return sub.distance(MatchedText(flag ? "true" : "false"), now: now)
    }
  }
}

/// The number of changes that make a text of another.
enum EditDistance {
  /// Longer texts are compared by what stands in front.
  private static let longest = 1000

  /// Changes by the length of the longer one.
  static func share(_ one: String, _ other: String) -> Double {
    let (one, other) = (Array(one.utf16.prefix(longest)), Array(other.utf16.prefix(longest)))
    let most = max(one.count, other.count)
    // The distance of equal beginnings is not that of equal texts.
    return most == 0 ? 0 : max(Double(changes(one, other)) / Double(most), 1 / Double(longest))
  }

  private static func changes(_ one: [UInt16], _ other: [UInt16]) -> Int {
    var row = Array(0...other.count)
    for (index, unit) in one.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for place in other.indices {
        let above = row[place + 1]
        row[place + 1] = unit == other[place] ? diagonal : min(diagonal, above, row[place]) + 1
        diagonal = above
      }
    }
    return row[other.count]
  }
}
