/// The steps of an explanation, in the order in which they follow from what the project asks for.
struct ConflictLines {
  typealias Line = ResolutionConflict.Line
  typealias Fact = ClauseEncoding.Fact

  static let limit = 8

  private(set) var lines: [Line] = []

  private let graph: ModuleGraph
  private let roots: [Int]
  private var factsByModule: [Int: [Fact]] = [:]
  /// The states of each module that a fact asks for.
  private var needed: [Int: StateSet] = [:]
  /// The number of facts and roots that speak of what a module may be.
  private var arrivals: [Int: Int] = [:]
  private var told: Set<Int> = []
  /// The lines, from 1, that limit a module's versions.
  private var limits: [Int: [Int]] = [:]

  init(_ graph: ModuleGraph, _ facts: ConflictFacts, roots: [Int]) {
    self.graph = graph
    self.roots = roots
    for fact in facts.facts {
      factsByModule[fact.owner, default: []].append(fact)
      if let target = fact.target { arrivals[target, default: 0] += 1 }
      if case .dependency(_, _, let target, let requirement) = fact {
        let none = StateSet(width: graph.width(of: target))
        needed[target, default: none].formUnion(graph.states(of: target, meeting: requirement))
      }
    }
    for root in roots { arrivals[graph.roots[root].term.module, default: 0] += 1 }
    guard facts.isComplete else {
      lines = long(facts)
      return
    }
    write(collapsing: false)
    if lines.count > Self.limit { write(collapsing: true) }
    if lines.count > Self.limit { shorten(facts) }
  }

  // MARK: - Writing

  private mutating func write(collapsing: Bool) {
    lines = []
    told = []
    limits = [:]
    for root in roots {
      let module = graph.roots[root].term.module
      append(rootLine(root), limiting: module)
      tell(module, collapsing)
    }
    for module in factsByModule.keys.sorted() { tell(module, collapsing) }
    conclude()
  }

  private mutating func append(_ line: Line, limiting module: Int?) {
    lines.append(line)
    if let module { limits[module, default: []].append(lines.count) }
  }

  /// Tells the facts about a module, and about what they lead to.
  private mutating func tell(_ start: Int, _ collapsing: Bool) {
    var open = [start]
    while let module = open.popLast() {
      guard told.insert(module).inserted else { continue }
      if collapsing, let chain = chain(from: module) {
        for link in chain.modules { told.insert(link) }
        append(chainLine(chain), limiting: chain.target)
        open.append(chain.target)
        continue
      }
      var next: [Int] = []
      for fact in factsByModule[module] ?? [] {
        append(line(fact), limiting: fact.target ?? module)
        if let target = fact.target { next.append(target) }
      }
      open += next.reversed()
    }
  }

  private mutating func conclude() {
    guard lines.count > 1 else { return }
    // A single module in which all ends is the one without a version.
    let ends = limits.filter { module, lines in
      lines.count > 1 && (factsByModule[module] ?? []).allSatisfy { $0.target == nil }
    }
    if ends.count == 1, let end = ends.first {
      let numbers = end.value.map(String.init).joined(separator: ", ")
      for place in end.value { lines[place - 1] = Line(lines[place - 1].kind, lines[place - 1].values, number: place) }
      append(Line(.noVersion, ["module": name(end.key), "lines": numbers]), limiting: nil)
    } else {
      append(Line(.together, ["count": String(lines.count)]), limiting: nil)
    }
  }

  // MARK: - Shortening

  private struct Chain {
    var modules: [Int]
    var target: Int
    var requirement: VersionRequirement
  }

  /// Modules from `start` on of which each says nothing but that it needs the next one.
  private func chain(from start: Int) -> Chain? {
    var chain = Chain(modules: [], target: start, requirement: .all)
    var seen: Set<Int> = []
    while let facts = factsByModule[chain.target], facts.count == 1,
      case .dependency(_, _, let next, let needed) = facts[0],
      chain.modules.isEmpty || arrivals[chain.target] == 1, seen.insert(chain.target).inserted
    {
      chain.modules.append(chain.target)
      chain.target = next
      chain.requirement = needed
    }
    return chain.modules.count > 1 ? chain : nil
  }

  private func chainLine(_ chain: Chain) -> Line {
    Line(
      .chain,
      [
        "modules": names(chain.modules, separator: " → "), "module": chain.modules.last.map(name) ?? "",
        "dependency": name(chain.target), "requirement": chain.requirement.text,
      ])
  }

  /// Keeps the beginning, and says how much was left out and of which modules it speaks.
  private mutating func shorten(_ facts: ConflictFacts) {
    let kept = lines.prefix(Self.limit - 2).map { Line($0.kind, $0.values) }
    let count = lines.count - 1 - kept.count
    let rest = lines[kept.count..<lines.count - 1].compactMap { $0.values["module"] }
    var seen: Set<String> = []
    let modules = list(rest.filter { seen.insert($0).inserted })
    lines = kept + [Line(.rest, ["count": String(count), "modules": modules])]
    lines.append(Line(.together, ["count": String(Self.limit - 1)]))
  }

  /// The lines about a proof that is too long to be followed: what it rests on.
  private func long(_ facts: ConflictFacts) -> [Line] {
    let first = roots.prefix(4).map(rootLine)
    var involved = Set(facts.facts.map(\.owner))
    involved.formUnion(facts.facts.compactMap(\.target))
    let asked = Set(roots.map { graph.roots[$0].term.module })
    var result = Array(first)
    if roots.count > first.count {
      result.append(
        Line(
          .moreRoots,
          [
            "count": String(roots.count - first.count),
            "modules": list(roots.dropFirst(4).map { name(graph.roots[$0].term.module) }),
          ]))
    }
    guard !facts.facts.isEmpty else { return result + [Line(.tooLong, ["steps": String(facts.steps)])] }
    let others = involved.subtracting(asked)
    let modules = list((others.isEmpty ? involved : others).sorted().map(name))
    result.append(Line(.long, ["count": String(facts.facts.count), "modules": modules]))
    return result
  }

  // MARK: - Wording

  private func name(_ module: Int) -> String { graph.modules[module].name }

  /// At most five names, and how many more there are.
  private func list(_ names: [String]) -> String {
    names.prefix(5).joined(separator: ", ") + (names.count > 5 ? ", … (+\(names.count - 5))" : "")
  }

  private func names(_ modules: [Int], separator: String) -> String {
    guard modules.count > 6 else { return modules.map(name).joined(separator: separator) }
    let middle = "… (\(modules.count - 4))"
    return (modules.prefix(2).map(name) + [middle] + modules.suffix(2).map(name)).joined(separator: separator)
  }

  private func rootLine(_ root: Int) -> Line {
    let dependency = graph.roots[root].dependency, term = graph.roots[root].term
    let module = graph.modules[term.module]
    let values = ["module": dependency.name, "requirement": dependency.requirement.text]
    if !module.isKnown {
      guard let near = graph.nearest(to: dependency.name) else { return Line(.rootUnknown, values) }
      return Line(.rootUnknownNear, values.merging(["near": near]) { $1 })
    }
    guard term.states.isEmpty else { return Line(.root, values) }
    return Line(.rootNone, values.merging(["newest": module.releases.first?.version.text ?? "–"]) { $1 })
  }

  private func line(_ fact: Fact) -> Line {
    switch fact {
    case .dependency(let owner, let states, let target, let requirement):
      return needs(owner, states, target, requirement)
    case .conflict(let owner, let states, let target, let requirement):
      return Line(
        .conflicts,
        [
          "module": name(owner), "versions": versions(owner, shown(owner, states)), "dependency": name(target),
          "requirement": requirement.text,
        ])
    case .unavailable(let module, let states, let reason):
      return unavailable(["module": name(module), "versions": versions(module, shown(module, states))], reason)
    }
  }

  private func unavailable(_ values: [String: String], _ reason: ClauseEncoding.Reason) -> Line {
    var values = values
    values["platform"] = graph.input.platform?.rawValue ?? ""
    switch reason {
    case .yanked: return Line(.yanked, values)
    case .prerelease: return Line(.prerelease, values)
    case .platform: return Line(.platform, values)
    case .minimum(let needed):
      values["needed"] = needed.text
      values["minimum"] = graph.input.minimum?.text ?? ""
      return Line(.minimum, values)
    }
  }

  private func needs(_ owner: Int, _ states: StateSet, _ target: Int, _ requirement: VersionRequirement) -> Line {
    let shown = shown(owner, states)
    var values = ["module": name(owner), "dependency": name(target), "requirement": requirement.text]
    values["versions"] = versions(owner, shown)
    let module = graph.modules[target]
    if !module.isKnown { return Line(.needsUnknown, values) }
    if graph.states(of: target, meeting: requirement).isEmpty {
      values["newest"] = module.releases.first?.version.text ?? "–"
      return Line(.needsNone, values)
    }
    let isAll = candidates(owner).isSubset(of: states) && shown.states.count > 1
    return Line(isAll ? .needs : .versionNeeds, values)
  }

  /// The states among those of a fact that come into question; all where none does.
  private func shown(_ module: Int, _ states: StateSet) -> StateSet {
    let both = states.intersection(candidates(module))
    return both.isEmpty ? states : both
  }

  /// The versions of a module that the roots and the facts which lead to it allow.
  private func candidates(_ module: Int) -> StateSet {
    let none = StateSet(width: graph.width(of: module))
    var all = none.complement(last: graph.modules[module].releases.count)
    all.remove(0)
    for root in roots where graph.roots[root].term.module == module {
      all = all.intersection(graph.roots[root].term.states)
    }
    guard let needed = needed[module] else { return all }
    let both = all.intersection(needed)
    return both.isEmpty ? all : both
  }

  /// `1.0, 1.2 – 1.5`: the versions of some states, oldest first, with runs of neighbours drawn together.
  private func versions(_ module: Int, _ states: StateSet) -> String {
    var runs: [(newest: Int, oldest: Int)] = []
    for state in states.states where state > 0 {
      if let last = runs.last, last.oldest + 1 == state {
        runs[runs.count - 1].oldest = state
      } else {
        runs.append((state, state))
      }
    }
    let words = runs.reversed().map { run in
      let newest = graph.release(module, run.newest).version.text
      return run.newest == run.oldest ? newest : "\(graph.release(module, run.oldest).version.text) – \(newest)"
    }
    return list(words)
  }
}

extension ClauseEncoding.Fact {
  /// The module that the fact is about.
  var owner: Int {
    switch self {
    case .dependency(let owner, _, _, _), .conflict(let owner, _, _, _): owner
    case .unavailable(let module, _, _): module
    }
  }

  /// The other module that it limits.
  var target: Int? {
    switch self {
    case .dependency(_, _, let target, _), .conflict(_, _, let target, _): target
    case .unavailable: nil
    }
  }
}
