package import MPaaSJSON

extension JSONNode {
  /// Tells whether two values are equal, wherever they stand: numbers by value, objects whatever the order.
  package func isSame(as other: JSONNode) -> Bool {
    switch (content, other.content) {
    case (.null, .null): return true
    case (.bool(let left), .bool(let right)): return left == right
    case (.number(let left), .number(let right)): return left == right
    case (.string(let left), .string(let right)): return left.utf8.elementsEqual(right.utf8)
    case (.array(let left), .array(let right)):
      return left.count == right.count && zip(left, right).allSatisfy { $0.isSame(as: $1) }
    case (.object(let left), .object(let right)):
      guard left.count == right.count else { return false }
      let named = Dictionary(right.map { (ExactText(text: $0.name), $0.value) }) { $1 }
      return left.allSatisfy { member in
        named[ExactText(text: member.name)].map { $0.isSame(as: member.value) } ?? false
      }
    default: return false
    }
  }
}

/// A value as the key of a dictionary, equal to another where `isSame` says so.
struct SameValue: Hashable {
  let node: JSONNode

  static func == (left: SameValue, right: SameValue) -> Bool { left.node.isSame(as: right.node) }

  func hash(into hasher: inout Hasher) {
    switch node.content {
    case .null: hasher.combine(0)
    case .bool(let value): hasher.combine(value)
    case .number(let number): hasher.combine(number)
    case .string(let text): hasher.combine(text)
    case .array(let elements): for element in elements { hasher.combine(SameValue(node: element)) }
    case .object(let members):
      // The order must not count.
      var sum = 0
      for member in members {
        var own = Hasher()
        own.combine(member.name)
        own.combine(SameValue(node: member.value))
        sum &+= own.finalize()
      }
      hasher.combine(sum)
    }
  }
}
