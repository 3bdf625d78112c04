import MPaaSJSON

/// The way along a path through a document, within a number of steps.
struct JSONPathRun {
  let root: JSONNode
  private var budget = 1_000_000

  init(root: JSONNode) { self.root = root }

  mutating func values(_ steps: [JSONPath.Step], from node: JSONNode) -> [JSONNode] {
    var values = [node]
    var index = 0
    while index < steps.count, !values.isEmpty {
      let step = steps[index]
      index += 1
      if case .function(let name, let arguments) = step {
        let subject = index > 1 && values.count != 1 ? JSONNode.list(values) : values[0]
        values = Self.call(name, arguments, subject).map { [$0] } ?? []
        continue
      }
      var found: [JSONNode] = []
      for value in values {
        guard budget > 0 else { return [] }
        add(step, value, to: &found)
      }
      values = found
    }
    return values
  }

  private mutating func add(_ step: JSONPath.Step, _ node: JSONNode, to found: inout [JSONNode]) {
    budget -= 1
    switch step {
    case .names(let names):
      if names.count == 1 {
        if let value = node[names[0]] { found.append(value) }
      } else if node.members != nil {
        // Several names make an object of what is there.
        found.append(.members(names.map { ($0, node[$0]) }))
      }
    case .indexes(let indexes):
      guard let elements = node.elements else { return }
      for index in indexes {
        let place = index < 0 ? elements.count + index : index
        if elements.indices.contains(place) { found.append(elements[place]) }
      }
    case .slice(let first, let end, let stride):
      guard let elements = node.elements else { return }
      func place(_ index: Int) -> Int { max(0, min(elements.count, index < 0 ? elements.count + index : index)) }
      let (from, to) = (place(first ?? 0), place(end ?? elements.count))
      guard from < to else { return }
      for index in Swift.stride(from: from, to: to, by: stride) { found.append(elements[index]) }
    case .all: found += Self.children(of: node)
    case .descendants: addAll(node, to: &found)
    case .filter(let condition):
      // Of an object its own members are asked, of an array its elements.
      if let elements = node.elements {
        for element in elements where holds(condition, element) { found.append(element) }
      } else if holds(condition, node) {
        found.append(node)
      }
    case .function: break
    }
  }

  private static func children(of node: JSONNode) -> [JSONNode] { node.elements ?? node.members?.map(\.value) ?? [] }

  private mutating func addAll(_ node: JSONNode, to found: inout [JSONNode]) {
    budget -= 1
    guard budget > 0 else { return }
    found.append(node)
    for child in Self.children(of: node) { addAll(child, to: &found) }
  }

  // MARK: Functions

  static func call(_ name: String, _ arguments: [String], _ node: JSONNode) -> JSONNode? {
    let numbers = node.elements?.compactMap { $0.number?.double } ?? []
    switch name {
    case "length", "size":
      let count = node.elements?.count ?? node.members?.count ?? node.string?.count
      return count.map { .whole($0) }
    case "keys": return node.members.map { .list($0.map { .text($0.name) }) }
    case "first": return node.elements?.first
    case "last": return node.elements?.last
    case "index":
      guard let elements = node.elements, let index = arguments.first.flatMap({ Int($0) }) else { return nil }
      let place = index < 0 ? elements.count + index : index
      return elements.indices.contains(place) ? elements[place] : nil
    case "min": return numbers.min().map { .number($0) }
    case "max": return numbers.max().map { .number($0) }
    case "sum": return .number(numbers.reduce(0, +))
    case "avg": return numbers.isEmpty ? nil : .number(numbers.reduce(0, +) / Double(numbers.count))
    case "stddev":
      guard !numbers.isEmpty else { return nil }
      let mean = numbers.reduce(0, +) / Double(numbers.count)
      return .number((numbers.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(numbers.count)).squareRoot())
    case "concat": return .text((node.elements?.map(\.plainText).joined() ?? node.plainText) + arguments.joined())
    case "append": return node.elements.map { .list($0 + arguments.map { .text($0) }) }
    default: return nil
    }
  }

  // MARK: Conditions

  private mutating func holds(_ condition: JSONPathCondition, _ node: JSONNode) -> Bool {
    budget -= 1
    guard budget > 0 else { return false }
    switch condition {
    case .constant(let value): return value
    case .and(let one, let other): return holds(one, node) && holds(other, node)
    case .or(let one, let other): return holds(one, node) || holds(other, node)
    case .not(let condition): return !holds(condition, node)
    case .exists(let path, let isFromRoot): return !values(path.steps, from: isFromRoot ? root : node).isEmpty
    case .comparison(let left, let name, let right):
      if case .pattern(let pattern) = right {
        return value(left, node).map { Self.text(of: $0).map { pattern.matches($0) } ?? false } ?? false
      }
      if case .pattern(let pattern) = left {
        return value(right, node).map { Self.text(of: $0).map { pattern.matches($0) } ?? false } ?? false
      }
      return JSONPathComparison.holds(value(left, node), name, value(right, node))
    }
  }

  private static func text(of node: JSONNode) -> String? {
    node.elements == nil && node.members == nil && !node.isNull ? node.plainText : nil
  }

  private mutating func value(_ operand: JSONPathCondition.Operand, _ node: JSONNode) -> JSONNode? {
    switch operand {
    case .literal(let literal): return literal
    case .pattern: return nil
    case .path(let path, let isFromRoot):
      let found = values(path.steps, from: isFromRoot ? root : node)
      return path.isDefinite ? found.first : .list(found)
    }
  }
}

/// The comparisons of filters; a number and a text that says the same are one.
enum JSONPathComparison {
  static func holds(_ left: JSONNode?, _ name: String, _ right: JSONNode?) -> Bool {
    switch name {
    case "==": return equal(left, right)
    case "===": return left.map { one in right.map { one.isSame(as: $0) } ?? false } ?? (right == nil)
    case "!=", "<>": return !equal(left, right)
    case "!==": return !holds(left, "===", right)
    case "empty": return left.map { isEmpty($0) == (right?.bool ?? true) } ?? false
    default: break
    }
    guard let left, let right else { return false }
    switch name {
    case "<": return ordered(left, right).map { $0 < 0 } ?? false
    case "<=": return ordered(left, right).map { $0 <= 0 } ?? false
    case ">": return ordered(left, right).map { $0 > 0 } ?? false
    case ">=": return ordered(left, right).map { $0 >= 0 } ?? false
    case "in": return right.elements?.contains { equal(left, $0) } ?? false
    case "nin": return !(right.elements?.contains { equal(left, $0) } ?? false)
    case "contains":
      if let elements = left.elements { return elements.contains { equal($0, right) } }
      return left.string.map { text in right.string.map { text.contains($0) } ?? false } ?? false
    case "subsetof": return all(left) { one in right.elements?.contains { equal(one, $0) } ?? false }
    case "anyof":
      return left.elements?.contains { one in right.elements?.contains { equal(one, $0) } ?? false } ?? false
    case "noneof": return all(left) { one in !(right.elements?.contains { equal(one, $0) } ?? true) }
    case "size":
      let count = left.elements?.count ?? left.members?.count ?? left.string?.count
      return count.map { one in right.number.map { $0 == JSONNumber(one) } ?? false } ?? false
    case "type": return right.string == String(left.kind.split(separator: " ").last ?? "")
    default: return false
    }
  }

  private static func all(_ node: JSONNode, _ condition: (JSONNode) -> Bool) -> Bool {
    node.elements?.allSatisfy(condition) ?? false
  }

  private static func isEmpty(_ node: JSONNode) -> Bool {
    node.elements?.isEmpty ?? node.members?.isEmpty ?? node.string?.isEmpty ?? false
  }

  private static func equal(_ left: JSONNode?, _ right: JSONNode?) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    if let (one, other) = numbers(left, right) { return one == other }
    return left.isSame(as: right)
  }

  private static func numbers(_ left: JSONNode, _ right: JSONNode) -> (JSONNumber, JSONNumber)? {
    guard left.number != nil || right.number != nil else { return nil }
    guard let one = left.number ?? left.string.flatMap({ JSONNumber($0) }),
      let other = right.number ?? right.string.flatMap({ JSONNumber($0) })
    else { return nil }
    return (one, other)
  }

  private static func ordered(_ left: JSONNode, _ right: JSONNode) -> Int? {
    if let (one, other) = numbers(left, right) { return one < other ? -1 : one == other ? 0 : 1 }
    guard let one = left.string, let other = right.string else { return nil }
    return one < other ? -1 : one == other ? 0 : 1
  }
}
