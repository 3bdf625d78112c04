import MPaaSJSON
import MPaaSSupport

extension SchemaCompiler {
  /// The form of a value by several parts together.
  struct Form {
    var kinds = Set(ModelKind.allCases)
    var constants: [JSONValue]?
    /// The parts that say something themselves, in the order in which they stand.
    var own: [Part] = []
    /// Lists of schemas of which one fits, or more.
    var choices: [[Int]] = []
    var isNever = false
  }

  /// The parts with what merely refers to another replaced by that.
  func peeled(_ parts: [Part]) throws(GenerationError) -> [Part] {
    guard parts.count == 1, !parts[0].isOwn else { return parts }
    var index = parts[0].schema
    while let target = targets[index] {
      let schema = library.schemas[index]
      let says = schema.keywords.keys.filter { !Self.annotations.contains($0) && $0 != "$ref" && $0 != "$dynamicRef" }
      guard says.isEmpty, schema["unevaluatedProperties"] == nil else { break }
      index = target
    }
    return [Part(schema: index)]
  }

  static let annotations: Set<String> = [
    "title", "description", "default", "examples", "$comment", "$id", "$schema", "$anchor", "$dynamicAnchor",
    "definitions", "$defs", "deprecated", "readOnly", "writeOnly", discriminatorValues,
  ]

  /// Keywords that are about other schemas for the same value.
  static let combining: Set<String> = ["$ref", "$dynamicRef", "allOf", "anyOf", "oneOf"]

  mutating func type(of parts: [Part], hint: String) throws(GenerationError) -> ModelType {
    let key = try peeled(parts)
    if let known = types[key] { return known }
    let given = givenName(key)
    if let name = unfinished[key] {
      if let name { return .named(name) }
      let reserved = given ?? reserve(self.hint(key, hint))
      unfinished[key] = .some(reserved)
      return .named(reserved)
    }
    if let given, try isPlainObject(key) {
      types[key] = .named(given)
      pending.append(key)
      return .named(given)
    }
    unfinished[key] = .some(nil)
    let outer = owner
    if given != nil { owner = key[0].schema }
    defer { owner = outer }
    guard unfinished.count < 200 else {
      let schema = library.schemas[key[0].schema]
      throw GenerationError(.schemaTooLarge, ["limit": "200"], at: library.place(schema.node, of: schema))
    }
    var type = try makeType(key, hint: self.hint(key, hint))
    if let name = unfinished[key] ?? nil, type != .named(name) {
      wrap(type, name, key)
      type = .named(name)
    }
    unfinished[key] = nil
    types[key] = type
    return type
  }

  /// A title where it could be a name, else the name of a definition, else what the place suggests.
  private func hint(_ key: [Part], _ hint: String) -> String {
    if let given = givenName(key) { return given }
    guard key.count == 1, !options.namesOwners else { return hint }
    let schema = library.schemas[key[0].schema]
    if let title = schema["title"]?.string, ModelName.words(title).count <= 3, !title.isEmpty { return title }
    if schema.path.count >= 2, ["definitions", "$defs"].contains(schema.path[schema.path.count - 2]) {
      return schema.path[schema.path.count - 1]
    }
    return hint
  }

  /// The name for a declaration of these parts.
  mutating func name(_ key: [Part], _ hint: String) -> String {
    if let name = unfinished[key] ?? nil { return name }
    let name = givenName(key) ?? reserve(hint)
    if unfinished[key] != nil { unfinished[key] = .some(name) }
    return name
  }

  // MARK: Gathering

  func form(of parts: [Part]) throws(GenerationError) -> Form {
    var form = Form()
    for part in parts { try gather(part, &form, depth: 0) }
    return form
  }

  private func gather(_ part: Part, _ form: inout Form, depth: Int) throws(GenerationError) {
    let schema = library.schemas[part.schema]
    if let bool = schema.node.bool {
      if !bool { form.isNever = true }
      return
    }
    guard depth < 500 else {
      throw GenerationError(.schemaTooLarge, ["limit": "500"], at: library.place(schema.node, of: schema))
    }
    if !part.isOwn {
      if let target = targets[part.schema] { try gather(Part(schema: target), &form, depth: depth + 1) }
      for child in children(part.schema, "allOf") { try gather(Part(schema: child), &form, depth: depth + 1) }
      for keyword in ["anyOf", "oneOf"] where schema[keyword] != nil {
        form.choices.append(children(part.schema, keyword))
      }
    }
    let own = Part(schema: part.schema, isOwn: true)
    let says = schema.keywords.keys.contains { !Self.annotations.contains($0) && !Self.combining.contains($0) }
    if says, !form.own.contains(own) { form.own.append(own) }
    if let kinds = try kinds(schema) { form.kinds.formIntersection(kinds) }
    let constants = schema["const"].map { [$0.value] } ?? schema["enum"]?.elements?.map(\.value)
    guard let constants else { return }
    form.constants = form.constants.map { known in known.filter { constants.contains($0) } } ?? constants
    form.kinds.formIntersection(constants.map(\.modelKind))
  }

  /// The kinds that `type` names; integers are numbers too.
  func kinds(_ schema: Schema) throws(GenerationError) -> Set<ModelKind>? {
    guard let node = schema["type"] else { return nil }
    var kinds: Set<ModelKind> = []
    for item in node.elements ?? [node] {
      guard let kind = item.string.flatMap(ModelKind.init) else {
        throw GenerationError(
          .schemaKeyword, ["keyword": "type", "wanted": ModelKind.allCases.map(\.rawValue).joined(separator: ", ")],
          at: library.place(item, of: schema))
      }
      kinds.insert(kind)
      if kind == .number { kinds.insert(.integer) }
    }
    return kinds
  }

  // MARK: Making

  mutating func makeType(_ key: [Part], hint: String) throws(GenerationError) -> ModelType {
    let form = try form(of: key)
    if form.isNever { return .any }
    for choice in form.choices {
      if let type = try choiceType(choice, form, key, hint: hint) { return type }
    }
    var kinds = form.kinds
    let isNullable = kinds.remove(.null) != nil
    if let constants = form.constants, let type = enumeration(constants, key, hint: hint) {
      return isNullable ? .nullable(type) : type
    }
    if kinds.isEmpty { return isNullable ? .null : .any }
    if kinds.count == ModelKind.allCases.count - 1 { return try openType(form, key, isNullable, hint: hint) }
    let groups = Self.groups(kinds)
    if groups.count == 1 {
      let type = try type(of: groups[0], form, key, hint: hint)
      return isNullable && !type.isNullable ? .nullable(type) : type
    }
    return try union(groups, form, key, isNullable, hint: hint)
  }

  /// Integers and other numbers are one type where both can be.
  private static func groups(_ kinds: Set<ModelKind>) -> [Set<ModelKind>] {
    var groups: [Set<ModelKind>] = []
    for kind in kinds.sorted() where kind != .integer || !kinds.contains(.number) {
      groups.append(kind == .number ? [.number, .integer] : [kind])
    }
    return groups
  }

  /// The type of what may be of any kind: it has a form only where it is an object or an array.
  private mutating func openType(
    _ form: Form, _ key: [Part], _ isNullable: Bool, hint: String
  ) throws(GenerationError) -> ModelType {
    var kinds = form.kinds.subtracting([.null])
    var cases: [ModelCase] = []
    let name = formed(form, .object) || formed(form, .array) ? self.name(key, hint) : ""
    for kind in [ModelKind.object, .array] where formed(form, kind) {
      let type = try type(of: [kind], form, [], hint: name + ModelName.type(kind.rawValue))
      guard type != .map(.any), type != .array(.any) else { continue }
      cases.append(ModelCase(kind.rawValue, type, kinds: [kind]))
      kinds.remove(kind)
    }
    guard !cases.isEmpty else { return .any }
    if isNullable { kinds.insert(.null) }
    cases.append(ModelCase("otherValue", .any, kinds: kinds))
    declare(name, .union(cases), key)
    return .named(name)
  }

  /// Tells whether something is said of the parts of an object, or of an array.
  private func formed(_ form: Form, _ kind: ModelKind) -> Bool {
    let keywords =
      kind == .object
      ? ["properties", "additionalProperties", "patternProperties", "required"] : ["items", "prefixItems"]
    return form.own.contains { part in keywords.contains { library.schemas[part.schema][$0] != nil } }
  }

  private mutating func union(
    _ groups: [Set<ModelKind>], _ form: Form, _ key: [Part], _ isNullable: Bool, hint: String
  ) throws(GenerationError) -> ModelType {
    let name = name(key, hint)
    var cases: [ModelCase] = []
    for group in groups {
      let kind = group.contains(.number) ? ModelKind.number : group.first ?? .null
      let type = try type(of: group, form, [], hint: name + ModelName.type(kind.rawValue))
      cases.append(ModelCase(kind.rawValue, type, kinds: group))
    }
    declare(name, .union(cases), key)
    return isNullable ? .nullable(.named(name)) : .named(name)
  }

  /// The type of values of one kind.
  ///
  /// - Parameter key: What the type is of; empty where it is a part of that only.
  func type(
    ofScalar kinds: Set<ModelKind>, _ form: Form
  ) -> ModelType? {
    if kinds.contains(.number) { return .number }
    if kinds == [.integer] { return integer(form) }
    if kinds == [.boolean] { return .boolean }
    if kinds == [.null] { return .null }
    guard kinds == [.string] else { return nil }
    guard options.checksFormats else { return .string(.plain) }
    for part in form.own {
      switch library.schemas[part.schema]["format"]?.string {
      case "date-time": return .string(.dateTime)
      case "date": return .string(.date)
      default: break
      }
    }
    return .string(.plain)
  }

  private func integer(_ form: Form) -> ModelType {
    for part in form.own {
      let schema = library.schemas[part.schema]
      switch schema["format"]?.string {
      case "int32": return .integer(.int32)
      case "int64": return .integer(.int64)
      case "uint64": return .integer(.uint64)
      default: break
      }
      if let most = schema["maximum"]?.number?.double, most > 9.3e18, schema["minimum"]?.number?.double ?? -1 >= 0 {
        return .integer(.uint64)
      }
    }
    return .integer(.int)
  }

  mutating func type(
    of kinds: Set<ModelKind>, _ form: Form, _ key: [Part], hint: String
  ) throws(GenerationError) -> ModelType {
    if let scalar = type(ofScalar: kinds, form) { return scalar }
    return kinds == [.object] ? try objectType(form, key, hint: hint) : try arrayType(form, key, hint: hint)
  }
}

extension JSONValue {
  var modelKind: ModelKind {
    switch self {
    case .null: .null
    case .bool: .boolean
    case .unsigned, .negative: .integer
    case .number(let value): value.rounded() == value ? .integer : .number
    case .string: .string
    case .array: .array
    case .object: .object
    }
  }
}
