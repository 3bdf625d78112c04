import MPaaSJSON
import MPaaSSupport

/// The comparison of JSON with what is expected, by rules.
struct JSONMatching {
  let rules: PactRuleCategory
  /// Tells whether members that are not expected are differences: in requests.
  let isStrict: Bool
  let part: PactMismatch.Part
  let values: PactValues

  init(
    _ rules: PactRuleCategory, isStrict: Bool, part: PactMismatch.Part = .body, values: PactValues = PactValues()
  ) {
    self.rules = rules
    self.isStrict = isStrict
    self.part = part
    self.values = values
  }

  /// The differences of a value and of all below it.
  func compare(_ expected: JSONNode, _ actual: JSONNode, at place: PactPlace = .root) -> [PactMismatch] {
    let found = rules.rules(at: place)
    switch (expected.content, actual.content) {
    case (.object(let expected), .object(let actual)): return compare(expected, actual, at: place, found)
    case (.array(let expected), .array(let actual)): return compare(expected, actual, at: place, found)
    case (.object, _), (.array, _):
      // A rule that says nothing of the expected value decides by itself: null for an object that may be missing.
      if let found, found.list.rules.contains(where: \.standsAlone) {
        return fault(expected, actual, found).map { [mismatch($0, place)] } ?? []
      }
      return [
        PactMismatch(
          part, place.description, .otherKind, ["actual": actual.shown, "expected": expected.shown])
      ]
    default: return fault(expected, actual, found).map { [mismatch($0, place)] } ?? []
    }
  }

  private func fault(
    _ expected: JSONNode, _ actual: JSONNode, _ found: (list: PactRuleList, isCascaded: Bool)?
  ) -> PactFault? {
    guard let found else { return values.equality(expected, actual) }
    return values.fault(expected, actual, found.list, isCascaded: found.isCascaded)
  }

  private func mismatch(_ fault: PactFault, _ place: PactPlace) -> PactMismatch {
    PactMismatch(part, place.description, fault)
  }

  /// The differences by a list of rules: of all together, or none where one of them finds none.
  private func combined(_ list: PactRuleList, _ differences: (PactRule) -> [PactMismatch]) -> [PactMismatch] {
    var all: [PactMismatch] = []
    for rule in list.rules {
      let found = differences(rule)
      if found.isEmpty, list.combination == .or { return [] }
      for mismatch in found where !all.contains(mismatch) && all.count < PactMismatch.most { all.append(mismatch) }
    }
    return all
  }

  /// The same comparison with rules of its own for a place.
  func adding(_ list: [PactRule], at place: PactPlace) -> JSONMatching {
    var more = rules
    more.add("", PactPath(exactly: place), PactRuleList(list))
    return JSONMatching(more, isStrict: isStrict, part: part, values: values)
  }

  // MARK: Objects

  private typealias Members = [JSONNode.Member]

  private func compare(
    _ expected: Members, _ actual: Members, at place: PactPlace, _ found: (list: PactRuleList, isCascaded: Bool)?
  ) -> [PactMismatch] {
    guard let found else {
      if expected.isEmpty, isStrict, !actual.isEmpty {
        return [mismatch(PactFault(.mapNotEmpty, ["actual": JSONNode(.object(actual)).summary]), place)]
      }
      return plain(expected, actual, at: place, self)
    }
    return combined(found.list) { rule in
      switch rule {
      case .values: eachActual(expected, actual, at: place) { _ in self }
      case .eachValue(let rules):
        eachActual(expected, actual, at: place) { rules.isEmpty ? self : adding(rules, at: $0) }
      case .eachKey(let rules): keys(actual, rules, place) + shared(expected, actual, at: place, self)
      case .equality:
        values.equality(JSONNode(.object(expected)), JSONNode(.object(actual))) == nil
          ? [] : plain(expected, actual, at: place, adding([.equality], at: place))
      case _ where rule.standsAlone, .notEmpty:
        (values.fault(JSONNode(.object(expected)), JSONNode(.object(actual)), rule, isCascaded: found.isCascaded)
          .map { [mismatch($0, place)] } ?? [])
          + (rule == .notEmpty ? plain(expected, actual, at: place, self) : [])
      case .type:
        (values.fault(JSONNode(.object(expected)), JSONNode(.object(actual)), rule, isCascaded: found.isCascaded)
          .map { [mismatch($0, place)] } ?? []) + plain(expected, actual, at: place, self)
      default: plain(expected, actual, at: place, self)
      }
    }
  }

  /// Each member with its like; names must be the same.
  private func plain(
    _ expected: Members, _ actual: Members, at place: PactPlace, _ matching: JSONMatching
  ) -> [PactMismatch] {
    let names = ExactMap(actual.map { ($0.name, true) }) { $1 }
    let missing = expected.filter { names[$0.name] == nil }.map(\.name)
    var all: [PactMismatch] = []
    if isStrict, !missing.isEmpty || expected.count != actual.count {
      all.append(
        mismatch(
          PactFault(
            .keysDiffer,
            [
              "expected": expected.map(\.name).sorted().joined(separator: ", "),
              "actual": actual.map(\.name).sorted().joined(separator: ", "),
            ]), place))
    } else if !missing.isEmpty {
      all.append(mismatch(PactFault(.keysMissing, ["missing": missing.sorted().joined(separator: ", ")]), place))
    }
    return all + shared(expected, actual, at: place, matching)
  }

  private func shared(
    _ expected: Members, _ actual: Members, at place: PactPlace, _ matching: JSONMatching
  ) -> [PactMismatch] {
    let values = ExactMap(actual.map { ($0.name, $0.value) }) { $1 }
    var all: [PactMismatch] = []
    for member in expected {
      guard let value = values[member.name], all.count < PactMismatch.most else { continue }
      all += matching.compare(member.value, value, at: place[member.name])
    }
    return all
  }

  /// Each member that came with the expected one of its name, else with the first one.
  private func eachActual(
    _ expected: Members, _ actual: Members, at place: PactPlace, _ matching: (PactPlace) -> JSONMatching
  ) -> [PactMismatch] {
    let examples = ExactMap(expected.map { ($0.name, $0.value) }) { $1 }
    var all: [PactMismatch] = []
    for member in actual {
      guard let example = examples[member.name] ?? expected.first?.value, all.count < PactMismatch.most else { break }
      let inner = place[member.name]
      all += matching(inner).compare(example, member.value, at: inner)
    }
    return all
  }

  private func keys(_ actual: Members, _ rules: [PactRule], _ place: PactPlace) -> [PactMismatch] {
    actual.compactMap { member in
      let name = JSONNode.text(member.name)
      return values.fault(name, name, PactRuleList(rules), isCascaded: false).map {
        mismatch($0, place[member.name])
      }
    }
  }
}

extension PactRule {
  /// Tells whether the rule can decide about a value of any kind without the expected one.
  fileprivate var standsAlone: Bool {
    switch self {
    case .null, .integer, .decimal, .number, .boolean, .regex, .include, .date, .time, .timestamp, .semver: true
    default: false
    }
  }
}

extension PactPath {
  /// The expression that is for one place.
  init(exactly place: PactPlace) {
    self.init(
      place.steps.compactMap { step in
        switch step {
        case .field(let name): .field(name)
        case .index(let index): .index(index)
        case .element(let names): names.first.map { .field($0) }
        case .order(let index): .index(index)
        }
      })
  }
}
