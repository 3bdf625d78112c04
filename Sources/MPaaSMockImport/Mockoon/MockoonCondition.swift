import MPaaSJSON

/// A rule of Mockoon as a pattern of a part of requests.
struct MockoonCondition {
  /// The part of the request; the raw value is the member of a stub's request.
  enum Group: String, CaseIterable {
    case query = "queryParameters"
    case header = "headers"
    case cookie = "cookies"
    case path = "pathParameters"
    case body = "bodyPatterns"

    func node(_ conditions: [MockoonCondition]) -> JSONNode {
      if self == .body { return JSONNode(elements: conditions.map(\.pattern)) }
      var names: [String] = []
      for condition in conditions where !names.contains(condition.name) { names.append(condition.name) }
      return JSONNode(
        members: names.map { name in
          (name, ImportedPattern.all(conditions.filter { $0.name == name }.map(\.pattern)))
        })
    }
  }

  let group: Group
  let name: String
  let pattern: JSONNode

  /// - Returns: Nil where no pattern says the same.
  init?(_ rule: JSONNode, hasParameters: Bool) {
    let targets: [String: Group] = [
      "query": .query, "header": .header, "cookie": .cookie, "params": .path, "body": .body,
    ]
    guard let group = rule["target"].text.flatMap({ targets[$0] }), group != .path || hasParameters else { return nil }
    let name = rule["modifier"].text ?? ""
    guard group == .body || !name.isEmpty, !name.contains("{{"), rule["value"]?.string?.contains("{{") != true else {
      return nil
    }
    let value = rule["value"]?.anyText ?? ""
    let isRegex = rule["isRegex"]?.bool == true
    guard let pattern = Self.pattern(rule["operator"].text ?? (isRegex ? "regex" : "equals"), value) else { return nil }
    self.group = group
    self.name = name
    var whole = pattern
    if group == .body, !name.isEmpty {
      let expression = JSONNode(text: MockoonTemplate.jsonPath(name))
      guard let members = pattern.members else { return nil }
      whole = JSONNode(members: [
        ("matchesJsonPath", JSONNode(.object([JSONNode.Member(name: "expression", value: expression)] + members)))
      ])
    }
    self.pattern = rule["invert"]?.bool == true ? ImportedPattern.not(whole) : whole
  }

  private static func pattern(_ operation: String, _ value: String) -> JSONNode? {
    switch operation {
    case "equals": ImportedPattern.make("equalTo", value)
    case "regex": ImportedPattern.make("matches", ImportedPattern.whole(value))
    case "regex_i": ImportedPattern.make("matches", "(?i)" + ImportedPattern.whole(value))
    case "null": ImportedPattern.absent
    case "array_includes":
      JSONNode(members: [("includes", JSONNode(elements: [ImportedPattern.make("equalTo", value)]))])
    default: nil
    }
  }
}
