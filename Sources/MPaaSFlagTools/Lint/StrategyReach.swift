import MPaaSFlags
import MPaaSSupport

/// The reason why a strategy holds in no context, with what its texts name.
struct StrategyHindrance {
  let code: FlagError.Code
  var values: [String: String] = [:]
}

extension StrategyDefinition {
  /// Tells whether the rule holds whatever the context; constraints and segments are not asked.
  private var ruleAlwaysHolds: Bool {
    switch name {
    case "default": return true
    case "flexibleRollout":
      // Only these two hold without a field of the context; any other one does not hold where its field is missing.
      return parameters["rollout"] == "100" && ["default", "random"].contains(stickiness)
    case "gradualRolloutRandom": return parameters["percentage"] == "100"
    default: return false
    }
  }

  private var stickiness: String { parameters["stickiness"] ?? "default" }

  /// Tells whether the strategy holds whatever the context.
  var holdsForAll: Bool { constraints.isEmpty && segments.isEmpty && ruleAlwaysHolds }

  /// Tells whether the strategy holds wherever another one does, as far as that is certain.
  func covers(_ other: StrategyDefinition) -> Bool {
    Set(segments).isSubset(of: other.segments) && constraints.allSatisfy(other.constraints.contains)
      && (ruleAlwaysHolds || ruleCovers(other))
  }

  private func ruleCovers(_ other: StrategyDefinition) -> Bool {
    guard name == other.name else { return false }
    switch name {
    case "flexibleRollout":
      guard stickiness == other.stickiness, parameters["groupId"] == other.parameters["groupId"],
        let share = parameters["rollout"].flatMap({ Int($0) }),
        let otherShare = other.parameters["rollout"].flatMap({ Int($0) })
      else { return false }
      return share >= otherShare
    case "userWithId", "remoteAddress", "applicationHostname": return parameters == other.parameters
    default: return false
    }
  }

  /// The reason why the strategy holds in no context, as far as that is certain.
  func hindrance(at now: Moment) -> StrategyHindrance? {
    if let field = contradiction { return StrategyHindrance(code: .strategyContradiction, values: ["field": field]) }
    if let end = constraints.lazy.compactMap({ $0.end(before: now) }).first {
      return StrategyHindrance(code: .strategyOver, values: ["value": end])
    }
    return isEmpty ? StrategyHindrance(code: .strategyNever) : nil
  }

  private var isEmpty: Bool {
    switch name {
    case "flexibleRollout": return parameters["rollout"] == "0" || parameters["rollout"] == nil
    case "gradualRolloutUserId", "gradualRolloutSessionId", "gradualRolloutRandom":
      return parameters["percentage"] == "0" || parameters["percentage"] == nil
    case "userWithId": return parameters["userIds"] == nil
    case "remoteAddress": return parameters["IPs"] == nil
    default: return false
    }
  }

  /// The first field of which lists of values leave nothing.
  private var contradiction: String? {
    var left: [ExactName: Set<ExactName>] = [:]
    var barred: [ExactName: Set<ExactName>] = [:]
    for constraint in constraints {
      let (field, values) = (ExactName(constraint.field), Set(constraint.values.map { ExactName($0) }))
      switch constraint.isOneOfList {
      case true?: left[field] = left[field]?.intersection(values) ?? values
      case false?: barred[field, default: []].formUnion(values)
      case nil: break
      }
    }
    return constraints.first { constraint in
      left[ExactName(constraint.field)]?.isSubset(of: barred[ExactName(constraint.field)] ?? []) == true
    }?.field
  }
}

extension ConstraintDefinition {
  /// Tells whether the field must be one of the values, or must not be; nil for other operators.
  fileprivate var isOneOfList: Bool? {
    switch `operator` {
    case "IN": !isInverted
    case "NOT_IN": isInverted
    default: nil
    }
  }

  /// The time at which a constraint on the present ended, where that is over.
  fileprivate func end(before now: Moment) -> String? {
    let isEnd = isInverted ? `operator` == "DATE_AFTER" : `operator` == "DATE_BEFORE"
    guard field == "currentTime", isEnd, let value, let end = Moment(constraint: value), end < now else { return nil }
    return value
  }
}
