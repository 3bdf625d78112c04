extension DAONode {
  /// The size of the SQL that nodes become at most, and of the conditions on the way, about in bytes.
  static func size(_ nodes: [DAONode], depth: Int = 0) -> Int {
    nodes.reduce(0) { size, node in
      let own =
        switch node {
        case .sql(let bytes): bytes.count
        case .reference: 16
        case .condition(let condition, let nodes): condition.expression.size + Self.size(nodes, depth: depth)
        case .choose(let branches):
          branches.reduce(0) { $0 + ($1.condition?.expression.size ?? 0) + Self.size($1.nodes, depth: depth) }
        case .foreach(let loop):
          loop.rule.open.count + loop.rule.close.count
            + (loop.rule.separator.count + Self.size(loop.nodes, depth: depth + 1))
            * (depth < DAOTrial.greatestDepth ? 2 : 1)
        case .trim(let trim): trim.rule.size + Self.size(trim.nodes, depth: depth)
        case .format(let format): 64 + format.rule.prefix.count
        }
      return size + 16 + own
    }
  }

  /// Tells whether there is a loop among nodes.
  static func haveLoops(_ nodes: [DAONode]) -> Bool {
    nodes.contains { node in
      switch node {
      case .sql, .reference, .format: false
      case .foreach: true
      case .condition(_, let nodes): haveLoops(nodes)
      case .choose(let branches): branches.contains { haveLoops($0.nodes) }
      case .trim(let trim): haveLoops(trim.nodes)
      }
    }
  }
}

extension DAOTrimRule {
  fileprivate var size: Int {
    (prefixOverrides + suffixOverrides).reduce(prefix.count + suffix.count) { $0 + 8 + $1.count }
  }
}

extension DAOExpression {
  /// The number of its words and signs, each counted as several bytes.
  fileprivate var size: Int {
    switch self {
    case .literal(.text(let text)): 16 + text.utf8.count
    case .literal: 16
    case .path(let path): 16 + path.text.utf8.count
    case .not(let operand), .negative(let operand), .positive(let operand): 16 + operand.size
    case .binary(_, let left, let right): 16 + left.size + right.size
    }
  }
}
