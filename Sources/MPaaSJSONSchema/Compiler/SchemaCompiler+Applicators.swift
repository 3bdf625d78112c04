import MPaaSJSON
import MPaaSPattern

extension SchemaCompiler {
  /// Adds a word that leads to other schemas; false where it is none.
  mutating func addApplicator(
    _ member: JSONNode.Member, _ reading: SchemaReading, to words: inout [SchemaWord]
  ) -> Bool {
    let value = member.value
    let dialect = reading.dialect
    switch member.name {
    case "$ref":
      if let target = resolve(value, reading) { words.append(.reference(target)) }
    case "$dynamicRef" where dialect == .draft2020:
      guard let target = resolve(value, reading) else { return true }
      let name = value.string.flatMap { dynamicName($0, reading) }
      words.append(name.map { .dynamicReference($0, target) } ?? .reference(target))
    case "$recursiveRef" where dialect == .draft2019:
      guard let target = resolve(value, reading) else { return true }
      words.append(isRecursive(reading) ? .recursiveReference(target) : .reference(target))
    case "allOf": if let list = list(member, reading) { words.append(.allOf(list)) }
    case "anyOf": if let list = list(member, reading) { words.append(.anyOf(list)) }
    case "oneOf": if let list = list(member, reading) { words.append(.oneOf(list)) }
    case "not": words.append(.not(child(value, reading, "not")))
    case "if" where dialect.hasConditions:
      let then = reading.node["then"].map { child($0, reading, "then") }
      let otherwise = reading.node["else"].map { child($0, reading, "else") }
      words.append(.condition(if: child(value, reading, "if"), then: then, else: otherwise))
    case "properties": addProperties(reading, to: &words)
    case "patternProperties" where reading.node["properties"] == nil: addProperties(reading, to: &words)
    case "additionalProperties"
    where reading.node["properties"] == nil && reading.node["patternProperties"] == nil:
      addProperties(reading, to: &words)
    case "patternProperties", "additionalProperties": break
    case "propertyNames" where dialect.hasConst:
      words.append(.propertyNames(child(value, reading, "propertyNames")))
    case "items", "prefixItems": addItems(member, reading, to: &words)
    case "contains" where dialect.hasConst: addContains(value, reading, to: &words)
    case "dependentSchemas" where dialect.hasAnchors:
      words.append(
        .dependentSchemas(
          (value.members ?? []).map { ($0.name, child($0.value, reading, "dependentSchemas", $0.name)) }))
    case "dependencies" where dialect != .openAPI30: addDependencies(value, reading, to: &words)
    case "unevaluatedProperties" where dialect.hasAnchors:
      words.append(.unevaluatedProperties(child(value, reading, "unevaluatedProperties")))
    case "unevaluatedItems" where dialect.hasAnchors:
      words.append(.unevaluatedItems(child(value, reading, "unevaluatedItems")))
    default: return false
    }
    return true
  }

  private mutating func list(_ member: JSONNode.Member, _ reading: SchemaReading) -> [Int]? {
    guard let elements = member.value.elements, !elements.isEmpty else {
      fault(.keyword, member.name, member.value, in: reading.location.document)
      return nil
    }
    return elements.enumerated().map { child($1, reading, member.name, String($0)) }
  }

  private mutating func addProperties(_ reading: SchemaReading, to words: inout [SchemaWord]) {
    var word = PropertiesWord()
    for member in reading.node["properties"]?.members ?? [] {
      word.order[ExactText(text: member.name)] = word.order.count
      word.named[ExactText(text: member.name)] = child(member.value, reading, "properties", member.name)
    }
    for member in reading.node["patternProperties"]?.members ?? [] {
      let pattern = pattern(member.name, member.value, in: reading.location.document)
      word.patterns.append((pattern, member.name, child(member.value, reading, "patternProperties", member.name)))
    }
    word.additional = reading.node["additionalProperties"].map { child($0, reading, "additionalProperties") }
    words.append(.properties(word))
  }

  private mutating func addItems(
    _ member: JSONNode.Member, _ reading: SchemaReading, to words: inout [SchemaWord]
  ) {
    var word = ItemsWord()
    if reading.dialect == .draft2020 {
      guard member.name == "prefixItems" || reading.node["prefixItems"] == nil else { return }
      word.prefix = (reading.node["prefixItems"]?.elements ?? []).enumerated().map {
        child($1, reading, "prefixItems", String($0))
      }
      word.rest = reading.node["items"].map { child($0, reading, "items") }
    } else {
      guard member.name == "items" else { return }
      word.prefixName = "items"
      if let elements = member.value.elements {
        word.prefix = elements.enumerated().map { child($1, reading, "items", String($0)) }
        word.rest = reading.node["additionalItems"].map { child($0, reading, "additionalItems") }
        word.restName = "additionalItems"
      } else {
        word.rest = child(member.value, reading, "items")
      }
    }
    words.append(.items(word))
  }

  private mutating func addContains(_ value: JSONNode, _ reading: SchemaReading, to words: inout [SchemaWord]) {
    let counts = reading.dialect.hasAnchors && reading.checksValues
    words.append(
      .contains(
        ContainsWord(
          schema: child(value, reading, "contains"),
          least: counts ? reading.node["minContains"]?.number?.integer(Int.self) ?? 1 : 1,
          most: counts ? reading.node["maxContains"]?.number?.integer(Int.self) : nil,
          marks: reading.dialect == .draft2020)))
  }

  private mutating func addDependencies(
    _ value: JSONNode, _ reading: SchemaReading, to words: inout [SchemaWord]
  ) {
    var names: [(name: String, others: [String])] = []
    var schemas: [(name: String, schema: Int)] = []
    for member in value.members ?? [] {
      if let elements = member.value.elements {
        names.append((member.name, elements.compactMap(\.string)))
      } else {
        schemas.append((member.name, child(member.value, reading, "dependencies", member.name)))
      }
    }
    if !names.isEmpty { words.append(.dependentRequired(names)) }
    if !schemas.isEmpty { words.append(.dependentSchemas(schemas)) }
  }
}
