import MPaaSBuckets
import MPaaSPattern
import MPaaSSupport

/// Makes the parts of a snapshot.
struct FlagCompiler {
  let state: FlagState
  var flags: [CompiledFlag] = []
  var strategies: [CompiledStrategy] = []
  var constraints: [CompiledConstraint] = []
  var segmentNumbers: [Int32] = []
  var segments: [Run] = []
  var variants: [CompiledVariant] = []
  var variantTexts: [FlagVariant] = []
  var overrides: [CompiledOverride] = []
  var parents: [CompiledParent] = []
  var networks: [NetworkRange] = []
  var patterns: [Pattern] = []
  var fields = FieldTable()
  var store = TextStore()
  var names = TextList()
  private(set) var problems: [FlagProblem] = []

  /// The steps that are left for the tables of patterns of the whole state, a tenth of a second's.
  var patternBudget = 50_000_000
  /// Numbers of the patterns that are there already, by text and case.
  var knownPatterns: [String: Int32] = [:]
  private var segmentPlaces: [Int: Int32] = [:]
  /// The problems of the segments, which are those of all strategies that name them.
  private var segmentProblems: [[FlagProblem.Kind]] = []
  private var flagNumbers: [ExactName: Int] = [:]
  /// The problems of the constraints at hand.
  var found: [FlagProblem.Kind] = []

  init(_ state: FlagState) { self.state = state }

  mutating func compile() {
    names = store.list(state.flags.map(\.name), alwaysTable: !state.flags.isEmpty)
    for (number, flag) in state.flags.enumerated() { flagNumbers[ExactName(flag.name)] = number }
    for segment in state.segments {
      segmentPlaces[segment.id] = Int32(segments.count)
      segments.append(add(segment.constraints))
      segmentProblems.append(found)
    }
    for flag in state.flags { flags.append(compiled(flag)) }
  }

  private mutating func compiled(_ flag: FlagDefinition) -> CompiledFlag {
    var compiled = CompiledFlag(isEnabled: flag.isEnabled)
    var list: [CompiledStrategy] = []
    for (index, strategy) in flag.strategies.enumerated() {
      found = []
      list.append(self.compiled(strategy, of: flag))
      compiled.isBroken = compiled.isBroken || found.contains { $0.breaksFlag }
      problems += found.map { FlagProblem(kind: $0, flag: flag.name, strategy: index + 1) }
    }
    compiled.strategies = Run(start: Int32(strategies.count), count: Int32(list.count))
    strategies += list
    compiled.variants = add(flag.variants, group: flag.name, stickiness: flag.variants.first?.stickiness)
    compiled.parents = add(flag.dependencies, of: flag)
    return compiled
  }

  // MARK: - Strategies

  private mutating func compiled(_ strategy: StrategyDefinition, of flag: FlagDefinition) -> CompiledStrategy {
    var compiled = CompiledStrategy(rule: rule(of: strategy, flag))
    let rule = found
    compiled.constraints = add(strategy.constraints)
    found = rule + found
    compiled.segments.start = Int32(segmentNumbers.count)
    for id in strategy.segments {
      guard let place = segmentPlaces[id] else {
        found.append(.unknownSegment(id))
        continue
      }
      found += segmentProblems[Int(place)]
      segmentNumbers.append(place)
      compiled.segments.count += 1
    }
    compiled.variants = add(
      strategy.variants, group: strategy.parameters["groupId"] ?? flag.name,
      stickiness: strategy.parameters["stickiness"])
    return compiled
  }

  private mutating func rule(of strategy: StrategyDefinition, _ flag: FlagDefinition) -> CompiledStrategy.Rule {
    switch strategy.name {
    case "default": return .always
    case "userWithId": return strategy.parameters["userIds"].map { .users(store.list(items($0))) } ?? .never
    case "applicationHostname":
      return .hosts(store.list(items(strategy.parameters["hostNames"] ?? ""), lowercased: true))
    case "remoteAddress":
      return strategy.parameters["IPs"].map { .addresses(add(networks: items($0))) } ?? .never
    case "gradualRolloutRandom":
      return percentage(strategy, "percentage").map { .random(percentage: $0) } ?? .never
    case "gradualRolloutUserId": return rollout(strategy, flag, .field(CompiledField(kind: .userId)))
    case "gradualRolloutSessionId": return rollout(strategy, flag, .field(CompiledField(kind: .sessionId)))
    case "flexibleRollout":
      guard let percentage = percentage(strategy, "rollout") else { return .never }
      let stickiness = stickiness(strategy.parameters["stickiness"])
      return .rollout(percentage: percentage, stickiness, hash(strategy.parameters["groupId"] ?? flag.name, seed: 0))
    default:
      found.append(.unknownStrategy(strategy.name))
      return .never
    }
  }

  private mutating func rollout(
    _ strategy: StrategyDefinition, _ flag: FlagDefinition, _ stickiness: Stickiness
  ) -> CompiledStrategy.Rule {
    guard let percentage = percentage(strategy, "percentage"), let group = strategy.parameters["groupId"] else {
      return .never
    }
    return .rollout(percentage: percentage, stickiness, hash(group, seed: 0))
  }

  private func items(_ text: String) -> [String] {
    text.split(separator: ",", omittingEmptySubsequences: false).map { item in
      String(item.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }
  }

  /// A whole number up to 100; nil where the parameter is missing or no number.
  private mutating func percentage(_ strategy: StrategyDefinition, _ parameter: String) -> UInt32? {
    guard let text = strategy.parameters[parameter] else { return nil }
    guard let number = UInt32(text), number <= 100 else {
      found.append(.badPercentage(text))
      return nil
    }
    return number
  }

  private mutating func stickiness(_ name: String?) -> Stickiness {
    switch name {
    case nil, "default": .usual
    case "random": .chance
    case let name?: .field(fields.field(name))
    }
  }

  private func hash(_ group: String, seed: UInt32) -> MurmurHash3 {
    var hash = MurmurHash3(seed: seed)
    hash.append(group)
    hash.append(UInt8(ascii: ":"))
    return hash
  }

  // MARK: - Variants and parents

  private mutating func add(_ list: [VariantDefinition], group: String, stickiness: String?) -> CompiledVariants {
    guard !list.isEmpty else { return CompiledVariants() }
    var compiled = CompiledVariants()
    var added: [CompiledVariant] = []
    for variant in list {
      let (sum, overflow) = compiled.sum.addingReportingOverflow(UInt32(clamping: variant.weight))
      if !overflow { compiled.sum = sum }
      var run = Run(start: Int32(overrides.count))
      for override in variant.overrides {
        overrides.append(CompiledOverride(field: fields.field(override.field), texts: store.list(override.values)))
        run.count += 1
      }
      compiled.hasOverrides = compiled.hasOverrides || run.count > 0
      added.append(CompiledVariant(weights: compiled.sum, overrides: run))
    }
    compiled.run = Run(start: Int32(variants.count), count: Int32(added.count))
    variants += added
    variantTexts += list.map {
      FlagVariant(name: $0.name, payload: $0.payload, isEnabled: true, isFlagEnabled: true)
    }
    compiled.stickiness = self.stickiness(stickiness)
    compiled.hash = hash(group, seed: CompiledVariants.seed)
    return compiled
  }

  private mutating func add(_ dependencies: [DependencyDefinition], of flag: FlagDefinition) -> Run {
    let start = Int32(parents.count)
    for dependency in dependencies {
      let number = flagNumbers[ExactName(dependency.flag)]
      if let number {
        if !state.flags[number].dependencies.isEmpty {
          problems.append(FlagProblem(kind: .parentWithParents(dependency.flag), flag: flag.name, strategy: nil))
        }
      } else {
        problems.append(FlagProblem(kind: .unknownParent(dependency.flag), flag: flag.name, strategy: nil))
      }
      parents.append(
        CompiledParent(
          flag: number.map { Int32($0) } ?? -1, isEnabled: dependency.isEnabled,
          variants: store.list(dependency.variants)))
    }
    return Run(start: start, count: Int32(dependencies.count))
  }
}

extension FlagProblem.Kind {
  /// Tells whether the flag is off for it, and not only the strategy: as other clients have it, what has no meaning may
  /// not switch on something by another strategy.
  fileprivate var breaksFlag: Bool {
    switch self {
    case .unknownSegment, .unknownOperator, .noValues: true
    case .badValue(_, let value): !value.hasPrefix("v")
    case .badPercentage(let text): UInt32(text) != nil
    case .unknownStrategy, .badPattern, .unknownParent, .parentWithParents: false
    }
  }
}
