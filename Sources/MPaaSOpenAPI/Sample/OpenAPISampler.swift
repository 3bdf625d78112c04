package import MPaaSJSON
package import MPaaSJSONSchema
import MPaaSRandom

/// Makes values that a schema takes.
///
/// Without a seed, a value is the plainest one: the first example, the default, the least number, one element. With a
/// seed, it is drawn, and is the same for the same seed.
package struct OpenAPISampler: Sendable {
  /// The most values in a sample.
  package static let mostValues = 2_500

  /// The most references behind each other; past four of them only what is required is there.
  private static let mostReferences = 24
  private var isDeep: Bool { open.count >= 4 }

  /// A schema that no sample of some size keeps.
  package struct TooComplex: Error, Sendable, Equatable {}

  /// Tells whether what may be missing is left out where it leads back to a schema that is being sampled.
  package var leavesOutCircles = false

  let document: OpenAPIDocument
  let direction: SchemaValidator.Direction
  var numbers: SplitMix64?
  private var left = OpenAPISampler.mostValues
  private var open: [OpenAPILocation] = []

  package init(_ document: OpenAPIDocument, _ direction: SchemaValidator.Direction, seed: UInt64? = nil) {
    self.document = document
    self.direction = direction
    numbers = seed.map { SplitMix64(seed: $0) }
  }

  package mutating func sample(_ schema: OpenAPISchema) throws(TooComplex) -> JSONNode {
    left -= 1
    guard left > 0 else { throw TooComplex() }
    if let target = document.target(of: schema) { return try follow(target, beside: schema) }
    if let given = given(schema.node) { return given }
    if schema.node.bool != nil { return JSONNode(.object([])) }
    if let merged = try combined(schema) { return merged }
    return try plain(schema)
  }

  /// A sample of what a reference leads to; empty where it leads back for the second time.
  private mutating func follow(
    _ target: OpenAPISchema, beside schema: OpenAPISchema
  ) throws(TooComplex) -> JSONNode {
    if document.version > .v3_0, let given = given(schema.node) { return given }
    guard open.count < Self.mostReferences, open.count(where: { $0 == target.location }) < 2 else {
      return JSONNode(SampleKind(target.node) == .array ? .array([]) : .object([]))
    }
    open.append(target.location)
    defer { open.removeLast() }
    let value = try sample(target)
    guard document.version > .v3_0, let more = schema["properties"] else { return value }
    let own = OpenAPISchema(
      location: schema.location,
      node: JSONNode(.object([JSONNode.Member(name: "properties", value: more.node)])))
    return Self.merged(value, try plain(own))
  }

  /// A value that the schema itself gives.
  private mutating func given(_ node: JSONNode) -> JSONNode? {
    if let const = node["const"] { return const }
    if numbers == nil {
      if let example = node["example"] ?? node["examples"]?.elements?.first { return example }
      if let value = node["default"] { return value }
    } else if let value = node["default"], node["enum"] == nil {
      return value
    }
    guard let choices = node["enum"]?.elements, !choices.isEmpty else { return nil }
    return choices[draw(below: choices.count)]
  }

  /// A number from 0; the first without a seed.
  mutating func draw(below count: Int) -> Int {
    guard count > 1, var drawn = numbers else { return 0 }
    defer { numbers = drawn }
    return Int.random(in: 0..<count, using: &drawn)
  }

  // MARK: Schemas of schemas

  private mutating func combined(_ schema: OpenAPISchema) throws(TooComplex) -> JSONNode? {
    let all = schema.list("allOf")
    let choices = schema.list("oneOf") + schema.list("anyOf")
    guard !all.isEmpty || !choices.isEmpty else { return nil }
    var value: JSONNode?
    for part in all {
      let next = try sample(part)
      value = value.map { Self.merged($0, next) } ?? next
    }
    if !choices.isEmpty {
      let plain = choices.filter { $0.reference == nil }
      let next = try sample(isDeep && !plain.isEmpty ? plain[0] : choices[draw(below: choices.count)])
      value = value.map { Self.merged($0, next) } ?? next
    }
    if SampleKind(schema.node) == .object, schema.node["properties"] != nil {
      let own = try plain(schema)
      value = value.map { Self.merged(own, $0) } ?? own
    }
    return value
  }

  /// Both objects in one; else the second value.
  static func merged(_ first: JSONNode, _ second: JSONNode) -> JSONNode {
    guard var members = first.members, let others = second.members else { return second }
    for member in others {
      if let index = members.firstIndex(where: { $0.name == member.name }) {
        members[index] = member
      } else {
        members.append(member)
      }
    }
    return JSONNode(.object(members))
  }

  private mutating func plain(_ schema: OpenAPISchema) throws(TooComplex) -> JSONNode {
    switch SampleKind(schema.node, draw: draw(below: 1_000)) {
    case .object: return try object(schema)
    case .array: return try array(schema)
    case .string: return JSONNode(.string(string(schema.node)))
    case .integer: return number(schema.node, isWhole: true)
    case .number: return number(schema.node, isWhole: false)
    case .boolean: return JSONNode(.bool(draw(below: 2) == 0))
    case .null: return JSONNode(.null)
    }
  }

  /// Tells whether every value of a schema has one of a schema in it that is being sampled.
  private func isCircle(_ schema: OpenAPISchema, depth: Int = 0) -> Bool {
    guard leavesOutCircles, depth < 8 else { return false }
    if let target = document.target(of: schema) { return open.contains { $0 == target.location } }
    let choices = schema.list("oneOf") + schema.list("anyOf")
    return schema.list("allOf").contains { isCircle($0, depth: depth + 1) }
      || !choices.isEmpty && choices.allSatisfy { isCircle($0, depth: depth + 1) }
  }

  // MARK: Objects and arrays

  private mutating func object(_ schema: OpenAPISchema) throws(TooComplex) -> JSONNode {
    let required = (schema.node["required"]?.elements ?? []).compactMap(\.string)
    var members: [JSONNode.Member] = []
    for (name, property) in schema.map("properties") {
      let resolved = document.target(of: property)?.node ?? property.node
      if direction == .response, resolved["writeOnly"]?.bool == true { continue }
      if direction == .request, resolved["readOnly"]?.bool == true { continue }
      if !required.contains(name), isDeep || isCircle(property) { continue }
      members.append(JSONNode.Member(name: name, value: try sample(property)))
    }
    let additional = schema["additionalProperties"]
    for name in required where !members.contains(where: { $0.name == name }) && schema["properties"]?[name] == nil {
      members.append(
        JSONNode.Member(
          name: name,
          value: try additional.map { part throws(TooComplex) in try sample(part) } ?? JSONNode(.string("string"))))
    }
    let least = max(
      schema.node["minProperties"]?.number?.integer(Int.self) ?? 0,
      members.isEmpty && additional?.node.members != nil ? 1 : 0)
    var count = 1
    while members.count < least, additional?.node.bool != false {
      let value = try additional.map { part throws(TooComplex) in try sample(part) } ?? JSONNode(.string("string"))
      members.append(JSONNode.Member(name: "property\(count)", value: value))
      count += 1
    }
    return JSONNode(.object(members))
  }

  private mutating func array(_ schema: OpenAPISchema) throws(TooComplex) -> JSONNode {
    let limits = document.source.root["x-json-schema-faker"]
    let drawn = numbers != nil
    let least =
      schema.node["minItems"]?.number?.integer(Int.self)
      ?? (drawn ? limits?["minItems"]?.number?.integer(Int.self) : nil) ?? 0
    let most =
      schema.node["maxItems"]?.number?.integer(Int.self)
      ?? (drawn ? limits?["maxItems"]?.number?.integer(Int.self) : nil) ?? .max
    guard least < Self.mostValues else { throw TooComplex() }
    var elements: [JSONNode] = []
    for part in schema.list("prefixItems") { elements.append(try sample(part)) }
    if let contains = schema["contains"] {
      for _ in 0..<(contains.node["minContains"]?.number?.integer(Int.self) ?? 1) {
        elements.append(try sample(contains))
      }
    }
    let items = schema["items"]
    guard items?.node.bool != false else { return JSONNode(.array(elements)) }
    if let items, least == 0, isCircle(items) { return JSONNode(.array(elements)) }
    let usual = isDeep ? 0 : 1 + draw(below: 3)
    let wanted = min(max(least, elements.isEmpty ? usual : 0), most)
    var tries = 0
    while elements.count < wanted {
      let next = try items.map { part throws(TooComplex) in try sample(part) } ?? JSONNode(.string("string"))
      tries += 1
      if schema.node["uniqueItems"]?.bool == true, elements.contains(where: { $0.isSame(as: next) }) {
        guard tries < 200 else { break }
        if numbers == nil { numbers = SplitMix64(seed: 1) }
        continue
      }
      elements.append(next)
    }
    return JSONNode(.array(elements))
  }
}

/// The kind of value that a sample is.
enum SampleKind {
  case object, array, string, integer, number, boolean, null

  init(_ node: JSONNode, draw: Int = 0) {
    let names = (node["type"]?.elements ?? [node["type"]].compactMap { $0 }).compactMap(\.string)
    let choices = names.filter { $0 != "null" }
    switch choices.isEmpty ? names.first : choices[draw % choices.count] {
    case "object": self = .object
    case "array": self = .array
    case "string": self = .string
    case "integer": self = .integer
    case "number": self = .number
    case "boolean": self = .boolean
    case "null": self = .null
    default: self = Self.inferred(node)
    }
  }

  private static func inferred(_ node: JSONNode) -> SampleKind {
    let has = { (names: [String]) in names.contains { node[$0] != nil } }
    if has(["properties", "additionalProperties", "required", "minProperties"]) { return .object }
    if has(["items", "prefixItems", "contains", "minItems", "uniqueItems"]) { return .array }
    if has(["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]) { return .number }
    if has(["pattern", "minLength", "maxLength", "format"]) { return .string }
    return node.members?.isEmpty == false ? .string : .object
  }
}
