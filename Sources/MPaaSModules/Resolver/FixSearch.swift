import MPaaSSupport

/// Looks for changes of what a project asks for after which there is a solution; what it offers was tried.
struct FixSearch {
  private let graph: ModuleGraph
  private var search: ClauseSearch
  private let facts: ConflictFacts
  private let roots: [Int]
  /// The contradictions that it may still meet.
  private var budget = 12_000
  /// The places of the terms that the last refutation rests on; empty where there was none.
  private var core: [Int] = []

  /// The fate of a root.
  private enum Root {
    case kept, relaxed, removed
  }

  init(_ graph: ModuleGraph, _ search: ClauseSearch, _ facts: ConflictFacts, roots: [Int]) {
    self.graph = graph
    self.search = search
    self.facts = facts
    self.roots = roots
  }

  /// Up to three fixes of one change each; where there are none, one of two changes, or of more.
  mutating func run() throws(ModuleError) -> [ResolutionConflict.Fix] {
    var fixes = try otherInputs()
    var removals: [ResolutionConflict.Fix] = []
    for root in roots where fixes.count < 3 && budget > 0 && !graph.input.isOutOfTime() {
      if let fix = try attempt([root: .relaxed]) {
        fixes.append(fix)
      } else if removals.count < 3, let fix = try attempt([root: .removed]) {
        removals.append(fix)
      }
    }
    fixes += removals.prefix(3 - min(3, fixes.count))
    if fixes.isEmpty, let fix = try pair() { fixes = [fix] }
    if fixes.isEmpty, let fix = try oneByOne() { fixes = [fix] }
    return fixes
  }

  // MARK: - Other roots

  private func term(_ root: Int, _ fate: Root) -> ClauseTerm? {
    let term = graph.roots[root].term
    switch fate {
    case .kept: return term
    case .removed: return nil
    case .relaxed:
      let none = StateSet(width: term.states.words.count)
      var present = none.complement(last: graph.modules[term.module].releases.count)
      present.remove(0)
      return ClauseTerm(term.module, present)
    }
  }

  /// Tells whether there is a solution with these terms.
  private mutating func holds(_ terms: [ClauseTerm], limit: Int = 2_000) throws(ModuleError) -> Bool {
    search.limits.conflicts = limit
    let before = search.conflicts
    let verdict = try search.solve(terms)
    budget -= search.conflicts - before
    core = []
    if case .refuted(let places) = verdict { core = places }
    if case .satisfied = verdict { return true }
    return false
  }

  /// The changes that give the roots their fates, where that leaves a solution.
  private mutating func attempt(_ fates: [Int: Root]) throws(ModuleError) -> ResolutionConflict.Fix? {
    for (root, fate) in fates where fate == .relaxed && term(root, fate) == term(root, .kept) { return nil }
    let terms = graph.roots.indices.compactMap { term($0, fates[$0] ?? .kept) }
    guard try holds(terms) else { return nil }
    return ResolutionConflict.Fix(fates.keys.sorted().map { change($0, fates[$0] ?? .kept) })
  }

  /// The change in words of requirements; a relaxed root asks for what the solution at hand has.
  private func change(_ root: Int, _ fate: Root) -> ResolutionConflict.Change {
    let dependency = graph.roots[root].dependency, module = graph.roots[root].term.module
    guard fate == .relaxed, search.solution[module] > 0 else { return .remove(module: dependency.name) }
    let version = graph.release(module, search.solution[module]).version
    let isExact = dependency.requirement.exact != nil || version.isPrerelease
    let new = isExact ? nil : VersionRequirement("^" + version.text)
    return .require(
      module: dependency.name, old: dependency.requirement, new: new ?? VersionRequirement(exactly: version))
  }

  private mutating func pair() throws(ModuleError) -> ResolutionConflict.Fix? {
    for (place, first) in roots.enumerated() {
      for second in roots[(place + 1)...] where budget > 4_000 {
        if let fix = try attempt([first: .relaxed, second: .relaxed]) { return fix }
        if let fix = try attempt([first: .relaxed, second: .removed]) { return fix }
        if let fix = try attempt([first: .removed, second: .relaxed]) { return fix }
        if let fix = try attempt([first: .removed, second: .removed]) { return fix }
      }
    }
    return nil
  }

  /// Takes one root after another, and changes each that does not fit beside those before it.
  private mutating func oneByOne() throws(ModuleError) -> ResolutionConflict.Fix? {
    var fates: [Int: Root] = [:]
    var kept: [ClauseTerm] = []
    let order = graph.roots.indices.filter { !roots.contains($0) } + roots.sorted()
    // As many are taken together as may fit; where they do not, those before the last that the refutation rests on.
    var next = 0, count = order.count
    while next < order.count {
      // With no time left nothing is found that helps.
      if graph.input.isOutOfTime() { return nil }
      let limit = budget > 0 ? 500 : 50
      let terms = order[next..<next + count].compactMap { term($0, .kept) }
      if try holds(kept + terms, limit: limit) {
        kept += terms
        next += count
        count = order.count - next
        continue
      }
      let fitting = core.max().map { $0 - kept.count } ?? count / 2
      if fitting > 0, count > 1 {
        count = min(fitting, count - 1)
        continue
      }
      let root = order[next]
      next += 1
      count = order.count - next
      if let relaxed = term(root, .relaxed), relaxed != term(root, .kept), try holds(kept + [relaxed], limit: limit) {
        fates[root] = .relaxed
        kept.append(relaxed)
      } else {
        fates[root] = .removed
      }
    }
    guard try holds(kept) else { return nil }
    return ResolutionConflict.Fix(fates.keys.sorted().map { change($0, fates[$0] ?? .removed) })
  }

  // MARK: - Other inputs

  /// Fixes that need the registry read anew: a name that was meant, a system that modules are made for.
  private func otherInputs() throws(ModuleError) -> [ResolutionConflict.Fix] {
    var fixes: [ResolutionConflict.Fix] = []
    for root in roots where fixes.isEmpty && !graph.modules[graph.roots[root].term.module].isKnown {
      let name = graph.roots[root].dependency.name
      guard let near = graph.nearest(to: name) else { continue }
      var input = graph.input
      for place in input.roots.indices where input.roots[place].name == name { input.roots[place].name = near }
      if try isSolvable(input) { fixes.append(.init([.rename(module: name, to: near)])) }
    }
    let needed = facts.facts.compactMap { fact -> ModuleVersion? in
      if case .unavailable(_, _, .minimum(let version)) = fact { version } else { nil }
    }
    if let platform = graph.input.platform {
      for version in Set(needed).sorted() where fixes.isEmpty {
        var input = graph.input
        input.minimum = version
        if try isSolvable(input) { fixes.append(.init([.raiseMinimum(platform: platform, to: version)])) }
      }
    }
    return fixes
  }

  private func isSolvable(_ input: ResolverInput) throws(ModuleError) -> Bool {
    let graph = try ModuleGraph(input)
    var search = ClauseSearch(try ClauseEncoding(graph))
    search.limits.conflicts = 5_000
    search.limits.isOutOfTime = input.isOutOfTime
    if case .satisfied = try search.solve(graph.roots.map(\.term)) { return true }
    return false
  }
}

extension ModuleGraph {
  /// The known module that somebody who wrote `name` most likely meant.
  func nearest(to name: String) -> String? {
    closestMatch(to: name, among: input.names.isEmpty ? modules.filter(\.isKnown).map(\.name) : input.names)
  }
}
