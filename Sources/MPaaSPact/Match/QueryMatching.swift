import MPaaSJSON

/// The comparison of parameters of a query or of a form.
struct QueryMatching {
  let rules: PactRuleCategory
  let part: PactMismatch.Part
  let isForm: Bool
  private let values = PactValues(takesTexts: true)

  init(_ rules: PactRuleCategory, _ part: PactMismatch.Part, isForm: Bool = false) {
    self.rules = rules
    self.part = part
    self.isForm = isForm
  }

  /// The differences of all fields; those that are not expected are differences where `isStrict` is true.
  func compare(_ expected: [PactField], _ actual: [PactField], isStrict: Bool = true) -> [PactMismatch] {
    var all: [PactMismatch] = []
    for field in expected {
      if let found = actual[field: field.name] {
        all += compare(field, found)
      } else {
        all.append(mismatch(field.name, isForm ? .formMissing : .queryMissing))
      }
    }
    for field in actual where isStrict && expected[field: field.name] == nil && all.count < PactMismatch.most {
      all.append(mismatch(field.name, isForm ? .formUnexpected : .queryUnexpected))
    }
    return all
  }

  private func mismatch(_ name: String, _ reason: PactReason, _ values: [String: String] = [:]) -> PactMismatch {
    PactMismatch(part, isForm ? PactPlace.root[name].description : name, reason, values.with("name", name))
  }

  private func compare(_ expected: PactField, _ actual: [String]) -> [PactMismatch] {
    let place = PactPlace.root[expected.name]
    var all: [PactMismatch] = []
    let own = rules.rules(at: place)
    if let own, let fault = countFault(own.list, actual) { all.append(mismatch(expected.name, fault)) }
    for (index, value) in actual.enumerated() where all.count < PactMismatch.most {
      let found = rules.rules(at: place[index]) ?? own
      let example = index < expected.values.count ? expected.values[index] : expected.values.first
      if let found {
        let fault = values.fault(.text(example ?? ""), .text(value), found.list, isCascaded: true)
        if let fault { all.append(mismatch(expected.name, fault)) }
      } else if index < expected.values.count, expected.values[index] != value {
        let values = ["expected": expected.values[index], "actual": value]
        all.append(mismatch(expected.name, isForm ? .formDiffers : .queryDiffers, values))
      }
    }
    if own == nil, !hasStar(place), expected.values.count != actual.count {
      let counts = ["expected": "\(expected.values.count)", "actual": "\(actual.count)"]
      all.append(mismatch(expected.name, isForm ? .formCount : .queryCount, counts))
    }
    return all
  }

  private func mismatch(_ name: String, _ fault: PactFault) -> PactMismatch {
    mismatch(name, fault.reason, fault.values)
  }

  /// Rules with a least or a greatest size are about the number of values.
  private func countFault(_ list: PactRuleList, _ actual: [String]) -> PactFault? {
    let node = JSONNode(.array(actual.map { .text($0) }))
    for case .type(let least, let most) in list.rules where least != nil || most != nil {
      if let fault = values.fault(node, node, .type(min: least, max: most), isCascaded: false) { return fault }
    }
    return nil
  }

  /// Tells whether a rule stands for each value of a parameter: `$.a[*]`.
  private func hasStar(_ place: PactPlace) -> Bool {
    rules.entries.contains { $0.path.tokens.last == .starIndex && $0.path.weight(at: place[0]) > 0 }
  }
}
