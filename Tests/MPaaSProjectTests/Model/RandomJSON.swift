import MPaaSSupport
import MPaaSTestSupport

@testable import MPaaSProject

/// JSON documents and schemas that look random and are the same in every run.
struct RandomJSON {
  private var random: SeededRandom

  init(seed: UInt64) { random = SeededRandom(seed: seed) }

  /// Names that are alike, that languages keep for themselves, or that no identifier can be.
  static let names = [
    "id", "ID", "Id", "a_b", "aB", "a-b", "class", "self", "Self", "Type", "String", "init", "default", "日期", "订单号",
    "größe", "1st", "", "🙂", "+1", "-1", "x y", "additionalProperties", "nullMembers", "JSONValue", "items", "value",
    "rest", "report", "a/b", "~", "e\u{301}", "ｆｕｌｌ", "$ref2", "\"", "\\", "a\nb",
  ]
  private static let few = ["a", "b", "类", "self"]

  mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }
  private mutating func isChosen(_ oneIn: Int) -> Bool { below(oneIn) == 0 }

  private mutating func pick<Element>(_ list: [Element]) -> Element { list[below(list.count)] }

  // MARK: Documents

  mutating func value(depth: Int) -> JSONValue {
    switch below(depth > 0 ? 10 : 7) {
    case 0: .null
    case 1: .bool(isChosen(2))
    case 2: pick([0, 1, -1, 7, .unsigned(.max), .negative(.min), 300])
    case 3: .number(pick([0.5, -2.25, 1e300]))
    case 4: .string(pick(["2026-03-01", "2024-02-29", "2026-02-30"]))
    case 5: .string(pick(["2026-03-01T10:00:00Z", "2026-03-01T10:00:00+08:00"]))
    case 6: .string(pick(["", "x", "中文"]))
    case 7: .array((0..<below(4)).map { _ in value(depth: depth - 1) })
    default: object(depth: depth)
    }
  }

  mutating func object(depth: Int) -> JSONValue {
    var members: [String: JSONValue] = [:]
    for _ in 0..<below(6) { members[pick(Self.names)] = value(depth: depth - 1) }
    return .object(members)
  }

  /// The document with members left out or replaced, as another sample of the same kind would be.
  mutating func variation(of value: JSONValue, depth: Int) -> JSONValue {
    if isChosen(12) { return self.value(depth: depth) }
    switch value {
    case .array(let values): return .array(values.map { variation(of: $0, depth: depth - 1) })
    case .object(let members):
      var result = JSONValue.Object()
      for (name, member) in members.sortedByName where !isChosen(6) {
        result[name] = variation(of: member, depth: depth - 1)
      }
      return .object(result)
    default: return value
    }
  }

  // MARK: Schemas and what may fit them

  /// A small value of names and texts that schemas speak of.
  mutating func instance(depth: Int) -> JSONValue {
    switch below(depth > 0 ? 9 : 5) {
    case 0: return .null
    case 1: return .bool(isChosen(2))
    case 2: return pick([0, 1, 5, -3])
    case 3: return .number(1.5)
    case 4: return .string(pick(["a", "b", "red", "类"]))
    case 5, 6: return .array((0..<below(4)).map { _ in instance(depth: depth - 1) })
    default:
      var members: [String: JSONValue] = [:]
      for _ in 0..<below(4) { members[pick(Self.few)] = instance(depth: depth - 1) }
      return .object(members)
    }
  }

  /// A document of JSON Schema whose definitions refer to one another through members and elements.
  mutating func schemaDocument() -> JSONValue {
    var root = schema(depth: 3)
    if case .object(var members) = root {
      members["$defs"] = .object(["x": schema(depth: 2), "Y y": schema(depth: 2), "class": schema(depth: 1)])
      root = .object(members)
    }
    return root
  }

  private mutating func schema(depth: Int) -> JSONValue {
    var members: [String: JSONValue] = [:]
    if isChosen(12) { return .bool(!isChosen(4)) }
    if !isChosen(3) { members["type"] = type() }
    if isChosen(6) { members["enum"] = .array((0...below(4)).map { _ in instance(depth: 1) }) }
    if isChosen(12) { members["title"] = .string(pick(Self.names)) }
    if depth > 0 {
      for keyword in ["properties", "items", "prefixItems", "additionalProperties", "combination"] where isChosen(3) {
        applicator(keyword, depth: depth - 1, &members)
      }
    }
    if isChosen(3) { members["required"] = .array([.string(pick(Self.few))]) }
    if isChosen(8) { members["minItems"] = 1 }
    return .object(members)
  }

  private mutating func type() -> JSONValue {
    let kinds = ModelKind.allCases.map { JSONValue.string($0.rawValue) }
    if isChosen(3) { return .array([pick(kinds), "null"]) }
    if isChosen(6) { return .array([pick(kinds), pick(kinds)]) }
    return isChosen(2) ? pick(["object", "array"]) : pick(kinds)
  }

  private mutating func applicator(_ keyword: String, depth: Int, _ members: inout [String: JSONValue]) {
    switch keyword {
    case "properties":
      var properties: [String: JSONValue] = [:]
      for _ in 0...below(3) { properties[pick(Self.few)] = inner(depth) }
      members[keyword] = .object(properties)
    case "prefixItems": members[keyword] = .array((0...below(2)).map { _ in inner(depth) })
    case "combination":
      members[pick(["allOf", "anyOf", "oneOf"])] = .array((0...below(3)).map { _ in schema(depth: depth) })
    default: members[keyword] = inner(depth)
    }
  }

  /// A schema for a part of a value, where a reference leads to no circle.
  private mutating func inner(_ depth: Int) -> JSONValue {
    isChosen(4)
      ? ["$ref": .string(pick(["#", "#/$defs/x", "#/$defs/Y%20y", "#/$defs/class"]))] : schema(depth: depth)
  }
}
