/// Explains flags of a state: it looks at all strategies and constraints, where evaluating ends at the first that decides.
package struct FlagExplainer {
  private let state: FlagState
  private let snapshot: FlagSnapshot

  package init(_ state: FlagState) {
    self.state = state
    snapshot = FlagSnapshot(state)
  }

  /// Explains a flag.
  ///
  /// - Parameter drawn: The bits of chance, so that the same question gets the same answer; nil for new ones.
  package func explain(_ name: String, for context: FlagContext, drawn: UInt64? = nil) -> FlagExplanation {
    guard let number = snapshot.number(of: name) else {
      return FlagExplanation(flag: name, decision: .noSuchFlag, variant: .none(isFlagEnabled: false))
    }
    var draw = Draw(drawn)
    let definition = state.flags[number]
    var explanation = FlagExplanation(
      flag: name, decision: decision(number, definition, context, &draw),
      variant: snapshot.variant(of: number, context, &draw))
    explanation.parents = parents(number, definition, context, &draw)
    for (index, strategy) in zip(snapshot.flags[number].strategies.range, definition.strategies) {
      explanation.strategies.append(self.strategy(index, strategy, context, &draw))
    }
    explanation.share = share(number, explanation.variant, context, &draw)
    return explanation
  }

  private func decision(
    _ number: Int, _ definition: FlagDefinition, _ context: FlagContext, _ draw: inout Draw
  ) -> FlagExplanation.Decision {
    let flag = snapshot.flags[number]
    if !flag.isEnabled { return .flagOff }
    if flag.isBroken { return .broken }
    for (index, dependency) in zip(flag.parents.range, definition.dependencies)
    where !snapshot.holds(parent: index, context, &draw) {
      return .parent(dependency.flag)
    }
    if flag.strategies.count == 0 { return .noStrategies }
    guard let strategy = snapshot.strategy(of: flag, context, &draw) else { return .noStrategyHolds }
    return .strategy(strategy - Int(flag.strategies.start) + 1)
  }

  private func parents(
    _ number: Int, _ definition: FlagDefinition, _ context: FlagContext, _ draw: inout Draw
  ) -> [FlagExplanation.Parent] {
    var parents: [FlagExplanation.Parent] = []
    for (index, dependency) in zip(snapshot.flags[number].parents.range, definition.dependencies) {
      parents.append(
        FlagExplanation.Parent(
          flag: dependency.flag, mustBeEnabled: dependency.isEnabled,
          holds: snapshot.holds(parent: index, context, &draw)))
    }
    return parents
  }

  private func strategy(
    _ index: Int, _ definition: StrategyDefinition, _ context: FlagContext, _ draw: inout Draw
  ) -> FlagExplanation.Strategy {
    let compiled = snapshot.strategies[index]
    var strategy = FlagExplanation.Strategy(
      name: definition.name, holds: snapshot.holds(index, context, &draw),
      ruleHolds: snapshot.holds(compiled.rule, context, &draw),
      constraints: constraints(definition.constraints, compiled.constraints, context),
      segments: segments(definition.segments, context))
    switch compiled.rule {
    case .rollout(let percentage, let stickiness, let hash):
      strategy.percentage = Int(percentage)
      strategy.bucket = snapshot.bucket(stickiness, hash, modulus: 100, context, &draw).map { Int($0) }
      strategy.stickiness = name(of: stickiness)
    case .random(let percentage):
      strategy.percentage = Int(percentage)
      strategy.bucket = Int(draw.percent())
      strategy.stickiness = "random"
    default: break
    }
    strategy.holds = strategy.holds && strategy.segments.allSatisfy(\.isKnown)
    return strategy
  }

  private func name(of stickiness: Stickiness) -> String {
    switch stickiness {
    case .usual: "default"
    case .chance: "random"
    case .field(let field):
      field.kind == .property ? snapshot.propertyNames[Int(field.name)] : "\(field.kind)"
    }
  }

  private func constraints(
    _ definitions: [ConstraintDefinition], _ run: Run, _ context: FlagContext
  ) -> [FlagExplanation.Constraint] {
    zip(run.range, definitions).map { index, definition in
      let constraint = snapshot.constraints[index]
      return FlagExplanation.Constraint(
        definition: definition, value: snapshot.value(of: constraint.field, context),
        holds: snapshot.holds(constraint, context))
    }
  }

  private func segments(_ ids: [Int], _ context: FlagContext) -> [FlagExplanation.Segment] {
    ids.map { id in
      guard let place = state.segments.lastIndex(where: { $0.id == id }) else {
        return FlagExplanation.Segment(id: id, name: nil, isKnown: false, constraints: [])
      }
      let segment = state.segments[place]
      return FlagExplanation.Segment(
        id: id, name: segment.name, isKnown: true,
        constraints: constraints(segment.constraints, snapshot.segments[place], context))
    }
  }

  private func share(
    _ number: Int, _ variant: FlagVariant, _ context: FlagContext, _ draw: inout Draw
  ) -> (bucket: Int, sum: Int)? {
    guard variant.isEnabled else { return nil }
    let flag = snapshot.flags[number]
    let strategy = snapshot.strategy(of: flag, context, &draw)
    let own = strategy.map { snapshot.strategies[$0].variants }
    let list = own.flatMap { $0.run.count > 0 ? $0 : nil } ?? flag.variants
    guard list.sum > 0 else { return nil }
    let bucket = snapshot.share(list, context, &draw)
    let chosen = list.run.range.first { snapshot.variants[$0].weights >= bucket }
    guard let chosen, snapshot.variantTexts[chosen] == variant else { return nil }
    return (Int(bucket), Int(list.sum))
  }
}
