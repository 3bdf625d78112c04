package import MPaaSJSON

extension JSONEquality {
  /// Tells whether a document is the same.
  package func matches(_ actual: JSONNode) -> Bool { distance(actual) == 0 }

  /// The share of nodes that differ.
  package func distance(_ actual: JSONNode) -> Double {
    var comparison = JSONComparison(
      ignoresArrayOrder: ignoresArrayOrder, ignoresExtraElements: ignoresExtraElements)
    let differing = comparison.differences(expected, actual)
    guard differing > 0 else { return 0 }
    let all = max(JSONComparison.size(expected), ignoresExtraElements ? 1 : JSONComparison.size(actual))
    return min(1, Double(differing) / Double(all))
  }
}

/// Counts the nodes that differ between two documents.
struct JSONComparison {
  let ignoresArrayOrder: Bool
  let ignoresExtraElements: Bool
  /// Comparisons that may still be made; where they are used up, all counts as different.
  private var budget = 2_000_000

  init(ignoresArrayOrder: Bool, ignoresExtraElements: Bool) {
    self.ignoresArrayOrder = ignoresArrayOrder
    self.ignoresExtraElements = ignoresExtraElements
  }

  static func size(_ node: JSONNode) -> Int {
    switch node.content {
    case .array(let elements): elements.reduce(1) { $0 + size($1) }
    case .object(let members): members.reduce(1) { $0 + size($1.value) }
    default: 1
    }
  }

  mutating func differences(_ expected: JSONNode, _ actual: JSONNode) -> Int {
    budget -= 1
    guard budget > 0 else { return max(Self.size(expected), Self.size(actual)) }
    if let text = expected.string, let isGood = Placeholder.matches(text, actual) {
      return isGood ? 0 : Self.size(actual)
    }
    switch (expected.content, actual.content) {
    case (.object(let members), .object(let others)): return differences(members, others)
    case (.array(let elements), .array(let others)):
      return ignoresArrayOrder ? unordered(elements, others) : ordered(elements, others)
    case (.object, _), (.array, _): return max(Self.size(expected), Self.size(actual))
    default: return expected.isSame(as: actual) ? 0 : max(1, Self.size(actual))
    }
  }

  private mutating func differences(_ expected: [JSONNode.Member], _ actual: [JSONNode.Member]) -> Int {
    var count = 0
    var others: [String: JSONNode] = [:]
    for member in actual { others[member.name] = member.value }
    for member in expected {
      if let other = others.removeValue(forKey: member.name) {
        count += differences(member.value, other)
      } else if !Placeholder.allowsAbsence(member.value) {
        count += Self.size(member.value)
      }
    }
    if !ignoresExtraElements { for other in others.values { count += Self.size(other) } }
    return count
  }

  private mutating func ordered(_ expected: [JSONNode], _ actual: [JSONNode]) -> Int {
    var count = 0
    for (one, other) in zip(expected, actual) { count += differences(one, other) }
    for missing in expected.dropFirst(actual.count) { count += Self.size(missing) }
    if !ignoresExtraElements { for extra in actual.dropFirst(expected.count) { count += Self.size(extra) } }
    return count
  }

  private mutating func unordered(_ expected: [JSONNode], _ actual: [JSONNode]) -> Int {
    let pairs = Assignment.pairs(expected.count, actual.count) { differences(expected[$0], actual[$1]) == 0 }
    let taken = Set(pairs.compactMap(\.self))
    var count = 0
    for (index, pair) in pairs.enumerated() where pair == nil { count += Self.size(expected[index]) }
    let extra = actual.indices.filter { !taken.contains($0) }
    if !ignoresExtraElements, extra.count > expected.count - taken.count {
      for index in extra.prefix(extra.count - (expected.count - taken.count)) { count += Self.size(actual[index]) }
    }
    return count
  }
}

/// JsonUnit's placeholders.
enum Placeholder {
  /// Tells whether a value is what a placeholder stands for; nil where the text is none.
  static func matches(_ text: String, _ value: JSONNode) -> Bool? {
    guard text.hasPrefix("${json-unit.") || text.hasPrefix("#{json-unit."), let end = text.firstIndex(of: "}") else {
      return nil
    }
    let rest = text[text.index(after: end)...]
    switch text[..<end].dropFirst("${json-unit.".count) {
    case "ignore", "ignore-element": return true
    case "any-string": return value.string != nil
    case "any-number": return value.number != nil
    case "any-boolean": return value.bool != nil
    case "regex":
      guard let pattern = try? JavaPattern(String(rest)) else { return false }
      return pattern.matches(value.plainText)
    default: return nil
    }
  }

  static func allowsAbsence(_ node: JSONNode) -> Bool {
    node.string == "${json-unit.ignore-element}" || node.string == "#{json-unit.ignore-element}"
  }
}

/// The pairing of things with others that they fit, each with one at most.
enum Assignment {
  private static let mostPaired = 512

  /// The number of the partner for each of the first; nil for one that has none.
  ///
  /// - Source: H. W. Kuhn's method of augmenting paths.
  static func pairs(_ first: Int, _ second: Int, fits: (Int, Int) -> Bool) -> [Int?] {
    var partners = [Int?](repeating: nil, count: first)
    var owners = [Int?](repeating: nil, count: second)
    var left: [Int] = []
    // Most lie at the same place, or one after another.
    for index in 0..<first {
      let candidates = index < second ? [index] : []
      let free = (candidates + Array(0..<second)).first { owners[$0] == nil && fits(index, $0) }
      if let free {
        partners[index] = free
        owners[free] = index
      } else {
        left.append(index)
      }
    }
    guard first <= mostPaired, second <= mostPaired else { return partners }
    for index in left {
      var seen = [Bool](repeating: false, count: second)
      _ = augment(index, &seen, &partners, &owners, fits)
    }
    return partners
  }

  private static func augment(
    _ index: Int, _ seen: inout [Bool], _ partners: inout [Int?], _ owners: inout [Int?], _ fits: (Int, Int) -> Bool
  ) -> Bool {
    for other in owners.indices where !seen[other] && fits(index, other) {
      seen[other] = true
      let owner = owners[other]
      if let owner, !augment(owner, &seen, &partners, &owners, fits) { continue }
      owners[other] = index
      partners[index] = other
      return true
    }
    return false
  }
}
