import MPaaSJSON

/// The members and elements of a value that some word has looked at.
struct LookedAt {
  var members: Set<Int> = []
  var elements: Set<Int> = []
  var hasAllMembers = false
  var hasAllElements = false

  mutating func merge(_ other: LookedAt) {
    members.formUnion(other.members)
    elements.formUnion(other.elements)
    hasAllMembers = hasAllMembers || other.hasAllMembers
    hasAllElements = hasAllElements || other.hasAllElements
  }
}

/// One check of a value against a schema.
struct SchemaEvaluation {
  /// The most schemas inside each other, by reference or by value.
  static let greatestDepth = 2_048

  let validator: SchemaValidator
  let direction: SchemaValidator.Direction
  private(set) var collects: Bool
  private(set) var violations: [SchemaViolation] = []
  private(set) var path: [String] = []
  /// The resources that were entered, the outermost first.
  private var scope: [Int] = []
  private var depth = 0

  init(_ validator: SchemaValidator, _ direction: SchemaValidator.Direction, collects: Bool) {
    self.validator = validator
    self.direction = direction
    self.collects = collects
  }

  mutating func check(_ index: Int, _ node: JSONNode, _ looked: inout LookedAt?) -> Bool {
    let schema = validator.schemas[index]
    if schema.refuses { return fail("false schema", schema, "boolean schema is false") }
    guard !schema.words.isEmpty else { return true }
    guard depth < Self.greatestDepth else { return fail("$ref", schema, "must not refer to itself without end") }
    depth += 1
    let enters = scope.last != schema.resource
    if enters { scope.append(schema.resource) }
    defer {
      depth -= 1
      if enters { scope.removeLast() }
    }
    var own: LookedAt? = looked != nil || schema.tracks ? LookedAt() : nil
    var isValid = true
    for word in schema.words where !apply(word, schema, node, &own) {
      isValid = false
      if !collects || violations.count >= SchemaValidator.mostViolations { break }
    }
    if isValid, let own { looked?.merge(own) }
    return isValid
  }

  /// Notes a violation; always false.
  mutating func fail(_ keyword: String, _ schema: CompiledSchema, _ message: @autoclosure () -> String) -> Bool {
    guard collects, violations.count < SchemaValidator.mostViolations else { return false }
    violations.append(
      SchemaViolation(
        instance: path, keyword: keyword, schema: schema.address + "/" + keyword, message: message()))
    return false
  }

  /// Checks without telling why not.
  mutating func quietly(_ index: Int, _ node: JSONNode, _ looked: inout LookedAt?) -> Bool {
    let before = collects
    collects = false
    defer { collects = before }
    return check(index, node, &looked)
  }

  /// Checks a part of the value.
  mutating func inside(_ step: @autoclosure () -> String, _ index: Int, _ node: JSONNode) -> Bool {
    var looked: LookedAt?
    guard collects else { return check(index, node, &looked) }
    path.append(step())
    defer { path.removeLast() }
    return check(index, node, &looked)
  }

  func dynamicTarget(_ name: String, _ target: Int) -> Int {
    for resource in scope {
      if let found = validator.dynamic[resource][name] { return found }
    }
    return target
  }

  func recursiveTarget(_ target: Int) -> Int {
    for resource in scope {
      if let found = validator.recursive[resource] { return found }
    }
    return target
  }
}

// MARK: Words

extension SchemaEvaluation {
  private mutating func apply(
    _ word: SchemaWord, _ schema: CompiledSchema, _ node: JSONNode, _ looked: inout LookedAt?
  ) -> Bool {
    switch word {
    case .types(let types, let names):
      return types.takes(node) || fail("type", schema, "must be \(names.joined(separator: ","))")
    case .reference(let target): return check(target, node, &looked)
    case .dynamicReference(let name, let target): return check(dynamicTarget(name, target), node, &looked)
    case .recursiveReference(let target): return check(recursiveTarget(target), node, &looked)
    case .enumeration(let values):
      return values.contains { $0.isSame(as: node) }
        || fail("enum", schema, "must be equal to one of the allowed values: " + Self.list(values))
    case .const(let value): return value.isSame(as: node) || fail("const", schema, "must be equal to constant")
    case .allOf, .anyOf, .oneOf, .not, .condition: return applyChoice(word, schema, node, &looked)
    case .multipleOf, .minimum, .maximum: return applyNumber(word, schema, node)
    case .minLength, .maxLength, .pattern, .format: return applyString(word, schema, node)
    case .minItems, .maxItems, .uniqueItems, .items, .contains, .unevaluatedItems:
      guard case .array(let elements) = node.content else { return true }
      return applyArray(word, schema, elements, &looked)
    case .minProperties, .maxProperties, .required, .dependentRequired, .dependentSchemas, .properties,
      .propertyNames, .unevaluatedProperties:
      guard case .object(let members) = node.content else { return true }
      return applyObject(word, schema, node, members, &looked)
    }
  }

  private static func list(_ values: [JSONNode]) -> String {
    values.prefix(20).map { $0.string ?? $0.line }.joined(separator: ", ")
  }

  private mutating func applyChoice(
    _ word: SchemaWord, _ schema: CompiledSchema, _ node: JSONNode, _ looked: inout LookedAt?
  ) -> Bool {
    switch word {
    case .allOf(let targets):
      var isValid = true
      for target in targets where !check(target, node, &looked) {
        isValid = false
        if !collects { break }
      }
      return isValid
    case .anyOf(let targets): return applyAnyOf(targets, schema, node, &looked)
    case .oneOf(let targets): return applyOneOf(targets, schema, node, &looked)
    case .not(let target):
      var unused: LookedAt?
      return !quietly(target, node, &unused) || fail("not", schema, "must NOT be valid")
    case .condition(let condition, let then, let otherwise):
      if quietly(condition, node, &looked) {
        guard let then else { return true }
        return check(then, node, &looked) || fail("if", schema, "must match \"then\" schema")
      }
      guard let otherwise else { return true }
      return check(otherwise, node, &looked) || fail("if", schema, "must match \"else\" schema")
    default: return true
    }
  }

  private mutating func applyAnyOf(
    _ targets: [Int], _ schema: CompiledSchema, _ node: JSONNode, _ looked: inout LookedAt?
  ) -> Bool {
    var isValid = false
    for target in targets where quietly(target, node, &looked) {
      isValid = true
      if looked == nil { break }
    }
    if isValid { return true }
    tellAll(targets, node)
    return fail("anyOf", schema, "must match a schema in anyOf")
  }

  private mutating func applyOneOf(
    _ targets: [Int], _ schema: CompiledSchema, _ node: JSONNode, _ looked: inout LookedAt?
  ) -> Bool {
    var count = 0
    var found: LookedAt? = looked == nil ? nil : LookedAt()
    for target in targets {
      var own: LookedAt? = looked == nil ? nil : LookedAt()
      guard quietly(target, node, &own) else { continue }
      count += 1
      found = own
      if count > 1 { break }
    }
    if count == 1 {
      if let found { looked?.merge(found) }
      return true
    }
    if count == 0 { tellAll(targets, node) }
    return fail("oneOf", schema, "must match exactly one schema in oneOf")
  }

  /// Tells what each of the schemas does not like.
  private mutating func tellAll(_ targets: [Int], _ node: JSONNode) {
    guard collects else { return }
    for target in targets {
      var unused: LookedAt?
      _ = check(target, node, &unused)
    }
  }
}

extension SchemaTypes {
  func takes(_ node: JSONNode) -> Bool {
    switch node.content {
    case .null: contains(.null)
    case .bool: contains(.boolean)
    case .number(let number):
      contains(.fraction) || (contains(.integer) && (number.isWhole || ExactDecimal(number).isWhole))
    case .string: contains(.string)
    case .array: contains(.array)
    case .object: contains(.object)
    }
  }
}
