package import MPaaSFlags
import MPaaSPattern
import MPaaSSupport

/// Finds what is wrong with a state: what has no meaning, what is never reached, and what has no use.
package struct FlagLint {
  private let state: FlagState
  private let now: Moment
  /// The flags by name; of several with one name the last, which counts.
  private let flags: [ExactName: FlagDefinition]
  private var findings: [FlagFinding] = []

  private init(_ state: FlagState, _ now: Moment) {
    self.state = state
    self.now = now
    flags = Dictionary(state.flags.map { (ExactName($0.name), $0) }, uniquingKeysWith: { $1 })
  }

  /// All findings, flag by flag.
  ///
  /// - Parameter now: The time after which flags are asked; what ended before is over.
  package static func findings(in state: FlagState, at now: Moment = .now) -> [FlagFinding] {
    var lint = FlagLint(state, now)
    lint.run()
    return lint.findings
  }

  private mutating func run() {
    checkNames()
    let problems = Dictionary(grouping: FlagSnapshot(state).problems, by: { ExactName($0.flag) })
    for flag in state.flags {
      for problem in problems[ExactName(flag.name)] ?? [] { add(problem) }
      check(flag)
    }
    checkCycles()
  }

  private mutating func add(_ severity: FlagFinding.Severity, _ code: FlagError.Code, _ values: [String: String]) {
    let finding = FlagFinding(severity, code, values)
    if !findings.contains(finding) { findings.append(finding) }
  }

  private mutating func checkNames() {
    var names: Set<ExactName> = []
    for flag in state.flags where !names.insert(ExactName(flag.name)).inserted {
      add(.error, .nameTwice, ["flag": flag.name])
    }
    var ids: Set<Int> = []
    let used = Set(state.flags.flatMap { $0.strategies.flatMap(\.segments) })
    for segment in state.segments {
      let values = ["segment": "\(segment.id)", "name": segment.name ?? "-"]
      if !ids.insert(segment.id).inserted { add(.error, .segmentTwice, values) }
      if !used.contains(segment.id) { add(.warning, .segmentUnused, values) }
    }
  }

  private mutating func add(_ problem: FlagProblem) {
    var values = ["flag": problem.flag, "strategy": problem.strategy.map { "\($0)" } ?? ""]
    switch problem.kind {
    case .unknownSegment(let id):
      values["segment"] = "\(id)"
      add(.error, .segmentUnknown, values)
    case .unknownOperator(let name):
      values["operator"] = name
      add(.error, .operatorUnknown, values)
    case .unknownStrategy(let name):
      values["name"] = name
      add(.warning, .strategyUnknown, values)
    case .badValue(let name, let value):
      values.merge(["operator": name, "value": value]) { $1 }
      add(.error, .valueMalformed, values)
    case .noValues(let name):
      values["operator"] = name
      add(.error, .valuesMissing, values)
    case .badPattern(let pattern, let code):
      values.merge(["pattern": pattern, "reason": code.rawValue]) { $1 }
      add(.error, .patternMalformed, values)
    case .badPercentage(let text):
      values["value"] = text
      add(.error, .percentageMalformed, values)
    case .unknownParent(let name):
      values["parent"] = name
      add(.error, .parentUnknown, values)
    case .parentWithParents(let name):
      values["parent"] = name
      add(.error, .parentNested, values)
    }
  }

  // MARK: - Reach

  private mutating func check(_ flag: FlagDefinition) {
    if flag.isStale { add(.warning, .stale, ["flag": flag.name]) }
    checkReach(flag)
    checkVariants(flag.variants, ["flag": flag.name, "strategy": ""])
    for dependency in flag.dependencies { checkVariants(of: dependency, flag) }
    if flag.isEnabled, !flag.strategies.isEmpty, flag.strategies.allSatisfy({ $0.hindrance(at: now) != nil }) {
      add(.warning, .dead, ["flag": flag.name])
    }
  }

  /// Finds strategies without effect: they never hold, or an earlier one holds wherever they do.
  private mutating func checkReach(_ flag: FlagDefinition) {
    var always: Int?
    for (index, strategy) in flag.strategies.enumerated() {
      var values = ["flag": flag.name, "strategy": "\(index + 1)", "name": strategy.name]
      defer { checkVariants(strategy.variants, values) }
      if let always {
        add(.warning, .strategyUnreachable, values.merging(["always": "\(always)"]) { $1 })
      } else if let hindrance = strategy.hindrance(at: now) {
        add(.warning, hindrance.code, values.merging(hindrance.values) { $1 })
      } else if strategy.holdsForAll {
        always = index + 1
      } else if let other = flag.strategies[..<index].firstIndex(where: { $0.covers(strategy) }) {
        values["other"] = "\(other + 1)"
        add(.warning, .strategyCovered, values)
      }
    }
  }

  /// Variants of the parent one of which is asked for, and none of which there is.
  private mutating func checkVariants(of dependency: DependencyDefinition, _ flag: FlagDefinition) {
    guard dependency.isEnabled, !dependency.variants.isEmpty,
      let parent = flags[ExactName(dependency.flag)]
    else { return }
    let names = Set((parent.variants + parent.strategies.flatMap(\.variants)).map { ExactName($0.name) })
    guard names.isDisjoint(with: dependency.variants.map { ExactName($0) }) else { return }
    let values = ["flag": flag.name, "parent": dependency.flag]
    add(.error, .parentVariant, values.merging(["variants": dependency.variants.joined(separator: ", ")]) { $1 })
  }

  private mutating func checkVariants(_ variants: [VariantDefinition], _ values: [String: String]) {
    for variant in variants where variant.weight == 0 && variant.overrides.isEmpty {
      add(.warning, .variantNever, values.merging(["variant": variant.name]) { $1 })
    }
  }

  // MARK: - Cycles

  private mutating func checkCycles() {
    let parents = flags.mapValues { $0.dependencies.map { ExactName($0.flag) } }
    var done: Set<ExactName> = []
    for flag in state.flags {
      // A walk upward along first unseen parents, without recursion, since chains may be as long as the list.
      var (path, next): ([ExactName], [[ExactName]]) = ([], [[ExactName(flag.name)]])
      while var candidates = next.popLast() {
        guard let name = candidates.popLast() else {
          if let finished = path.popLast() { done.insert(finished) }
          continue
        }
        next.append(candidates)
        if let start = path.firstIndex(of: name) {
          let names = (path[start...] + [name]).map(\.text)
          add(.error, .cycle, ["flag": name.text, "cycle": names.joined(separator: " → ")])
        } else if !done.contains(name) {
          path.append(name)
          next.append(parents[name] ?? [])
        }
      }
    }
  }
}
