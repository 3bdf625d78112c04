import MPaaSJSON
import MPaaSPattern

extension SchemaCompiler {
  /// Adds what a member of a schema says.
  mutating func add(_ member: JSONNode.Member, _ reading: SchemaReading, to words: inout [SchemaWord]) {
    if addApplicator(member, reading, to: &words) { return }
    guard reading.checksValues || member.name == "format" else { return }
    addAssertion(member, reading, to: &words)
  }

  private mutating func addAssertion(
    _ member: JSONNode.Member, _ reading: SchemaReading, to words: inout [SchemaWord]
  ) {
    let value = member.value
    switch member.name {
    case "type": addTypes(value, reading, to: &words)
    case "enum":
      if let elements = value.elements { words.append(.enumeration(elements)) } else { wrong(member, reading) }
    case "const" where reading.dialect.hasConst: words.append(.const(value))
    case "multipleOf":
      if let number = positive(member, reading) { words.append(.multipleOf(number)) }
    case "minimum":
      if let number = number(member, reading) {
        words.append(.minimum(number, isExclusive: flag("exclusiveMinimum", reading)))
      }
    case "maximum":
      if let number = number(member, reading) {
        words.append(.maximum(number, isExclusive: flag("exclusiveMaximum", reading)))
      }
    case "exclusiveMinimum" where !reading.dialect.hasExclusiveFlags:
      if let number = number(member, reading) { words.append(.minimum(number, isExclusive: true)) }
    case "exclusiveMaximum" where !reading.dialect.hasExclusiveFlags:
      if let number = number(member, reading) { words.append(.maximum(number, isExclusive: true)) }
    case "minLength": if let count = count(member, reading) { words.append(.minLength(count)) }
    case "maxLength": if let count = count(member, reading) { words.append(.maxLength(count)) }
    case "minItems": if let count = count(member, reading) { words.append(.minItems(count)) }
    case "maxItems": if let count = count(member, reading) { words.append(.maxItems(count)) }
    case "minProperties": if let count = count(member, reading) { words.append(.minProperties(count)) }
    case "maxProperties": if let count = count(member, reading) { words.append(.maxProperties(count)) }
    case "uniqueItems": if value.bool == true { words.append(.uniqueItems) }
    case "pattern": addPattern(member, reading, to: &words)
    case "format":
      if assertsFormats, let format = value.string.flatMap({ SchemaFormat($0, reading.dialect) }) {
        words.append(.format(format))
      }
    case "required": addRequired(member, reading, to: &words)
    case "dependentRequired" where reading.dialect.hasAnchors: addDependentRequired(member, reading, to: &words)
    default: break
    }
  }

  private mutating func wrong(_ member: JSONNode.Member, _ reading: SchemaReading) {
    fault(.keyword, member.name, member.value, in: reading.location.document)
  }

  private mutating func number(_ member: JSONNode.Member, _ reading: SchemaReading) -> JSONNumber? {
    if let number = member.value.number { return number }
    wrong(member, reading)
    return nil
  }

  private mutating func positive(_ member: JSONNode.Member, _ reading: SchemaReading) -> JSONNumber? {
    guard let number = number(member, reading) else { return nil }
    if number > JSONNumber(0) { return number }
    wrong(member, reading)
    return nil
  }

  private mutating func count(_ member: JSONNode.Member, _ reading: SchemaReading) -> Int? {
    if let count = member.value.number?.integer(Int.self), count >= 0 { return count }
    wrong(member, reading)
    return nil
  }

  private func flag(_ name: String, _ reading: SchemaReading) -> Bool {
    reading.dialect.hasExclusiveFlags && reading.node[name]?.bool == true
  }

  private mutating func addTypes(_ value: JSONNode, _ reading: SchemaReading, to words: inout [SchemaWord]) {
    var names = (value.elements ?? [value]).compactMap(\.string)
    var types: SchemaTypes = []
    for name in names {
      guard let type = SchemaTypes(name) else {
        fault(.keyword, "type", value, in: reading.location.document)
        return
      }
      types.formUnion(type)
    }
    if reading.dialect == .openAPI30, reading.node["nullable"]?.bool == true {
      types.formUnion(.null)
      names.append("null")
    }
    guard !names.isEmpty else {
      fault(.keyword, "type", value, in: reading.location.document)
      return
    }
    words.append(.types(types, names: names))
  }

  private mutating func addPattern(
    _ member: JSONNode.Member, _ reading: SchemaReading, to words: inout [SchemaWord]
  ) {
    guard let text = member.value.string else {
      wrong(member, reading)
      return
    }
    if let pattern = pattern(text, member.value, in: reading.location.document) {
      words.append(.pattern(pattern, text: text))
    }
  }

  private mutating func addRequired(
    _ member: JSONNode.Member, _ reading: SchemaReading, to words: inout [SchemaWord]
  ) {
    // In draft 3, and by mistake since, a boolean.
    guard let elements = member.value.elements else {
      if member.value.bool == nil { wrong(member, reading) }
      return
    }
    let properties = reading.node["properties"]
    words.append(
      .required(
        elements.compactMap(\.string).map { name in
          let property = properties?[name].map { direct($0, reading) }
          return RequiredName(
            name: name, isReadOnly: property?["readOnly"]?.bool ?? false,
            isWriteOnly: property?["writeOnly"]?.bool ?? false)
        }))
  }

  /// The schema that a property's reference in the same document leads to.
  private func direct(_ node: JSONNode, _ reading: SchemaReading) -> JSONNode {
    guard let reference = node["$ref"]?.string, reference.hasPrefix("#/") else { return node }
    let root = registry.documents[reading.location.document].root
    return SchemaRegistry.node(at: SchemaAddress.steps(String(reference.dropFirst())), in: root) ?? node
  }

  private mutating func addDependentRequired(
    _ member: JSONNode.Member, _ reading: SchemaReading, to words: inout [SchemaWord]
  ) {
    words.append(
      .dependentRequired(
        (member.value.members ?? []).map { ($0.name, ($0.value.elements ?? []).compactMap(\.string)) }))
  }
}
