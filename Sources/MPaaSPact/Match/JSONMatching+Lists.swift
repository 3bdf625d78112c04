import MPaaSJSON
import MPaaSSupport

extension JSONMatching {
  /// The differences of two lists.
  func compare(
    _ expected: [JSONNode], _ actual: [JSONNode], at place: PactPlace,
    _ found: (list: PactRuleList, isCascaded: Bool)?
  ) -> [PactMismatch] {
    guard let found else { return byIndex(expected, actual, at: place) }
    var all: [PactMismatch] = []
    for rule in found.list.rules {
      let differences = compare(expected, actual, at: place, rule, found.isCascaded)
      if differences.isEmpty, found.list.combination == .or { return [] }
      for mismatch in differences where !all.contains(mismatch) { all.append(mismatch) }
    }
    return all
  }

  private func compare(
    _ expected: [JSONNode], _ actual: [JSONNode], at place: PactPlace, _ rule: PactRule, _ isCascaded: Bool
  ) -> [PactMismatch] {
    let fault = values.fault(
      JSONNode(.array(expected)), JSONNode(.array(actual)), rule, isCascaded: isCascaded)
    switch rule {
    case .arrayContains(let variants): return contains(variants, expected, actual, at: place)
    case .eachValue(let rules):
      return byExample(expected, actual, at: place) { rules.isEmpty ? self : adding(rules, at: $0) }
    case .values, .eachKey: return byExample(expected, actual, at: place) { _ in self }
    case .equality: return fault == nil ? [] : byIndex(expected, actual, at: place)
    case .type, .notEmpty:
      let own = fault.map { [PactMismatch(part, place.description, $0)] } ?? []
      return own + byExample(expected, actual, at: place) { _ in self }
    default: return fault.map { [PactMismatch(part, place.description, $0)] } ?? []
    }
  }

  /// Each element with that of its place; there must be as many.
  private func byIndex(_ expected: [JSONNode], _ actual: [JSONNode], at place: PactPlace) -> [PactMismatch] {
    if expected.isEmpty, !actual.isEmpty {
      return [
        PactMismatch(part, place.description, .listNotEmpty, ["actual": JSONNode(.array(actual)).summary])
      ]
    }
    var all: [PactMismatch] = []
    for (index, pair) in zip(expected, actual).enumerated() where all.count < PactMismatch.most {
      all += compare(pair.0, pair.1, at: place[index])
    }
    for (index, element) in expected.enumerated().dropFirst(actual.count) where all.count < PactMismatch.most {
      all.append(PactMismatch(part, place[index].description, .elementMissing, ["expected": element.summary]))
    }
    if expected.count != actual.count {
      let counts = ["expected": "\(expected.count)", "actual": "\(actual.count)"]
      all.append(PactMismatch(part, place.description, .listLength, counts))
    }
    return all
  }

  /// Each element that came with the expected one of its place, else with the first.
  private func byExample(
    _ expected: [JSONNode], _ actual: [JSONNode], at place: PactPlace, _ matching: (PactPlace) -> JSONMatching
  ) -> [PactMismatch] {
    var all: [PactMismatch] = []
    for (index, element) in actual.enumerated() where all.count < PactMismatch.most {
      guard let example = index < expected.count ? expected[index] : expected.first else { break }
      all += matching(place[index]).compare(example, element, at: place[index])
    }
    return all
  }

  /// One element that came for each variant.
  private func contains(
    _ variants: [PactVariant], _ expected: [JSONNode], _ actual: [JSONNode], at place: PactPlace
  ) -> [PactMismatch] {
    variants.compactMap { variant in
      guard variant.index < expected.count else { return nil }
      let example = expected[variant.index]
      let matching = JSONMatching(variant.rules, isStrict: isStrict, part: part, values: values)
      if actual.contains(where: { matching.compare(example, $0).isEmpty }) { return nil }
      let values = ["index": "\(variant.index)", "expected": example.sortedLine]
      return PactMismatch(part, place.description, .variantMissing, values)
    }
  }
}

extension JSONNode {
  /// The value on one line, members sorted.
  fileprivate var sortedLine: String { value.line.limited(400) }
}
