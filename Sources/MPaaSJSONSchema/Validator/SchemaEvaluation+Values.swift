import MPaaSJSON
import MPaaSPattern

extension SchemaEvaluation {
  mutating func applyNumber(_ word: SchemaWord, _ schema: CompiledSchema, _ node: JSONNode) -> Bool {
    guard case .number(let number) = node.content else { return true }
    switch word {
    case .multipleOf(let divisor):
      return ExactDecimal(number).isMultiple(of: ExactDecimal(divisor))
        || fail("multipleOf", schema, "must be multiple of \(divisor)")
    case .minimum(let limit, let isExclusive):
      if isExclusive ? number > limit : number >= limit { return true }
      return isExclusive
        ? fail("exclusiveMinimum", schema, "must be > \(limit)") : fail("minimum", schema, "must be >= \(limit)")
    case .maximum(let limit, let isExclusive):
      if isExclusive ? number < limit : number <= limit { return true }
      return isExclusive
        ? fail("exclusiveMaximum", schema, "must be < \(limit)") : fail("maximum", schema, "must be <= \(limit)")
    default: return true
    }
  }

  mutating func applyString(_ word: SchemaWord, _ schema: CompiledSchema, _ node: JSONNode) -> Bool {
    if case .format(let format) = word {
      return format.takes(node) || fail("format", schema, "must match format \"\(format.name)\"")
    }
    guard case .string(let text) = node.content else { return true }
    switch word {
    case .minLength(let least):
      return text.utf8.count >= least * 4 || text.unicodeScalars.count >= least
        || fail("minLength", schema, "must NOT have fewer than \(least) characters")
    case .maxLength(let most):
      return text.utf8.count <= most || text.unicodeScalars.count <= most
        || fail("maxLength", schema, "must NOT have more than \(most) characters")
    case .pattern(let pattern, let source):
      return pattern.matches(text) || fail("pattern", schema, "must match pattern \"\(source)\"")
    default: return true
    }
  }

  mutating func applyArray(
    _ word: SchemaWord, _ schema: CompiledSchema, _ elements: [JSONNode], _ looked: inout LookedAt?
  ) -> Bool {
    switch word {
    case .minItems(let least):
      return elements.count >= least || fail("minItems", schema, "must NOT have fewer than \(least) items")
    case .maxItems(let most):
      return elements.count <= most || fail("maxItems", schema, "must NOT have more than \(most) items")
    case .uniqueItems:
      guard let (first, second) = Self.twins(elements) else { return true }
      let message = "must NOT have duplicate items (items ## \(second) and \(first) are identical)"
      return fail("uniqueItems", schema, message)
    case .items(let items): return applyItems(items, elements, &looked)
    case .contains(let contains): return applyContains(contains, schema, elements, &looked)
    case .unevaluatedItems(let target):
      guard let seen = looked, !seen.hasAllElements else { return true }
      var isValid = true
      for (index, element) in elements.enumerated() where !seen.elements.contains(index) {
        var unused: LookedAt?
        if !quietly(target, element, &unused) { isValid = false }
      }
      guard isValid else { return fail("unevaluatedItems", schema, "must NOT have unevaluated items") }
      looked?.hasAllElements = true
      return true
    default: return true
    }
  }

  private static func twins(_ elements: [JSONNode]) -> (Int, Int)? {
    var seen: [SameValue: Int] = [:]
    for (index, element) in elements.enumerated() {
      if let first = seen.updateValue(index, forKey: SameValue(node: element)) { return (first, index) }
    }
    return nil
  }

  private mutating func applyItems(_ items: ItemsWord, _ elements: [JSONNode], _ looked: inout LookedAt?) -> Bool {
    var isValid = true
    for (index, element) in elements.enumerated() {
      guard let target = index < items.prefix.count ? items.prefix[index] : items.rest else { break }
      guard inside("\(index)", target, element) else {
        isValid = false
        if collects { continue } else { return false }
      }
      looked?.elements.insert(index)
    }
    if items.rest != nil { looked?.hasAllElements = true }
    return isValid
  }

  private mutating func applyContains(
    _ contains: ContainsWord, _ schema: CompiledSchema, _ elements: [JSONNode], _ looked: inout LookedAt?
  ) -> Bool {
    var count = 0
    for (index, element) in elements.enumerated() {
      var unused: LookedAt?
      guard quietly(contains.schema, element, &unused) else { continue }
      count += 1
      if contains.marks { looked?.elements.insert(index) }
    }
    if count < contains.least {
      if collects {
        for (index, element) in elements.enumerated() { _ = inside("\(index)", contains.schema, element) }
      }
      return fail("contains", schema, "must contain at least \(contains.least) valid item(s)")
    }
    if let most = contains.most, count > most {
      return fail("contains", schema, "must contain at most \(most) valid item(s)")
    }
    return true
  }
}

// MARK: Objects

extension SchemaEvaluation {
  mutating func applyObject(
    _ word: SchemaWord, _ schema: CompiledSchema, _ node: JSONNode, _ members: [JSONNode.Member],
    _ looked: inout LookedAt?
  ) -> Bool {
    switch word {
    case .minProperties(let least):
      return members.count >= least
        || fail("minProperties", schema, "must NOT have fewer than \(least) properties")
    case .maxProperties(let most):
      return members.count <= most || fail("maxProperties", schema, "must NOT have more than \(most) properties")
    case .required(let names): return applyRequired(names, schema, members)
    case .dependentRequired(let rules):
      for (name, others) in rules where members.has(name) {
        for other in others where !members.has(other) {
          return fail("dependentRequired", schema, "must have property \(other) when property \(name) is present")
        }
      }
      return true
    case .dependentSchemas(let rules):
      var isValid = true
      for (name, target) in rules where members.has(name) && !check(target, node, &looked) { isValid = false }
      return isValid
    case .properties(let properties): return applyProperties(properties, schema, members, &looked)
    case .propertyNames(let target):
      for member in members {
        var unused: LookedAt?
        guard quietly(target, JSONNode(.string(member.name), at: member.position), &unused) else {
          return fail("propertyNames", schema, "property name must be valid")
        }
      }
      return true
    case .unevaluatedProperties(let target):
      guard let seen = looked, !seen.hasAllMembers else { return true }
      for (index, member) in members.enumerated() where !seen.members.contains(index) {
        var unused: LookedAt?
        guard quietly(target, member.value, &unused) else {
          return fail("unevaluatedProperties", schema, "must NOT have unevaluated properties")
        }
      }
      looked?.hasAllMembers = true
      return true
    default: return true
    }
  }

  private mutating func applyRequired(
    _ names: [RequiredName], _ schema: CompiledSchema, _ members: [JSONNode.Member]
  ) -> Bool {
    var isValid = true
    for required in names where !members.has(required.name) {
      if direction == .request, required.isReadOnly { continue }
      if direction == .response, required.isWriteOnly { continue }
      isValid = fail("required", schema, "must have required property '\(required.name)'")
      if !collects { return false }
    }
    return isValid
  }

  private mutating func applyProperties(
    _ properties: PropertiesWord, _ schema: CompiledSchema, _ members: [JSONNode.Member],
    _ looked: inout LookedAt?
  ) -> Bool {
    var isValid = true
    var indexes = Array(members.indices)
    if collects {
      let order = { (index: Int) in properties.order[ExactText(text: members[index].name)] ?? -1 }
      indexes.sort { (order($0), $0) < (order($1), $1) }
    }
    for index in indexes {
      let member = members[index]
      var isKnown = false
      if let target = properties.named[ExactText(text: member.name)] {
        isKnown = true
        isValid = inside(member.name, target, member.value) && isValid
      }
      // A pattern that cannot be read may be about any name.
      for (pattern, _, target) in properties.patterns where pattern?.matches(member.name) ?? true {
        isKnown = true
        guard pattern != nil else { continue }
        isValid = inside(member.name, target, member.value) && isValid
      }
      if !isKnown, let additional = properties.additional {
        isKnown = true
        isValid = applyAdditional(additional, schema, member) && isValid
      }
      if isKnown { looked?.members.insert(index) }
      if !isValid, !collects { return false }
    }
    return isValid
  }

  private mutating func applyAdditional(
    _ target: Int, _ schema: CompiledSchema, _ member: JSONNode.Member
  ) -> Bool {
    if validator.schemas[target].refuses {
      return fail("additionalProperties", schema, "must NOT have additional properties; found '\(member.name)'")
    }
    return inside(member.name, target, member.value)
  }
}

extension [JSONNode.Member] {
  func has(_ name: String) -> Bool {
    contains { $0.name.utf8.elementsEqual(name.utf8) }
  }
}
