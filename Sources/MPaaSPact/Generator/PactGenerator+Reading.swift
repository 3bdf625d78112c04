import MPaaSJSON

extension PactGenerator {
  init(_ node: JSONNode, in file: PactSource) throws(PactError) {
    guard let type = node["type"]?.string else { throw file.missing("type", in: node) }
    switch type {
    case "RandomInt":
      let (least, most) = (node["min"]?.whole ?? 0, node["max"]?.whole ?? Int(Int32.max))
      guard least <= most else { throw Self.refusal("\(type) \(least)…\(most)", node, file) }
      self = .randomInt(min: least, max: most)
    case "RandomDecimal": self = .randomDecimal(digits: try Self.size("digits", 10, node, file))
    case "RandomHexadecimal": self = .randomHexadecimal(digits: try Self.size("digits", 10, node, file))
    case "RandomString": self = .randomString(size: try Self.size("size", 20, node, file))
    case "Regex":
      guard let regex = node["regex"]?.string else { throw file.missing("regex", in: node) }
      self = .regex(regex)
    case "Uuid":
      let word = node["format"]?.string ?? UUIDFormat.lower.rawValue
      guard let format = UUIDFormat(rawValue: word) else { throw Self.refusal("\(type) \(word)", node, file) }
      self = .uuid(format)
    case "Date": self = .date(Moment(node))
    case "Time": self = .time(Moment(node))
    case "DateTime", "Timestamp": self = .dateTime(Moment(node))
    case "RandomBoolean": self = .randomBoolean
    case "ProviderState":
      guard let expression = node["expression"]?.string else { throw file.missing("expression", in: node) }
      self = .providerState(expression: expression, dataType: node["dataType"]?.string)
    case "MockServerURL":
      guard let regex = node["regex"]?.string else { throw file.missing("regex", in: node) }
      self = .mockServerURL(regex: regex, example: node["example"]?.string ?? "")
    default: throw Self.refusal(type, node, file)
    }
  }

  private static func refusal(_ word: String, _ node: JSONNode, _ file: PactSource) -> PactError {
    PactError(.generator, ["generator": word.limited(80)], in: node, of: file.name)
  }

  private static func size(
    _ name: String, _ usual: Int, _ node: JSONNode, _ file: PactSource
  ) throws(PactError) -> Int {
    guard let member = node[name] else { return usual }
    guard let size = member.count, size <= greatestSize else {
      throw refusal("\(name) \(member.line.limited(40))", node, file)
    }
    return size
  }

  /// The generator as a contract has it.
  var node: JSONNode {
    func made(_ type: String, _ members: (String, JSONNode)?...) -> JSONNode {
      .object([("type", .text(type))] + members.compactMap(\.self))
    }
    func made(_ type: String, _ moment: Moment) -> JSONNode {
      made(type, moment.format.map { ("format", .text($0)) }, moment.expression.map { ("expression", .text($0)) })
    }
    return switch self {
    case .randomInt(let least, let most): made("RandomInt", ("min", .count(least)), ("max", .count(most)))
    case .randomDecimal(let digits): made("RandomDecimal", ("digits", .count(digits)))
    case .randomHexadecimal(let digits): made("RandomHexadecimal", ("digits", .count(digits)))
    case .randomString(let size): made("RandomString", ("size", .count(size)))
    case .regex(let regex): made("Regex", ("regex", .text(regex)))
    case .uuid(let format): made("Uuid", ("format", .text(format.rawValue)))
    case .date(let moment): made("Date", moment)
    case .time(let moment): made("Time", moment)
    case .dateTime(let moment): made("DateTime", moment)
    case .randomBoolean: made("RandomBoolean")
    case .providerState(let expression, let dataType):
      made("ProviderState", ("expression", .text(expression)), dataType.map { ("dataType", .text($0)) })
    case .mockServerURL(let regex, let example):
      made("MockServerURL", ("regex", .text(regex)), ("example", .text(example)))
    }
  }
}

extension PactGenerator.Moment {
  fileprivate init(_ node: JSONNode) {
    self.init(format: node["format"]?.string, expression: node["expression"]?.string)
  }
}

extension JSONNode {
  /// A whole number, also where it stands as a text.
  fileprivate var whole: Int? { number?.integer(Int.self) ?? string.flatMap { Int($0) } }
}

extension PactGenerators {
  init(_ node: JSONNode?, in file: PactSource) throws(PactError) {
    self.init()
    for member in node?.members ?? [] {
      guard let part = PactRules.Part(rule: member.name) else { continue }
      if member.value["type"]?.string != nil {
        add(Entry(name: "", path: .root, generator: try PactGenerator(member.value, in: file)), to: part)
        continue
      }
      for inner in member.value.members ?? [] {
        let path =
          part == .body || inner.name.hasPrefix("$") ? PactPath(inner.name) : PactPath([.field(inner.name)])
        guard let path else { throw PactError(.path, ["path": inner.name], in: inner.value, of: file.name) }
        add(Entry(name: inner.name, path: path, generator: try PactGenerator(inner.value, in: file)), to: part)
      }
    }
  }

  /// `generators`; nil where there are none.
  var node: JSONNode? {
    guard !isEmpty else { return nil }
    return .object(
      PactRules.Part.allCases.filter { !self[$0].isEmpty }.map { part in
        if self[part].count == 1, self[part][0].name.isEmpty { return (part.rawValue, self[part][0].generator.node) }
        return (part.rawValue, .object(self[part].map { ($0.name, $0.generator.node) }))
      })
  }
}
