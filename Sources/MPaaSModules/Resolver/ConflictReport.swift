/// The facts about roots that cannot be met together: as few of them as will do, the facts that rule them out, and
/// changes that help.
struct ConflictReport {
  let conflict: ResolutionConflict

  /// - Parameter core: Places of roots that cannot be met together.
  init(_ graph: ModuleGraph, _ search: ClauseSearch, core: [Int]) throws(ModuleError) {
    var search = search
    let smallest = try Self.smallest(core, graph, &search)
    let facts = try ConflictFacts(graph, search.encoding, roots: smallest)
    let lines = ConflictLines(graph, facts, roots: smallest).lines
    var fixes = FixSearch(graph, search, facts, roots: smallest)
    conflict = ResolutionConflict(lines: lines, fixes: try fixes.run())
  }

  /// Leaves out each root without which the others still cannot be met.
  private static func smallest(
    _ core: [Int], _ graph: ModuleGraph, _ search: inout ClauseSearch
  ) throws(ModuleError) -> [Int] {
    var core = core, place = 0
    let start = search.conflicts
    while place < core.count, core.count > 1, search.conflicts - start < 4_000 {
      var trial = core
      trial.remove(at: place)
      search.limits.conflicts = 1_000
      switch try search.solve(trial.map { graph.roots[$0].term }) {
      case .refuted(let rest): core = rest.map { trial[$0] }
      case .satisfied, .exhausted: place += 1
      case .outOfTime: return core
      }
    }
    return core
  }
}

/// Facts of the registry that rule out some roots; where there are few, none can be left out.
struct ConflictFacts {
  private(set) var facts: [ClauseEncoding.Fact] = []
  /// Tells whether the proof is short enough to be told.
  private(set) var isComplete = false
  /// The contradictions that the proof went through.
  private(set) var steps = 0
  private let isOutOfTime: @Sendable () -> Bool

  private struct Proof {
    let clauses: [Int]
    let conflicts: Int
  }

  init(_ graph: ModuleGraph, _ encoding: ClauseEncoding, roots: [Int]) throws(ModuleError) {
    let terms = roots.map { graph.roots[$0].term }
    isOutOfTime = graph.input.isOutOfTime
    guard var proof = try self.proof(encoding, Array(encoding.clauses.indices), terms, limit: 2_000) else {
      steps = 2_000
      return
    }
    for _ in 0..<3 {
      guard let next = try self.proof(encoding, proof.clauses, terms, limit: 2_000),
        next.clauses.count < proof.clauses.count
      else { break }
      proof = next
    }
    steps = proof.conflicts
    facts = proof.clauses.map { encoding.clauses[$0].fact }
    guard proof.clauses.count <= 300, proof.conflicts < 60 else { return }
    isComplete = true
    // A proof that is too long to be told in full need not be as short as it can be.
    if proof.clauses.count <= 100 { try shrink(encoding, proof.clauses, terms) }
  }

  /// Leaves out each clause without which the roots still cannot be met.
  private mutating func shrink(
    _ encoding: ClauseEncoding, _ clauses: [Int], _ terms: [ClauseTerm]
  ) throws(ModuleError) {
    var clauses = clauses, place = 0, spent = 0
    while place < clauses.count, spent < 5_000, !isOutOfTime() {
      var trial = clauses
      trial.remove(at: place)
      if let proof = try self.proof(encoding, trial, terms, limit: 500) {
        clauses = proof.clauses
        spent += proof.conflicts
      } else {
        spent += 10
        place += 1
      }
    }
    facts = clauses.map { encoding.clauses[$0].fact }
  }

  /// The clauses among `clauses` that a refutation of `terms` rests on; nil where none was found.
  private func proof(
    _ encoding: ClauseEncoding, _ clauses: [Int], _ terms: [ClauseTerm], limit: Int
  ) throws(ModuleError) -> Proof? {
    var search = ClauseSearch(ClauseEncoding(encoding, keeping: clauses), keepsProof: true)
    search.limits.conflicts = limit
    search.limits.isOutOfTime = isOutOfTime
    guard case .refuted = try search.solve(terms) else { return nil }
    return Proof(clauses: search.axiomsOfProof.map { clauses[$0] }, conflicts: search.conflicts)
  }
}

extension ClauseSearch {
  /// The clauses of the registry that the last refutation rests on, sorted.
  var axiomsOfProof: [Int] {
    var isSeen = [Bool](repeating: false, count: clauses.count)
    var queue = proof
    while let clause = queue.popLast() {
      guard !isSeen[Int(clause)] else { continue }
      isSeen[Int(clause)] = true
      if Int(clause) >= axiomCount { queue += sources[Int(clause) - axiomCount] }
    }
    return (0..<axiomCount).filter { isSeen[$0] }
  }
}
