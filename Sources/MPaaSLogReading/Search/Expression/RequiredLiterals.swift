import MPaaSLogs

/// Finds texts of which one stands in everything that an expression matches.
enum RequiredLiterals {
  /// A text of bytes.
  struct Literal: Equatable {
    /// In lower case where `folds`.
    var bytes: [UInt8] = []
    /// Tells whether the case of ASCII letters does not count.
    var folds = false
  }

  /// Texts of which one stands in every match.
  struct Choice {
    var literals: [Literal] = []
    /// The most bytes of a match that stand before it; nil where they may be any number.
    var lead: Int?
  }

  /// The most texts that are worth looking for, and the fewest bytes that one has to have.
  private static let most = 16
  private static let leastBytes = 3

  /// - Returns: An empty list where none are known, or they are too many or too short.
  static func of(_ expression: Expression) -> Choice {
    let found = choices(expression.node)
    return isWorthwhile(found.literals) ? found : Choice()
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
  private static func choices(_ node: Expression.Node) -> Choice {
    if let texts = texts(node) { return Choice(literals: literals(texts), lead: 0) }
    switch node {
    case .empty, .lineStart, .lineEnd, .boundary, .anything, .scalar: return Choice()
    case .sequence(let nodes): return sequence(nodes)
    case .repeated(let inner, let least, _):
      guard least > 0, texts(inner) != nil else { return least > 0 ? choices(inner) : Choice() }
      // A piece that is there twice has two of its texts behind each other.
      return sequence(Array(repeating: inner, count: min(least, 16)))
    case .choice(let nodes):
      var all = Choice(lead: 0)
      for node in nodes {
        let found = choices(node)
        guard !found.literals.isEmpty, all.literals.count + found.literals.count <= most else { return Choice() }
        all.literals += found.literals
        all.lead = all.lead.flatMap { lead in found.lead.map { max(lead, $0) } }
      }
      return all
    }
  }

  private static func sequence(_ nodes: [Expression.Node]) -> Choice {
    var best = Choice()
    var run = Texts.nothing
    // The most bytes before the run, and before what comes behind it.
    var (before, behind) = (Optional(0), Optional(0))
    func offer(_ literals: [Literal], _ lead: Int?) {
      if isWorthwhile(literals), score(literals) > score(best.literals) {
        best = Choice(literals: literals, lead: lead)
      }
    }
    func offer(_ node: Expression.Node) {
      let found = choices(node)
      offer(found.literals, sum(behind, found.lead))
    }
    for node in flat(nodes) {
      let end = sum(behind, mostBytes(node))
      defer { behind = end }
      if let next = texts(node) {
        // More texts are worth less.
        if next.all.count > 1 { offer(literals(run), before) }
        if let longer = run.followed(by: next, most: most) {
          run = longer
        } else {
          offer(literals(run), before)
          (run, before) = (next, behind)
        }
        continue
      }
      offer(literals(run), before)
      // `a+b` has `ab` in it, and so has what stands before it.
      if case .repeated(let inner, let least, _) = node, least > 0, let next = texts(inner) {
        let times = (1...min(least, 16)).reduce(Optional(run)) { run, _ in run?.followed(by: next, most: most) }
        if let times { offer(literals(times), before) }
        offer(node)
        (run, before) = (next, end)
        continue
      }
      offer(node)
      (run, before) = (.nothing, end)
    }
    offer(literals(run), before)
    return best
  }

  /// The most bytes that a node matches; nil where there is no bound.
  private static func mostBytes(_ node: Expression.Node) -> Int? {
    switch node {
    case .empty, .lineStart, .lineEnd, .boundary: 0
    case .anything: nil
    // Four bytes: those of a scalar, or of what is none.
    case .scalar(let set): set.others == .none ? 1 : 4
    case .sequence(let nodes): nodes.reduce(Optional(0)) { sum($0, mostBytes($1)) }
    case .choice(let nodes):
      nodes.reduce(Optional(0)) { most, node in most.flatMap { most in mostBytes(node).map { max(most, $0) } } }
    case .repeated(let inner, let least, let most):
      most.flatMap { most in mostBytes(inner).flatMap { times(max(most, least), $0) } }
    }
  }

  private static func times(_ count: Int, _ bytes: Int) -> Int? {
    let (product, overflow) = count.multipliedReportingOverflow(by: bytes)
    return overflow ? nil : product
  }

  private static func sum(_ one: Int?, _ other: Int?) -> Int? {
    guard let one, let other else { return nil }
    let (sum, overflow) = one.addingReportingOverflow(other)
    return overflow ? nil : sum
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
    /// Tells whether letters of ASCII are meant in either case, and whether in their own.
    var (folds, keepsCase) = (false, false)

    init() {}

    init(bytes: [UInt8], folds: Bool) {
      self.bytes = bytes
      self.folds = folds
      keepsCase = !folds && bytes.contains { 0x41...0x5a ~= $0 & 0xdf }
    }

    /// Tells whether what the literal finds is the text.
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
    /// Tells whether a line or a word must begin or end there too.
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
