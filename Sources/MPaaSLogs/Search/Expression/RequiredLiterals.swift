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

  /// The texts that an expression stands for, where it stands for nothing else: what they find is a match.
  static func whole(of expression: Expression) -> [Literal]? {
    guard !expression.isApproximate, let texts = texts(expression.node), !texts.hasAnchors else { return nil }
    let literals = texts.all.map(\.literal)
    return isWorthwhile(literals) && texts.all.allSatisfy(\.isExact) ? literals : nil
  }

  /// The best that is known of a node.
  private static func choices(_ node: Expression.Node) -> [Literal] {
    if let texts = texts(node) { return literals(texts) }
    switch node {
    case .empty, .lineStart, .lineEnd, .boundary, .anything, .scalar: return []
    case .sequence(let nodes): return sequence(nodes)
    case .repeated(let inner, let least, _):
      guard least > 0, texts(inner) != nil else { return least > 0 ? choices(inner) : [] }
      // What is there twice has two of it behind each other.
      return sequence(Array(repeating: inner, count: min(least, 16)))
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
    var run = Texts.nothing
    func offer(_ literals: [Literal]) { if score(literals) > score(best) { best = literals } }
    for node in flat(nodes) {
      if let next = texts(node) {
        if let longer = run.followed(by: next, most: most) {
          run = longer
        } else {
          offer(literals(run))
          run = next
        }
        continue
      }
      // `a+b` has `ab` in it, and so has what stands before it.
      if case .repeated(let inner, let least, _) = node, least > 0, let next = texts(inner) {
        let times = (1...min(least, 16)).reduce(Optional(run)) { run, _ in run?.followed(by: next, most: most) }
        offer(literals(times ?? run))
        offer(choices(node))
        run = next
        continue
      }
      offer(literals(run))
      offer(choices(node))
      run = .nothing
    }
    offer(literals(run))
    return best
  }

  /// The texts as they are looked for; none where one says nothing.
  private static func literals(_ texts: Texts) -> [Literal] {
    texts.all.contains { $0.literal.bytes.isEmpty } ? [] : texts.all.map(\.literal)
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

  /// All that a node matches, where that is a few texts.
  private static func texts(_ node: Expression.Node) -> Texts? {
    switch node {
    case .empty: return .nothing
    case .lineStart, .lineEnd, .boundary: return Texts(all: [Text()], hasAnchors: true)
    case .anything: return nil
    case .scalar(let set):
      if let single = set.single { return Texts(all: [Text(bytes: single.bytes, folds: single.folds)]) }
      guard set.others == .none else { return nil }
      let bytes = (UInt8(0)..<128).filter(set.contains)
      return (1...most).contains(bytes.count) ? Texts(all: bytes.map { Text(bytes: [$0], folds: false) }) : nil
    case .sequence(let nodes):
      return nodes.reduce(Optional(.nothing)) { texts, node in
        guard let texts, let next = Self.texts(node) else { return nil }
        return texts.followed(by: next, most: most)
      }
    case .choice(let nodes):
      var union = Texts(all: [])
      for node in nodes {
        guard let texts = texts(node), union.all.count + texts.all.count <= most else { return nil }
        union = Texts(all: union.all + texts.all, hasAnchors: union.hasAnchors || texts.hasAnchors)
      }
      return union.all.isEmpty ? nil : union
    case .repeated(let inner, let least, let most):
      guard least == most, least <= 256, let texts = texts(inner) else { return nil }
      return (0..<least).reduce(Optional(.nothing)) { run, _ in run?.followed(by: texts, most: Self.most) }
    }
  }

  /// A text that a node matches.
  private struct Text {
    var bytes: [UInt8] = []
    /// Whether letters of ASCII are meant in either case, and whether in their own.
    var (folds, keepsCase) = (false, false)

    init() {}

    init(bytes: [UInt8], folds: Bool) {
      self.bytes = bytes
      self.folds = folds
      keepsCase = !folds && bytes.contains { 0x41...0x5a ~= $0 & 0xdf }
    }

    /// Whether what the literal finds is the text.
    var isExact: Bool { !(folds && keepsCase) }

    /// A text that folds is compared in lower case; letters whose case counts are found in either.
    var literal: Literal {
      guard folds else { return Literal(bytes: bytes) }
      return Literal(bytes: bytes.map { (0x41...0x5a).contains($0) ? $0 + 32 : $0 }, folds: true)
    }

    func followed(by next: Text) -> Text {
      var text = self
      text.bytes += next.bytes
      text.folds = folds || next.folds
      text.keepsCase = keepsCase || next.keepsCase
      return text
    }
  }

  /// A few texts, one of which stands there.
  private struct Texts {
    var all: [Text]
    /// Whether a line or a word must begin or end there too.
    var hasAnchors = false

    static let nothing = Texts(all: [Text()])

    /// Each text followed by each of others; nil where those are too many.
    func followed(by next: Texts, most: Int) -> Texts? {
      guard all.count * next.all.count <= most else { return nil }
      return Texts(
        all: all.flatMap { text in next.all.map { text.followed(by: $0) } },
        hasAnchors: hasAnchors || next.hasAnchors)
    }
  }
}
