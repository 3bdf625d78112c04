/// Assumed answers in place of a call's values, by which a statement is written as some call would have it.
package struct DAOTrial: Sendable {
  /// The depth up to which loops in each other have several elements, as their numbers multiply.
  static let greatestDepth = 3

  /// The numbers of the comparisons or values that conditions are made of.
  private let numbers: [DAOExpression: Int]
  /// The truth of each, by its number.
  private let answers: [Bool]
  /// The number of elements of every collection, where few loops lie around it.
  package let itemCount: Int
  /// A column that stands for those of `format` elements.
  package let column: String

  package init(numbers: [DAOExpression: Int] = [:], answers: [Bool] = [], itemCount: Int, column: String) {
    self.numbers = numbers
    self.answers = answers
    self.itemCount = itemCount
    self.column = column
  }

  /// Tells whether the condition holds under the assumptions.
  func holds(_ condition: DAOCondition) -> Bool {
    DAOAtoms.isTrue(condition.expression) { numbers[$0].map { answers[$0] } ?? false } == condition.wanted
  }
}

/// Conditions taken apart at `and`, `or`, `xor`, `not` and `!=`.
package enum DAOAtoms {
  /// The truth of an expression by the truth of its parts.
  package static func isTrue(_ expression: DAOExpression, _ atom: (DAOExpression) -> Bool) -> Bool {
    switch expression {
    case .not(let operand): !isTrue(operand, atom)
    case .binary(.or, let left, let right): isTrue(left, atom) || isTrue(right, atom)
    case .binary(.and, let left, let right): isTrue(left, atom) && isTrue(right, atom)
    case .binary(.xor, let left, let right): isTrue(left, atom) != isTrue(right, atom)
    case .binary(.unequal, let left, let right): !isTrue(.binary(.equal, left, right), atom)
    case .literal(let value): value.isTrue
    default: atom(expression)
    }
  }

  /// The parts of all conditions among nodes, in their order.
  package static func all(in nodes: [DAONode]) -> [DAOExpression] {
    var found = Found()
    collect(nodes, &found)
    return found.inOrder
  }

  private struct Found {
    var inOrder: [DAOExpression] = []
    private var all: Set<DAOExpression> = []

    mutating func add(_ atom: DAOExpression) {
      if all.insert(atom).inserted { inOrder.append(atom) }
    }
  }

  private static func collect(_ nodes: [DAONode], _ found: inout Found) {
    for node in nodes {
      switch node {
      case .sql, .reference, .format: continue
      case .condition(let condition, let nodes):
        collect(condition.expression, &found)
        collect(nodes, &found)
      case .choose(let branches):
        for (condition, nodes) in branches {
          if let condition { collect(condition.expression, &found) }
          collect(nodes, &found)
        }
      case .foreach(let loop): collect(loop.nodes, &found)
      case .trim(let trim): collect(trim.nodes, &found)
      }
    }
  }

  private static func collect(_ expression: DAOExpression, _ found: inout Found) {
    switch expression {
    case .not(let operand): collect(operand, &found)
    case .binary(.or, let left, let right), .binary(.and, let left, let right), .binary(.xor, let left, let right):
      collect(left, &found)
      collect(right, &found)
    case .binary(.unequal, let left, let right): collect(.binary(.equal, left, right), &found)
    case .literal: return
    default: found.add(expression)
    }
  }

  /// The path that an expression compares with nil.
  package static func nilPath(_ atom: DAOExpression) -> DAOPath? {
    switch atom {
    case .binary(.equal, .path(let path), .literal(.null)), .binary(.equal, .literal(.null), .path(let path)): path
    default: nil
    }
  }

  /// The paths that cannot be nil where an expression is true.
  ///
  /// - Parameter lengths: The numbers of properties of the paths that are looked for.
  package static func solidPaths(_ atom: DAOExpression, _ lengths: Set<Int>) -> [DAOPath] {
    switch atom {
    case .path(let path): prefixes(of: path, lengths)
    case .binary(.equal, .path(let path), .literal(let value)), .binary(.equal, .literal(let value), .path(let path)):
      value == .null ? [] : prefixes(of: path, lengths)
    case .binary(let sign, let left, let right) where [.less, .greater, .atMost, .atLeast].contains(sign):
      solidPaths(left, lengths) + solidPaths(right, lengths)
    default: []
    }
  }

  private static func prefixes(of path: DAOPath, _ lengths: Set<Int>) -> [DAOPath] {
    lengths.filter { $0 <= path.properties.count }.map { count in
      let properties = Array(path.properties.prefix(count))
      let first = path.text.prefix { $0 != "." }
      return DAOPath(
        root: path.root, properties: properties, text: ([String(first)] + properties).joined(separator: "."))
    }
  }
}
