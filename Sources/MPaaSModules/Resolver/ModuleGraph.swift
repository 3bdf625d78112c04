/// Everything that can be reached from what a project asks for, by numbers instead of names.
///
/// A module's *states* are numbers too: 0 is "not there", 1 the newest version, 2 the next, and so on.
struct ModuleGraph {
  struct Module {
    let name: String
    /// Newest first, each version once.
    let releases: [ModuleRelease]
    /// The versions of these; a release is large, and its version asked for often.
    let versions: [ModuleVersion]
    /// Tells whether any registry has it.
    let isKnown: Bool
    /// Tells whether the project asks for one of its pre-releases.
    var wantsPrerelease = false
    /// The exact versions that the project asks for alone, which may be withdrawn.
    var exact: [ModuleVersion] = []

    init(name: String, releases: [ModuleRelease], isKnown: Bool) {
      self.name = name
      self.releases = ModuleGraph.sorted(releases)
      versions = self.releases.indices.map { [releases = self.releases] in releases[$0].manifest.version }
      self.isKnown = isKnown
    }
  }

  /// The project's requirement, as a clause of one literal.
  struct Root {
    let dependency: ModuleDependency
    let term: ClauseTerm
  }

  let input: ResolverInput
  private(set) var modules: [Module] = []
  private(set) var numbers: [String: Int] = [:]
  private(set) var roots: [Root] = []
  /// By module, the numbers of what its releases need, in their order; -1 where a dependency need not be there.
  private(set) var targets: [[Int]] = []

  init(_ input: ResolverInput) throws(ModuleError) {
    self.input = input
    let asked = input.roots.filter { $0.applies(on: input.platform) && !$0.isOptional }
    var queue: [String] = []
    for root in asked { _ = reach(root.name, &queue) }
    var next = 0
    while next < queue.count {
      let name = queue[next]
      next += 1
      let index = try input.index(name)
      let module = Module(name: name, releases: index?.releases ?? [], isKnown: index != nil)
      modules.append(module)
      var targets: [Int] = []
      for place in module.releases.indices {
        for dependency in module.releases[place].manifest.dependencies {
          targets.append(needs(dependency, of: name) ? reach(dependency.name, &queue) : -1)
        }
      }
      self.targets.append(targets)
    }
    for root in asked {
      guard let number = numbers[root.name] else { continue }
      if root.requirement.namesPrerelease { modules[number].wantsPrerelease = true }
      if let exact = root.requirement.exact { modules[number].exact.append(exact) }
      roots.append(Root(dependency: root, term: ClauseTerm(number, states(of: number, meeting: root.requirement))))
    }
  }

  private mutating func reach(_ name: String, _ queue: inout [String]) -> Int {
    if let number = numbers[name] { return number }
    numbers[name] = queue.count
    queue.append(name)
    return queue.count - 1
  }

  private static func sorted(_ releases: [ModuleRelease]) -> [ModuleRelease] {
    let isSorted = releases.indices.dropFirst().allSatisfy { releases[$0].version < releases[$0 - 1].version }
    guard !isSorted else { return releases }
    var seen: Set<ModuleVersion> = []
    return releases.filter { seen.insert($0.version).inserted }.sorted { $0.version > $1.version }
  }

  /// Tells whether a dependency has to be there where its owner is.
  func needs(_ dependency: ModuleDependency, of owner: String) -> Bool {
    (dependency.platforms.isEmpty || dependency.applies(on: input.platform))
      && (!dependency.isOptional || input.wanted[owner]?.contains(dependency.name) ?? false)
  }

  /// The words that a set of a module's states takes.
  func width(of module: Int) -> Int { modules[module].releases.count / 64 + 1 }

  /// The states of a module in which a version that meets `requirement` is there.
  func states(of module: Int, meeting requirement: VersionRequirement) -> StateSet {
    let versions = modules[module].versions
    var set = StateSet(width: width(of: module))
    for interval in requirement.intervals {
      // Newest first: those above the interval, those inside, those below.
      let start = interval.upper.map { upper in
        versions.partitioningIndex { upper.isInclusive ? $0 <= upper.version : $0 < upper.version }
      }
      let end = interval.lower.map { lower in
        versions.partitioningIndex { lower.isInclusive ? $0 < lower.version : $0 <= lower.version }
      }
      for index in (start ?? 0)..<max(start ?? 0, end ?? versions.count) { set.insert(index + 1) }
    }
    return set
  }

  func release(_ module: Int, _ state: Int) -> ModuleRelease { modules[module].releases[state - 1] }

  /// The state in which `version` of a module is there.
  func state(of module: Int, _ version: ModuleVersion) -> Int? {
    let versions = modules[module].versions
    let index = versions.partitioningIndex { $0 <= version }
    return index < versions.count && versions[index] == version ? index + 1 : nil
  }

  /// The releases that a solution needs: what is not asked for any more is left out.
  func releases(of solution: [Int]) -> [String: ModuleRelease] {
    var chosen: [String: ModuleRelease] = [:]
    var queue = roots.map(\.term.module)
    while let module = queue.popLast() {
      let name = modules[module].name
      guard solution[module] > 0, chosen[name] == nil else { continue }
      let release = release(module, solution[module])
      chosen[name] = release
      for dependency in release.manifest.dependencies where needs(dependency, of: name) {
        if let number = numbers[dependency.name] { queue.append(number) }
      }
    }
    return chosen
  }
}

/// A set of states of one module.
struct StateSet: Hashable, Sendable {
  private(set) var words: [UInt64]

  init(width: Int) { words = [UInt64](repeating: 0, count: width) }

  init(words: [UInt64]) { self.words = words }

  mutating func insert(_ state: Int) { words[state >> 6] |= 1 << UInt64(state & 63) }

  mutating func formUnion(_ other: StateSet) {
    for index in words.indices { words[index] |= other.words[index] }
  }

  mutating func remove(_ state: Int) { words[state >> 6] &= ~(1 << UInt64(state & 63)) }

  func intersection(_ other: StateSet) -> StateSet { StateSet(words: zip(words, other.words).map { $0 & $1 }) }

  func isSubset(of other: StateSet) -> Bool { zip(words, other.words).allSatisfy { $0 & ~$1 == 0 } }

  func contains(_ state: Int) -> Bool { words[state >> 6] & (1 << UInt64(state & 63)) != 0 }

  var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

  /// All states up to `last` that are not in the set.
  func complement(last: Int) -> StateSet {
    var result = StateSet(words: words.map { ~$0 })
    let rest = UInt64(last & 63)
    if rest < 63 { result.words[last >> 6] &= (1 << (rest + 1)) - 1 }
    return result
  }

  /// The states in it, from the newest version on; "not there" comes first.
  var states: [Int] {
    var states: [Int] = []
    for (index, word) in words.enumerated() {
      var rest = word
      while rest != 0 {
        states.append(index << 6 + rest.trailingZeroBitCount)
        rest &= rest &- 1
      }
    }
    return states
  }
}

/// That a module is in one of some states: a literal of a clause.
struct ClauseTerm: Hashable, Sendable {
  let module: Int
  let states: StateSet

  init(_ module: Int, _ states: StateSet) {
    self.module = module
    self.states = states
  }
}

extension Array {
  /// The first index whose element `belongs`; all elements that do come after those that do not.
  func partitioningIndex(where belongs: (Element) -> Bool) -> Int {
    var low = 0, high = count
    while low < high {
      let middle = (low + high) / 2
      if belongs(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
