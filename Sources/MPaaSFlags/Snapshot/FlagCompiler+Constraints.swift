import MPaaSPattern

extension FlagCompiler {
  /// Adds constraints; `found` has their problems then.
  mutating func add(_ list: [ConstraintDefinition]) -> Run {
    found = []
    let start = Int32(constraints.count)
    for constraint in list {
      let test = test(of: constraint)
      constraints.append(
        CompiledConstraint(
          field: fields.field(constraint.field), test: test, isInverted: constraint.isInverted && !test.isNever))
    }
    return Run(start: start, count: Int32(list.count))
  }

  private mutating func test(of constraint: ConstraintDefinition) -> CompiledConstraint.Test {
    let (name, ignoresCase) = (constraint.operator, constraint.ignoresCase)
    switch name {
    case "IN": return .isOne(store.list(constraint.values))
    case "NOT_IN": return .isNone(store.list(constraint.values))
    case "REGEX": return pattern(constraint)
    case "STR_STARTS_WITH", "STR_ENDS_WITH", "STR_CONTAINS", "IN_CIDR":
      guard !constraint.values.isEmpty else { return problem(.noValues(operator: name)) }
      if name == "IN_CIDR" { return .addresses(add(networks: constraint.values)) }
      let texts = store.add(constraint.values, lowercased: ignoresCase)
      if name == "STR_CONTAINS" { return .contains(texts, ignoresCase: ignoresCase) }
      return name == "STR_ENDS_WITH"
        ? .ends(texts, ignoresCase: ignoresCase) : .starts(texts, ignoresCase: ignoresCase)
    default:
      guard let comparison = Self.comparison(name) else { return problem(.unknownOperator(name)) }
      return ordered(comparison, constraint)
    }
  }

  private mutating func problem(_ kind: FlagProblem.Kind) -> CompiledConstraint.Test {
    found.append(kind)
    return .never
  }

  private static func comparison(_ name: String) -> CompiledConstraint.Comparison? {
    switch name {
    case "NUM_EQ", "SEMVER_EQ": .equal
    case "NUM_LT", "SEMVER_LT", "DATE_BEFORE": .less
    case "NUM_LTE", "SEMVER_LTE": .atMost
    case "NUM_GT", "SEMVER_GT", "DATE_AFTER": .greater
    case "NUM_GTE", "SEMVER_GTE": .atLeast
    default: nil
    }
  }

  /// The comparison with a moment, a version or a number, whichever the value is.
  ///
  /// As in other clients the form of the value decides: `SEMVER_EQ` with `1.2`, which is no version, compares numbers.
  private mutating func ordered(
    _ comparison: CompiledConstraint.Comparison, _ constraint: ConstraintDefinition
  ) -> CompiledConstraint.Test {
    let value = constraint.value ?? ""
    let trimmed = String(value.drop { $0 == " " || $0 == "\t" })
    if let moment = trimmed.withBytes({ Moment($0, isStrict: true) }) { return .moment(comparison, moment) }
    if trimmed.withBytes({ SemanticVersion($0) != nil }) { return .version(comparison, store.add(trimmed)) }
    if let number = DecimalNumber.inConstraint(value) {
      return .number(comparison, number)
    }
    return problem(.badValue(operator: constraint.operator, value: value))
  }

  private mutating func pattern(_ constraint: ConstraintDefinition) -> CompiledConstraint.Test {
    let text = constraint.value ?? ""
    let key = (constraint.ignoresCase ? "i" : "c") + text
    if let known = knownPatterns[key] { return .pattern(known) }
    do {
      let pattern = try Pattern(text, ignoresCase: constraint.ignoresCase, budget: &patternBudget)
      patterns.append(pattern)
      knownPatterns[key] = Int32(patterns.count - 1)
      return .pattern(Int32(patterns.count - 1))
    } catch {
      return problem(.badPattern(text, error.code))
    }
  }

  /// Adds ranges of addresses; what is none is passed over.
  mutating func add(networks list: [String]) -> Run {
    let start = Int32(networks.count)
    networks += list.compactMap { NetworkRange($0) }
    return Run(start: start, count: Int32(networks.count) - start)
  }
}

extension CompiledConstraint.Test {
  fileprivate var isNever: Bool { if case .never = self { true } else { false } }
}
