/// Finds texts of which one stands in everything that an expression matches.
enum RequiredLiterals {
  /// A text of bytes.
  struct Literal: Equatable {
    /// In lower case where `folds`.
    var bytes: [UInt8] = []
    /// Whether the case of ASCII letters does not count.
    var folds = false
  }

  /// The most texts that are worth looking for, and the fewest bytes that one has to have.
  private static let most = 4
  private static let leastBytes = 3

  /// - Returns: An empty list where none are known, or they are too many or too short.
  static func of(_ expression: Expression) -> [Literal] {
    let found = choices(expression.node)
    return isWorthwhile(found) ? found : []
  }

  private static func isWorthwhile(_ literals: [Literal]) -> Bool {
    !literals.isEmpty && literals.count <= most && literals.allSatisfy { $0.bytes.count >= leastBytes }
  }

  /// The best that is known of a node.
  private static func choices(_ node: Expression.Node) -> [Literal] {
    switch node {
    case .empty, .lineStart, .lineEnd, .anything: return []
    case .scalar: return sequence([node])
    case .sequence(let nodes): return sequence(nodes)
    case .repeated(let inner, let least, _): return least > 0 ? choices(inner) : []
    case .choice(let nodes):
      var all: [Literal] = []
      for node in nodes {
        let found = choices(node)
        guard !found.isEmpty, all.count + found.count <= most else { return [] }
        all += found
      }
      return all
    }
  }

  private static func sequence(_ nodes: [Expression.Node]) -> [Literal] {
    var best: [Literal] = []
    var run = Literal()
    func offer(_ literals: [Literal]) { if score(literals) > score(best) { best = literals } }
    func close() {
      if !run.bytes.isEmpty { offer([run]) }
      run = Literal()
    }
    for node in flat(nodes) {
      switch node {
      case .scalar(let set):
        guard let single = set.single else {
          close()
          continue
        }
        run.bytes += single.bytes
        run.folds = run.folds || single.folds
      case .empty, .lineStart, .lineEnd: break
      case .repeated(.scalar(let set), let least, _) where least > 0 && set.single != nil:
        // `a+b` has `ab` in it.
        if let single = set.single {
          run.bytes += single.bytes
          run.folds = run.folds || single.folds
          close()
          run = Literal(bytes: single.bytes, folds: single.folds)
        }
      default:
        close()
        offer(choices(node))
      }
    }
    close()
    // A text that folds is compared in lower case; letters whose case counts are found in either.
    return best.map { literal in
      guard literal.folds else { return literal }
      return Literal(bytes: literal.bytes.map { (0x41...0x5a).contains($0) ? $0 + 32 : $0 }, folds: true)
    }
  }

  /// The nodes of a sequence and of sequences in it.
  private static func flat(_ nodes: [Expression.Node]) -> [Expression.Node] {
    nodes.flatMap { node in if case .sequence(let inner) = node { flat(inner) } else { [node] } }
  }

  /// Long texts are rare; of several the shortest counts.
  private static func score(_ literals: [Literal]) -> Int {
    guard let shortest = literals.map(\.bytes.count).min() else { return 0 }
    return min(shortest, 16) * 4 - (literals.count - 1) * 3
  }
}
