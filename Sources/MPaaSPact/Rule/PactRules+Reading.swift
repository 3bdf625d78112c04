import MPaaSJSON

extension PactRules {
  /// Reads `matchingRules` of either form: expressions that begin with the part (version 2), or one object a part.
  init(_ node: JSONNode?, in file: PactSource) throws(PactError) {
    self.init()
    for member in node?.members ?? [] {
      if member.name.hasPrefix("$") {
        try addOld(member, file)
      } else if let part = Part(rule: member.name) {
        let category = try Self.category(member.value, part, in: file)
        if self[part].entries.isEmpty { self[part] = category }
      }
    }
  }

  /// A rule of version 2: `"$.body.name": {"match": "type"}`.
  private mutating func addOld(_ member: JSONNode.Member, _ file: PactSource) throws(PactError) {
    guard var path = PactPath(member.name), case .field(let name)? = path.tokens.first, let part = Part(rule: name)
    else { throw PactError(.path, ["path": member.name], in: member.value, of: file.name) }
    path.tokens.removeFirst()
    let list = try Self.list(member.value, file)
    switch part {
    case .header, .query, .metadata:
      guard case .field(let field)? = path.tokens.first else {
        throw PactError(.path, ["path": member.name], in: member.value, of: file.name)
      }
      self[part].add(field, part == .header ? path.lowercased : path, list)
    default:
      self[part].add(path.text, path, list)
      self[part].isPlain = part != .body
    }
  }

  /// Reads the rules of one part.
  static func category(_ node: JSONNode, _ part: Part, in file: PactSource) throws(PactError) -> PactRuleCategory {
    var category = PactRuleCategory()
    guard let members = node.members else { throw file.wrong(part.rawValue, in: node) }
    if [.path, .method, .status].contains(part) || node["matchers"] != nil {
      let inner = node["matchers"] == nil ? node[""] ?? node["$"] ?? node : node
      category.isPlain = true
      category.add("", .root, try list(inner, file))
      return category
    }
    for member in members {
      category.add(member.name, try path(member, part, file), try list(member.value, file))
    }
    return category
  }

  private static func path(
    _ member: JSONNode.Member, _ part: Part, _ file: PactSource
  ) throws(PactError) -> PactPath {
    // Names of headers and parameters are no expressions, unless they begin as such.
    if part != .body, !member.name.hasPrefix("$") {
      return PactPath([.field(part == .header ? member.name.lowercased() : member.name)])
    }
    guard let path = PactPath(member.name) else {
      throw PactError(.path, ["path": member.name], in: member.value, of: file.name)
    }
    return part == .header ? path.lowercased : path
  }

  private static func list(_ node: JSONNode, _ file: PactSource) throws(PactError) -> PactRuleList {
    guard let matchers = node["matchers"] else { return PactRuleList([try PactRule(node, in: file)]) }
    guard let elements = matchers.elements else { throw file.wrong("matchers", in: matchers) }
    var rules: [PactRule] = []
    for element in elements { rules.append(try PactRule(element, in: file)) }
    return PactRuleList(rules, node["combine"]?.string == "OR" ? .or : .and)
  }
}

extension PactRules.Part {
  /// The part that a member of `matchingRules` or `generators` names.
  init?(rule name: String) {
    switch name {
    case "headers": self = .header
    case "content", "contents": self = .body
    default: self.init(rawValue: name)
    }
  }
}

extension PactPath {
  /// The same with its first name in lower case, as headers are compared.
  fileprivate var lowercased: PactPath {
    guard case .field(let name)? = tokens.first else { return self }
    return PactPath([.field(name.lowercased())] + tokens.dropFirst())
  }

  /// The expression, written.
  var text: String {
    tokens.reduce(into: "$") { text, token in
      switch token {
      case .field(let name): text += PactPlace.member(name)
      case .index(let index): text += "[\(index)]"
      case .star: text += ".*"
      case .starIndex: text += "[*]"
      }
    }
  }
}
