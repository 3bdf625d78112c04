import MPaaSJSON
import MPaaSSupport

extension SchemaCompiler {
  // MARK: Objects

  mutating func objectType(_ form: Form, _ key: [Part], hint: String) throws(GenerationError) -> ModelType {
    var order: [String] = []
    var parts: [String: [Part]] = [:]
    var required: Set<String> = []
    for part in form.own {
      for (name, schema) in named(part.schema, "properties") {
        if parts[name] == nil { order.append(name) }
        parts[name, default: []].append(Part(schema: schema))
      }
      required.formUnion(try strings(part.schema, "required"))
    }
    let hasName = !order.isEmpty || isClosed(form)
    let name = hasName ? self.name(key, hint) : hint
    let rest = try restType(form, hint: name + "Value")
    for part in form.own {
      for extra in try strings(part.schema, "required") where parts[extra] == nil {
        order.append(extra)
        parts[extra] = []
      }
    }
    guard hasName else {
      if required.isEmpty || rest != .any { return .map(rest ?? .any) }
      let name = self.name(key, hint)
      return try declareObject(name, order, parts, required, rest, form, key)
    }
    return try declareObject(name, order, parts, required, rest, form, key)
  }

  private mutating func declareObject(
    _ name: String, _ order: [String], _ parts: [String: [Part]], _ required: Set<String>, _ rest: ModelType?,
    _ form: Form, _ key: [Part]
  ) throws(GenerationError) -> ModelType {
    var properties: [ModelProperty] = []
    var names: Set<String> = rest == nil ? [] : ["additionalProperties"]
    for jsonName in order {
      let parts = parts[jsonName] ?? []
      if parts.contains(where: { library.schemas[$0.schema].node.bool == false }) { continue }
      let property = ModelName.unique(
        SwiftSpelling.plainMember(options.names[jsonName] ?? ModelName.property(jsonName)), among: names)
      names.insert(property)
      var type = ModelType.any
      if parts.isEmpty {
        type = hasPatterns(form) ? .any : rest ?? .any
      } else {
        let hint = Self.isPlain(jsonName) ? jsonName : property
        type = try self.type(of: parts, hint: options.namesOwners ? "\(name) \(hint)" : hint)
      }
      properties.append(
        ModelProperty(
          jsonName, name: property, type: type, isRequired: required.contains(jsonName),
          documentation: parts.first.map { documentation($0.schema) } ?? []))
    }
    declare(name, .object(ModelObject(properties, rest: rest)), key)
    return .named(name)
  }

  private static func isPlain(_ name: String) -> Bool {
    name.unicodeScalars.contains { $0.properties.isXIDStart && $0 != "_" }
  }

  private func hasPatterns(_ form: Form) -> Bool {
    form.own.contains { library.schemas[$0.schema]["patternProperties"]?.members?.isEmpty == false }
  }

  private func isClosed(_ form: Form) -> Bool {
    form.own.contains { part in
      let schema = library.schemas[part.schema]
      return schema["additionalProperties"]?.bool == false
        && schema["patternProperties"]?.members?.isEmpty != false
    }
  }

  /// The type of members without a property; nil where there can be none.
  private mutating func restType(_ form: Form, hint: String) throws(GenerationError) -> ModelType? {
    if isClosed(form) { return nil }
    var additional: [Part] = []
    var patterns: [Part] = []
    var isOpen = false
    for part in form.own {
      patterns += named(part.schema, "patternProperties").map { Part(schema: $0.schema) }
      if let node = library.schemas[part.schema]["additionalProperties"] {
        if node.members != nil, let child = library.child(part.schema, "additionalProperties") {
          additional.append(Part(schema: child))
        }
        isOpen = isOpen || node.bool == true
      } else {
        isOpen = true
      }
    }
    if patterns.isEmpty { return additional.isEmpty ? .any : try type(of: additional, hint: hint) }
    // Members that match no pattern have the type of the rest; a type that both have in common is that of the map.
    if form.own.count > 1 { return .any }
    var types: Set<ModelType> = []
    for part in patterns + additional { types.insert(try type(of: [part], hint: hint)) }
    if isOpen, !matchesEverything(form) { types.insert(.any) }
    return types.count == 1 ? types.first : .any
  }

  /// Tells whether a pattern lets no name out.
  private func matchesEverything(_ form: Form) -> Bool {
    form.own.contains { part in
      named(part.schema, "patternProperties").contains { ["", ".*", "^.*$", "^", "^.*"].contains($0.name) }
    }
  }

  /// The strings of a keyword that is a list of them.
  func strings(_ index: Int, _ keyword: String) throws(GenerationError) -> [String] {
    let schema = library.schemas[index]
    guard let node = schema[keyword] else { return [] }
    // In draft 3 it was a mark of the property.
    if node.bool != nil, keyword == "required" { return [] }
    guard let elements = node.elements, !elements.contains(where: { $0.string == nil }) else {
      throw GenerationError(
        .schemaKeyword, ["keyword": keyword, "wanted": "array of strings"], at: library.place(node, of: schema))
    }
    return elements.compactMap(\.string)
  }

  // MARK: Arrays

  /// The schemas of the first elements, and of the others.
  func elementSchemas(_ index: Int) -> (first: [Int], rest: Int?) {
    let schema = library.schemas[index]
    let first = children(index, "prefixItems")
    if schema["prefixItems"] == nil, schema["items"]?.elements != nil {
      return (
        children(index, "items"), schema["additionalItems"].flatMap { _ in library.child(index, "additionalItems") }
      )
    }
    return (first, schema["items"].flatMap { _ in library.child(index, "items") })
  }

  mutating func arrayType(_ form: Form, _ key: [Part], hint: String) throws(GenerationError) -> ModelType {
    var first: [[Part]] = []
    var rest: [Part] = []
    var least = 0
    for part in form.own {
      let schemas = elementSchemas(part.schema)
      for (index, schema) in schemas.first.enumerated() {
        if index == first.count { first.append([]) }
        first[index].append(Part(schema: schema))
      }
      if let schema = schemas.rest { rest.append(Part(schema: schema)) }
      least = max(least, library.schemas[part.schema]["minItems"]?.number?.integer(Int.self) ?? 0)
    }
    // Several schemas may each have their own first elements and rest: only one list of each makes a tuple.
    if first.isEmpty { return .array(rest.isEmpty ? .any : try type(of: rest, hint: Self.singular(hint))) }
    guard first.count <= 32, form.own.filter({ !elementSchemas($0.schema).first.isEmpty }).count == 1,
      form.own.filter({ elementSchemas($0.schema).rest != nil }).count <= 1
    else { return .array(.any) }
    return try tuple(first, rest, least, key, hint: hint)
  }

  private mutating func tuple(
    _ first: [[Part]], _ rest: [Part], _ least: Int, _ key: [Part], hint: String
  ) throws(GenerationError) -> ModelType {
    let name = name(key, hint)
    var items: [ModelProperty] = []
    for (index, parts) in first.enumerated() {
      let type = try type(of: parts, hint: name + "Element\(index)")
      items.append(
        ModelProperty(
          String(index), name: "element\(index)", type: type, isRequired: index < least,
          documentation: parts.first.map { documentation($0.schema) } ?? []))
    }
    let isClosed = rest.contains { library.schemas[$0.schema].node.bool == false }
    let restType = isClosed ? nil : rest.isEmpty ? ModelType.any : try type(of: rest, hint: name + "Element")
    declare(name, .tuple(ModelTuple(items, rest: restType)), key)
    return .named(name)
  }

  /// The name for one of several: `items` → `item`, `entries` → `entry`.
  static func singular(_ name: String) -> String {
    let lower = name.lowercased()
    if lower.hasSuffix("ies"), name.count > 4 { return name.dropLast(3) + "y" }
    if lower.hasSuffix("sses") || lower.hasSuffix("xes") || lower.hasSuffix("ches") { return String(name.dropLast(2)) }
    if lower.hasSuffix("s"), !lower.hasSuffix("ss"), !lower.hasSuffix("us"), !lower.hasSuffix("is"), name.count > 3 {
      return String(name.dropLast())
    }
    return name + "Element"
  }
}
