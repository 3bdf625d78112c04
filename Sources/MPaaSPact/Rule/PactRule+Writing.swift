import MPaaSJSON

extension PactRule {
  /// The rule as a contract has it.
  var node: JSONNode {
    switch self {
    case .equality: .rule("equality")
    case .regex(let regex): .rule("regex", ("regex", .text(regex)))
    case .type(let least, let most):
      .rule("type", least.map { ("min", .count($0)) }, most.map { ("max", .count($0)) })
    case .include(let text): .rule("include", ("value", .text(text)))
    case .integer: .rule("integer")
    case .decimal: .rule("decimal")
    case .number: .rule("number")
    case .null: .rule("null")
    case .boolean: .rule("boolean")
    case .date(let format): .rule("date", ("format", .text(format)))
    case .time(let format): .rule("time", ("format", .text(format)))
    case .timestamp(let format): .rule("timestamp", ("format", .text(format)))
    case .contentType(let type): .rule("contentType", ("value", .text(type)))
    case .values: .rule("values")
    case .notEmpty: .rule("notEmpty")
    case .semver: .rule("semver")
    case .statusCode(let range): .rule("statusCode", ("status", range.node))
    case .eachKey(let rules): .rule("eachKey", ("rules", JSONNode(.array(rules.map(\.node)))))
    case .eachValue(let rules): .rule("eachValue", ("rules", JSONNode(.array(rules.map(\.node)))))
    case .arrayContains(let variants):
      .rule(
        "arrayContains",
        (
          "variants",
          JSONNode(
            .array(
              variants.map { variant in
                .object([("index", .count(variant.index)), ("rules", variant.rules.node)])
              }))
        ))
    }
  }
}

extension PactRuleList {
  var node: JSONNode {
    .object([
      ("combine", .text(combination.rawValue)), ("matchers", JSONNode(.array(rules.map(\.node)))),
    ])
  }
}

extension PactRuleCategory {
  /// The rules by their expressions; a plain rule stands by itself.
  var node: JSONNode {
    if isPlain, let entry = entries.first { return entry.list.node }
    return .object(entries.map { ($0.name, $0.list.node) })
  }
}

extension PactRules {
  /// `matchingRules` of a version; nil where there are none.
  func node(_ specification: PactSpecification) -> JSONNode? {
    guard !isEmpty else { return nil }
    let parts = Part.allCases.filter { !self[$0].entries.isEmpty }
    if specification >= .v3 { return .object(parts.map { ($0.rawValue, self[$0].node) }) }
    return .object(
      parts.flatMap { part in
        self[part].entries.compactMap { entry in
          let rest = self[part].isPlain ? "" : entry.path.text.dropFirst()
          return entry.list.rules.first.map { ("$.\(part.rawValue)\(rest)", $0.node) }
        }
      })
  }
}

extension JSONNode {
  static func text(_ text: String) -> JSONNode { JSONNode(.string(text)) }
  static func count(_ count: Int) -> JSONNode { JSONNode(.number(JSONNumber(count))) }
  static func object(_ members: [(String, JSONNode)]) -> JSONNode {
    JSONNode(.object(members.map { Member(name: $0.0, value: $0.1) }))
  }

  fileprivate static func rule(_ match: String, _ members: (String, JSONNode)?...) -> JSONNode {
    .object([("match", .text(match))] + members.compactMap(\.self))
  }
}
