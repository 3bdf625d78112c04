import MPaaSJSON

extension PactRule {
  /// Reads a rule: `{"match": "regex", "regex": "…"}`.
  init(_ node: JSONNode, in file: PactSource) throws(PactError) {
    let match = node["match"]?.string
    switch match {
    case nil, "type", "min", "max", "min-type", "max-type":
      let (least, most) = (node["min"]?.count, node["max"]?.count)
      let isKnown = match != nil || least != nil || most != nil
      if let regex = node["regex"]?.string, match == nil {
        self = .regex(regex)
      } else if isKnown {
        self = .type(min: least, max: most)
      } else if let name = node.members?.first.flatMap({ Self.attribute($0) }) {
        self = name
      } else {
        throw PactError(.rule, ["rule": node.line.limited(80)], in: node, of: file.name)
      }
    case "regex": self = .regex(try Self.text("regex", node, file))
    case "equality": self = .equality
    case "include": self = .include(try Self.value("value", node, file))
    case "integer": self = .integer
    case "decimal", "real": self = .decimal
    case "number": self = .number
    case "null": self = .null
    case "boolean": self = .boolean
    case "date": self = .date(node.format("date") ?? "yyyy-MM-dd")
    case "time": self = .time(node.format("time") ?? "HH:mm:ss")
    case "timestamp", "datetime": self = .timestamp(node.format("timestamp") ?? "yyyy-MM-dd'T'HH:mm:ssXXX")
    case "contentType", "content-type": self = .contentType(try Self.text("value", node, file))
    case "values": self = .values
    case "notEmpty", "not-empty": self = .notEmpty
    case "semver": self = .semver
    case "statusCode", "status-code": self = .statusCode(try Self.statusClass(node, file))
    case "eachKey", "each-key": self = .eachKey(try Self.inner(node, file))
    case "eachValue", "each-value": self = .eachValue(try Self.inner(node, file))
    case "arrayContains", "array-contains": self = .arrayContains(try Self.variants(node, file))
    case let other?: throw PactError(.rule, ["rule": other], in: node, of: file.name)
    }
  }

  /// The rule of an old form that names it by its attribute: `{"timestamp": "yyyy-MM-dd"}`.
  private static func attribute(_ member: JSONNode.Member) -> PactRule? {
    guard let value = member.value.string else { return nil }
    return switch member.name {
    case "date": .date(value)
    case "time": .time(value)
    case "timestamp": .timestamp(value)
    case "include": .include(value)
    default: nil
    }
  }

  private static func text(_ name: String, _ node: JSONNode, _ file: PactSource) throws(PactError) -> String {
    guard let text = node[name]?.string else { throw file.missing(name, in: node) }
    return text
  }

  private static func value(_ name: String, _ node: JSONNode, _ file: PactSource) throws(PactError) -> String {
    guard let value = node[name] else { throw file.missing(name, in: node) }
    return value.string ?? value.line
  }

  private static func statusClass(_ node: JSONNode, _ file: PactSource) throws(PactError) -> StatusClass {
    guard let status = node["status"] else { throw file.missing("status", in: node) }
    if let elements = status.elements { return .among(elements.compactMap { $0.count }) }
    guard let word = status.string, let named = StatusClass(word: word) else {
      throw PactError(.rule, ["rule": "statusCode \(status.line.limited(40))"], in: status, of: file.name)
    }
    return named
  }

  private static func inner(_ node: JSONNode, _ file: PactSource) throws(PactError) -> [PactRule] {
    var rules: [PactRule] = []
    for rule in node["rules"]?.elements ?? [] { rules.append(try PactRule(rule, in: file)) }
    return rules
  }

  private static func variants(_ node: JSONNode, _ file: PactSource) throws(PactError) -> [PactVariant] {
    guard let elements = node["variants"]?.elements else { throw file.missing("variants", in: node) }
    var variants: [PactVariant] = []
    for (place, element) in elements.enumerated() {
      let rules = try PactRules.category(element["rules"] ?? JSONNode(.object([])), .body, in: file)
      variants.append(PactVariant(index: element["index"]?.count ?? place, rules: rules))
    }
    return variants
  }
}

extension PactRule.StatusClass {
  init?(word: String) {
    switch word {
    case "info": self = .information
    case "success": self = .success
    case "redirect": self = .redirect
    case "clientError": self = .clientError
    case "serverError": self = .serverError
    case "nonError": self = .nonError
    case "error": self = .error
    default: return nil
    }
  }

  var node: JSONNode {
    switch self {
    case .information: JSONNode(.string("info"))
    case .success: JSONNode(.string("success"))
    case .redirect: JSONNode(.string("redirect"))
    case .clientError: JSONNode(.string("clientError"))
    case .serverError: JSONNode(.string("serverError"))
    case .nonError: JSONNode(.string("nonError"))
    case .error: JSONNode(.string("error"))
    case .among(let statuses): JSONNode(.array(statuses.map { JSONNode(.number(JSONNumber($0))) }))
    }
  }
}

extension JSONNode {
  /// A whole number from 0 up, also where it stands as a text.
  var count: Int? {
    if let number = number?.integer(Int.self) { return number >= 0 ? number : nil }
    return string.flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
  }

  /// The format of a rule for dates; older writers name the member like the rule.
  fileprivate func format(_ old: String) -> String? { self["format"]?.string ?? self[old]?.string }
}

extension String {
  /// The first characters, and a sign that there are more.
  func limited(_ count: Int) -> String { self.count > count ? prefix(count) + "…" : self }
}
