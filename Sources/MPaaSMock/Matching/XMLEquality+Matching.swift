import MPaaSJSON

extension XMLEquality {
  /// Tells whether a document is the same.
  package func matches(_ actual: XMLTree) -> Bool {
    var comparison = XMLComparison(self, actual)
    comparison.compare(expected.rootElement, actual.rootElement)
    return comparison.differing == 0
  }

  /// The share of comparisons that fail.
  package func distance(_ actual: XMLTree) -> Double {
    var comparison = XMLComparison(self, actual)
    comparison.compare(expected.rootElement, actual.rootElement)
    return Double(comparison.differing) / Double(max(comparison.made, 1))
  }
}

/// Compares two documents element by element.
private struct XMLComparison {
  let pattern: XMLEquality
  let actual: XMLTree
  private(set) var made = 0
  private(set) var differing = 0

  init(_ pattern: XMLEquality, _ actual: XMLTree) {
    self.pattern = pattern
    self.actual = actual
  }

  private var expected: XMLTree { pattern.expected }

  private mutating func note(_ kind: String, _ isSame: Bool) {
    made += 1
    if !isSame, !pattern.exempted.contains(kind) { differing += 1 }
  }

  /// The name by which elements and attributes are told apart.
  private func name(_ node: XMLTree.Node) -> String {
    pattern.namespaces == .none ? node.name : node.local
  }

  private func space(_ node: XMLTree.Node) -> String { pattern.namespaces == .none ? "" : node.namespace }

  mutating func compare(_ one: Int, _ other: Int) {
    let (left, right) = (expected.nodes[one], actual.nodes[other])
    // The kind of the node is the same, as is whatever its prefix says.
    made += 2
    note("NAMESPACE_URI", space(left) == space(right))
    note("ELEMENT_TAG_NAME", name(left) == name(right))
    note("ELEMENT_NUM_ATTRIBUTES", left.attributes.count == right.attributes.count)
    compareAttributes(left, right)
    let (elements, others) = (Self.elements(left, in: expected), Self.elements(right, in: actual))
    note("CHILD_NODELIST_LENGTH", elements.count == others.count)
    compareText(left, right)
    compareChildren(elements, others)
  }

  private static func elements(_ node: XMLTree.Node, in tree: XMLTree) -> [Int] {
    node.children.filter { tree.nodes[$0].kind == .element }
  }

  private mutating func compareAttributes(_ left: XMLTree.Node, _ right: XMLTree.Node) {
    for number in left.attributes {
      let attribute = expected.nodes[number]
      let other = right.attributes.first {
        name(actual.nodes[$0]) == name(attribute) && space(actual.nodes[$0]) == space(attribute)
      }
      guard let other else {
        note("ATTR_NAME_LOOKUP", false)
        continue
      }
      note("ATTR_VALUE", isSame(attribute.value, actual.nodes[other].value))
    }
  }

  private mutating func compareText(_ left: XMLTree.Node, _ right: XMLTree.Node) {
    let (one, other) = (Self.text(left, in: expected), Self.text(right, in: actual))
    guard !one.isEmpty || !other.isEmpty else { return }
    note("TEXT_VALUE", isSame(one, other))
  }

  private static func text(_ node: XMLTree.Node, in tree: XMLTree) -> String {
    let text = node.children.map { tree.nodes[$0].kind == .text ? tree.nodes[$0].value : "" }.joined()
    return trimmed(text)
  }

  private static func trimmed(_ text: String) -> String {
    var text = text[...]
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }

  private mutating func compareChildren(_ elements: [Int], _ others: [Int]) {
    var left: [String: [Int]] = [:]
    for number in others { left[name(actual.nodes[number]), default: []].append(number) }
    var missing = 0
    var groups: [String: [Int]] = [:]
    for number in elements { groups[name(expected.nodes[number]), default: []].append(number) }
    for (name, group) in groups.sorted(by: { $0.key < $1.key }) {
      let candidates = left.removeValue(forKey: name) ?? []
      let pairs =
        pattern.ignoresOrderOfSameNode
        ? pairs(group, candidates) : Array(zip(group, candidates))
      for (one, other) in pairs { compare(one, other) }
      missing += max(0, group.count - pairs.count) + max(0, candidates.count - pairs.count)
    }
    missing += left.values.reduce(0) { $0 + $1.count }
    for _ in 0..<missing { note("CHILD_LOOKUP", false) }
  }

  /// Pairs elements of one name with those that are the same, and the rest in their order.
  private func pairs(_ group: [Int], _ candidates: [Int]) -> [(Int, Int)] {
    let found = Assignment.pairs(group.count, candidates.count) { one, other in
      var comparison = XMLComparison(pattern, actual)
      comparison.compare(group[one], candidates[other])
      return comparison.differing == 0
    }
    let taken = Set(found.compactMap(\.self))
    var free = candidates.indices.filter { !taken.contains($0) }[...]
    return group.indices.compactMap { index in
      (found[index] ?? free.popFirst()).map { (group[index], candidates[$0]) }
    }
  }

  private func isSame(_ expected: String, _ actual: String) -> Bool {
    if let placeholder = pattern.placeholder, placeholder.matches(expected),
      let groups = placeholder.firstMatch(in: expected), groups.count > 2, let word = groups[1]
    {
      return XMLPlaceholder.matches(word, groups[2], actual)
    }
    return expected == actual
  }
}

/// XMLUnit's placeholders.
private enum XMLPlaceholder {
  static func matches(_ word: String, _ argument: String?, _ actual: String) -> Bool {
    switch word {
    case "ignore": true
    case "isNumber": JSONNumber.lenient(actual) != nil
    case "isDateTime": MockTime(actual) != nil
    case "matchesRegex": (try? JavaPattern(argument ?? "")).map { $0.matches(actual) } ?? false
    default: false
    }
  }
}
