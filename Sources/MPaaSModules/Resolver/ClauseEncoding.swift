import MPaaSSupport

/// The facts of a registry as clauses over states: at least one term of each clause holds.
///
/// Versions that say the same share a clause, as PubGrub's incompatibilities cover ranges.
struct ClauseEncoding {
  /// The facts of a clause about the registry.
  enum Fact: Hashable, Sendable {
    /// `owner` in some states needs `module` by `requirement`.
    case dependency(owner: Int, states: StateSet, module: Int, requirement: VersionRequirement)
    /// `owner` in some states cannot stand beside `module` by `requirement`.
    case conflict(owner: Int, states: StateSet, module: Int, requirement: VersionRequirement)
    case unavailable(module: Int, states: StateSet, Reason)
  }

  /// The reason why a version does not come into question for a project.
  enum Reason: Hashable, Sendable {
    case yanked
    case prerelease
    /// It is not made for the project's system.
    case platform
    case minimum(ModuleVersion)
  }

  struct Clause: Sendable {
    let terms: [ClauseTerm]
    let fact: Fact
  }

  /// Words of each module's sets.
  let widths: [Int]
  /// The number of versions of each module.
  let counts: [Int]
  private(set) var clauses: [Clause] = []
  /// The state that each module should have if it can; 0 for the newest.
  private(set) var favourites: [[Int]]
  /// Modules in the order of choice: who needs comes before what is needed.
  let order: [Int]

  /// Bytes that clauses may take.
  private static let limit = 120_000_000

  init(_ graph: ModuleGraph) throws(ModuleError) {
    widths = graph.modules.indices.map { graph.width(of: $0) }
    counts = graph.modules.map(\.versions.count)
    favourites = graph.modules.enumerated().map { number, module in
      [graph.input.locked[module.name], graph.input.preferred[module.name]]
        .compactMap { $0.flatMap { graph.state(of: number, $0) } }
    }
    order = ModuleOrder(graph).modules
    var size = 0
    for module in graph.modules.indices {
      addUnavailable(module, graph)
      addRelations(module, graph, &size)
      guard size < Self.limit else {
        throw ModuleError(.resolverTooLarge, ["modules": String(graph.modules.count)])
      }
    }
  }

  /// The same modules with only some of the clauses.
  init(_ other: ClauseEncoding, keeping clauses: [Int]) {
    self = other
    self.clauses = clauses.map { other.clauses[$0] }
  }

  private mutating func addUnavailable(_ module: Int, _ graph: ModuleGraph) {
    var states: [(Reason, StateSet)] = []
    for (index, reason) in graph.unavailable(module) {
      if let place = states.firstIndex(where: { $0.0 == reason }) {
        states[place].1.insert(index)
      } else {
        var set = StateSet(width: widths[module])
        set.insert(index)
        states.append((reason, set))
      }
    }
    for (reason, set) in states {
      let term = ClauseTerm(module, set.complement(last: counts[module]))
      clauses.append(Clause(terms: [term], fact: .unavailable(module: module, states: set, reason)))
    }
  }

  /// The requirements of a module's versions on one other module.
  private struct Relation {
    enum Kind { case need, option, conflict }

    let module: Int
    let kind: Kind
    /// The states of that module that are allowed.
    let allowed: StateSet
    let requirement: VersionRequirement
    var owners: StateSet
  }

  private mutating func addRelations(_ owner: Int, _ graph: ModuleGraph, _ size: inout Int) {
    var relations: [Relation] = []
    var next = 0
    let releases = graph.modules[owner].releases
    for index in releases.indices {
      for dependency in releases[index].manifest.dependencies {
        let target = graph.targets[owner][next]
        next += 1
        guard dependency.platforms.isEmpty || dependency.applies(on: graph.input.platform),
          let module = target >= 0 ? target : graph.numbers[dependency.name]
        else { continue }
        note(target >= 0 ? .need : .option, index + 1, widths[owner], module, dependency.requirement, graph, &relations)
      }
      for conflict in releases[index].manifest.conflicts {
        guard let module = graph.numbers[conflict.name], module != owner else { continue }
        note(.conflict, index + 1, widths[owner], module, conflict.requirement, graph, &relations)
      }
    }
    for relation in relations {
      add(relation, owner)
      size += (widths[owner] + widths[relation.module]) * 48 + 200
    }
  }

  /// Adds a state of an owner to what already says the same, or begins a relation with it.
  private func note(
    _ kind: Relation.Kind, _ state: Int, _ width: Int, _ module: Int, _ requirement: VersionRequirement,
    _ graph: ModuleGraph, _ relations: inout [Relation]
  ) {
    for place in relations.indices.reversed()
    where relations[place].module == module && relations[place].kind == kind
      && relations[place].requirement.text == requirement.text
    {
      relations[place].owners.insert(state)
      return
    }
    var allowed = graph.states(of: module, meeting: requirement)
    if kind == .option { allowed.insert(0) }
    if kind == .conflict {
      guard !allowed.isEmpty else { return }
      allowed = allowed.complement(last: counts[module])
    }
    let same = relations.firstIndex { $0.module == module && $0.kind == kind && $0.allowed == allowed }
    if let same {
      relations[same].owners.insert(state)
      return
    }
    var owners = StateSet(width: width)
    owners.insert(state)
    relations.append(
      Relation(module: module, kind: kind, allowed: allowed, requirement: requirement, owners: owners))
  }

  private mutating func add(_ relation: Relation, _ owner: Int) {
    let others = relation.owners.complement(last: counts[owner])
    let fact: Fact =
      relation.kind == .conflict
      ? .conflict(
        owner: owner, states: relation.owners, module: relation.module, requirement: relation.requirement)
      : .dependency(
        owner: owner, states: relation.owners, module: relation.module, requirement: relation.requirement)
    var terms = [ClauseTerm(owner, others), ClauseTerm(relation.module, relation.allowed)]
    if relation.module == owner {
      // A relation of a module to itself leaves only the versions that agree.
      var both = others
      both.formUnion(relation.allowed)
      terms = [ClauseTerm(owner, both)]
    } else if relation.allowed.isEmpty {
      terms.removeLast()
    }
    clauses.append(Clause(terms: terms, fact: fact))
  }
}

extension ModuleGraph {
  /// The states of a module that do not come into question, and why.
  ///
  /// - A withdrawn version does only where it is locked, or what the project asks for alone.
  /// - A pre-release does only where the project names one of that module, where it is locked, or where the module has
  ///   nothing else.
  /// - A version that names systems has to name the project's, and not a later version of it.
  func unavailable(_ number: Int) -> [(Int, ClauseEncoding.Reason)] {
    let module = modules[number]
    let locked = input.locked[module.name]
    let takesPrereleases = module.wantsPrerelease || module.versions.allSatisfy(\.isPrerelease)
    var result: [(Int, ClauseEncoding.Reason)] = []
    for (index, version) in module.versions.enumerated() {
      let isLocked = version == locked
      if module.releases[index].yanked != nil, !isLocked, !module.exact.contains(version) {
        result.append((index + 1, .yanked))
      } else if version.isPrerelease, !takesPrereleases, !isLocked {
        result.append((index + 1, .prerelease))
      } else if let platform = input.platform, !module.releases[index].manifest.platforms.isEmpty {
        guard let needed = module.releases[index].manifest.platforms[platform] else {
          result.append((index + 1, .platform))
          continue
        }
        if let minimum = input.minimum, needed > minimum { result.append((index + 1, .minimum(needed))) }
      }
    }
    return result
  }
}
