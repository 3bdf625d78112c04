import MPaaSJSON
import MPaaSSupport

extension SchemaCompiler {
  // MARK: Sharing

  /// Finds the schemas that need a function: what is referred to and has no declaration, unless it is small.
  mutating func collectFunctions() throws(GenerationError) {
    let declared = Set(origins.values.filter { $0.count == 1 && !$0[0].isOwn }.map { $0[0].schema })
    for target in Set(targets.values).sorted() {
      let key = try peeled([Part(schema: target)])
      guard key == [Part(schema: target)], !declared.contains(target), !isSmall(target) else { continue }
      let schema = library.schemas[target]
      let name = ModelName.unique(
        ModelName.property(schema.path.last.map { Int($0) == nil ? $0 : "part\($0)" } ?? "document"),
        among: functionNames)
      functionNames.insert(name)
      functions[target] = name
    }
    declaredSchemas = Dictionary(
      origins.filter { $0.value.count == 1 && !$0.value[0].isOwn }.map { ($0.value[0].schema, $0.key) }
    ) { min($0, $1) }
    for index in declarations.indices {
      guard case .union(var cases) = declarations[index].kind else { continue }
      for place in cases.indices { cases[place].checks = try completed(cases[place].checks) }
      declarations[index].kind = .union(cases)
    }
  }

  /// Puts the checks in the place of `#12`, which stood for a schema while types were made.
  private func completed(_ checks: [ModelCheck]) throws(GenerationError) -> [ModelCheck] {
    var result: [ModelCheck] = []
    for check in checks {
      switch check {
      case .function(let name):
        if let schema = Int(name.dropFirst()) { result += try reference(schema) }
      case .any(let branches):
        var lists: [[ModelCheck]] = []
        for branch in branches { lists.append(try completed(branch)) }
        result.append(.any(lists))
      default: result.append(check)
      }
    }
    return result
  }

  private func isSmall(_ index: Int) -> Bool {
    let schema = library.schemas[index]
    if schema.node.bool != nil { return true }
    let says = schema.keywords.keys.filter { !Self.annotations.contains($0) }
    return says.count <= 3 && says.allSatisfy { !Schema.applicators.contains($0) && !Self.combining.contains($0) }
  }

  /// The checks of a schema from outside: its declaration's, its function's, or all of them here.
  func reference(_ index: Int) throws(GenerationError) -> [ModelCheck] {
    let peeled = try peeled([Part(schema: index)])[0].schema
    if let name = declaredSchemas[peeled] { return [.declaration(name)] }
    if let name = functions[peeled] { return [.function(name)] }
    return try wholeChecks(peeled)
  }

  private func references(_ index: Int?) throws(GenerationError) -> [ModelCheck] {
    guard let index else { return [] }
    return try reference(index)
  }

  /// All checks of what a declaration was made of.
  func checks(of parts: [Part]) throws(GenerationError) -> [ModelCheck] {
    var checks: [ModelCheck] = []
    for part in parts {
      let isAlone = parts.count == 1
      if part.isOwn {
        checks += try ownChecks(part.schema)
      } else {
        checks += isAlone ? try wholeChecks(part.schema) : try reference(part.schema)
      }
    }
    return checks
  }

  // MARK: Keywords

  func wholeChecks(_ index: Int) throws(GenerationError) -> [ModelCheck] {
    let schema = library.schemas[index]
    if let bool = schema.node.bool { return bool ? [] : [.never] }
    var checks = try ownChecks(index)
    if let target = targets[index] { checks += try reference(target) }
    for child in children(index, "allOf") { checks += try reference(child) }
    if schema["anyOf"] != nil { checks.append(.any(try branches(index, "anyOf"))) }
    if schema["oneOf"] != nil {
      let isExact = options.isOneOfExact ? true : try !namesTypes(index)
      checks.append(isExact ? .exactlyOne(try branches(index, "oneOf")) : .any(try branches(index, "oneOf")))
    }
    var last: [ModelCheck] = []
    if let child = schema["unevaluatedProperties"].flatMap({ _ in library.child(index, "unevaluatedProperties") }) {
      last.append(.unevaluatedMembers(try reference(child)))
    }
    if let child = schema["unevaluatedItems"].flatMap({ _ in library.child(index, "unevaluatedItems") }) {
      last.append(.unevaluatedElements(try reference(child)))
    }
    return last.isEmpty ? checks : [.scope(checks + last)]
  }

  private func branches(_ index: Int, _ keyword: String) throws(GenerationError) -> [[ModelCheck]] {
    var result: [[ModelCheck]] = []
    for child in children(index, keyword) { result.append(try reference(child)) }
    return result
  }

  /// Tells whether every branch of `oneOf` names its types: then it is a choice of types, as people mean it.
  private func namesTypes(_ index: Int) throws(GenerationError) -> Bool {
    let branches = children(index, "oneOf")
    for branch in branches {
      let peeled = try peeled([Part(schema: branch)])[0].schema
      guard library.schemas[peeled]["type"] != nil else { return false }
    }
    return branches.count > 1
  }

  /// The checks of a schema itself, without the schemas that it combines.
  func ownChecks(_ index: Int) throws(GenerationError) -> [ModelCheck] {
    let schema = library.schemas[index]
    if let bool = schema.node.bool { return bool ? [] : [.never] }
    var checks: [ModelCheck] = []
    if let kinds = try kinds(schema) {
      checks.append(.kinds(kinds.contains(.number) ? kinds.subtracting([.integer]).sorted() : kinds.sorted()))
    }
    if let constant = schema["const"] { checks.append(.constants([constant.value])) }
    if let list = schema["enum"]?.elements { checks.append(.constants(list.map(\.value))) }
    checks += try scalarChecks(index, schema)
    checks += try arrayChecks(index, schema)
    checks += try objectChecks(index, schema)
    if schema["not"] != nil, let child = library.child(index, "not") { checks.append(.not(try reference(child))) }
    if schema["if"] != nil, let condition = library.child(index, "if") {
      let then = schema["then"].flatMap { _ in library.child(index, "then") }
      let otherwise = schema["else"].flatMap { _ in library.child(index, "else") }
      if then != nil || otherwise != nil || tracksEvaluation {
        let (met, unmet) = (try references(then), try references(otherwise))
        checks.append(.conditional(try reference(condition), then: met, otherwise: unmet))
      }
    }
    return checks
  }

  private func number(_ schema: Schema, _ keyword: String) throws(GenerationError) -> JSONValue? {
    guard let node = schema[keyword], node.bool == nil else { return nil }
    guard let number = node.number else {
      throw GenerationError(
        .schemaKeyword, ["keyword": keyword, "wanted": "number"], at: library.place(node, of: schema))
    }
    return number.value
  }

  private func count(_ schema: Schema, _ keyword: String) throws(GenerationError) -> Int? {
    guard let number = try number(schema, keyword) else { return nil }
    guard let count = number.integer(Int.self), count >= 0 else {
      throw GenerationError(
        .schemaKeyword, ["keyword": keyword, "wanted": "integer from 0"],
        at: library.place(schema[keyword] ?? schema.node, of: schema))
    }
    return count
  }

  private func scalarChecks(_ index: Int, _ schema: Schema) throws(GenerationError) -> [ModelCheck] {
    var checks: [ModelCheck] = []
    // In draft 4 these were marks of the other two.
    let isAbove = schema["exclusiveMinimum"]?.bool == true
    let isBelow = schema["exclusiveMaximum"]?.bool == true
    if let bound = try number(schema, "minimum") { checks.append(.minimum(bound, isExclusive: isAbove)) }
    if let bound = try number(schema, "exclusiveMinimum") { checks.append(.minimum(bound, isExclusive: true)) }
    if let bound = try number(schema, "maximum") { checks.append(.maximum(bound, isExclusive: isBelow)) }
    if let bound = try number(schema, "exclusiveMaximum") { checks.append(.maximum(bound, isExclusive: true)) }
    if let divisor = try number(schema, "multipleOf") { checks.append(.multiple(divisor)) }
    let (least, most) = (try count(schema, "minLength"), try count(schema, "maxLength"))
    if least != nil || most != nil { checks.append(.length(least: least, most: most)) }
    if let pattern = schema["pattern"] {
      try checkPattern(pattern.string, pattern, schema)
      if let text = pattern.string { checks.append(.pattern(text)) }
    }
    if options.checksFormats, let format = schema["format"]?.string, SwiftModelFormats.known.contains(format) {
      checks.append(.format(format))
    }
    return checks
  }

  private func checkPattern(_ pattern: String?, _ node: JSONNode, _ schema: Schema) throws(GenerationError) {
    guard let pattern, PatternTranslation.swift(pattern) != nil else {
      throw GenerationError(.schemaPattern, ["pattern": pattern ?? ""], at: library.place(node, of: schema))
    }
  }

  private func arrayChecks(_ index: Int, _ schema: Schema) throws(GenerationError) -> [ModelCheck] {
    var checks: [ModelCheck] = []
    let (least, most) = (try count(schema, "minItems"), try count(schema, "maxItems"))
    if least != nil || most != nil { checks.append(.count(least: least, most: most)) }
    if schema["uniqueItems"]?.bool == true { checks.append(.unique) }
    let schemas = elementSchemas(index)
    if !schemas.first.isEmpty || schemas.rest != nil {
      var first: [[ModelCheck]] = []
      for child in schemas.first { first.append(try reference(child)) }
      checks.append(.elements(first: first, rest: schemas.rest == nil ? nil : try references(schemas.rest)))
    }
    if schema["contains"] != nil, let child = library.child(index, "contains") {
      let least = schema.isDraft7 ? nil : try count(schema, "minContains")
      let most = schema.isDraft7 ? nil : try count(schema, "maxContains")
      checks.append(.contains(try reference(child), least: least ?? 1, most: most))
    }
    return checks
  }

  private func objectChecks(_ index: Int, _ schema: Schema) throws(GenerationError) -> [ModelCheck] {
    var checks: [ModelCheck] = []
    let (least, most) = (try count(schema, "minProperties"), try count(schema, "maxProperties"))
    if least != nil || most != nil { checks.append(.memberCount(least: least, most: most)) }
    let required = try strings(index, "required")
    if !required.isEmpty { checks.append(.required(required)) }
    for way in ModelDirection.allCases {
      let names = try strings(index, way.keyword)
      if !names.isEmpty { checks.append(.requiredIn(way, names)) }
    }
    if let members = try members(index, schema) { checks.append(.members(members)) }
    if schema["propertyNames"] != nil, let child = library.child(index, "propertyNames") {
      checks.append(.memberNames(try reference(child)))
    }
    for keyword in ["dependentRequired", "dependencies"] {
      for member in schema[keyword]?.members ?? [] {
        guard let names = member.value.elements else { continue }
        checks.append(.dependent(on: member.name, [.required(names.compactMap(\.string))]))
      }
    }
    for keyword in ["dependentSchemas", "dependencies"] {
      for (name, child) in named(index, keyword) { checks.append(.dependent(on: name, try reference(child))) }
    }
    return checks
  }

  private func members(_ index: Int, _ schema: Schema) throws(GenerationError) -> ModelMembers? {
    var members = ModelMembers()
    for (name, child) in named(index, "properties") {
      members.named.append(ModelMembers.Named(name, try reference(child)))
    }
    for (name, child) in named(index, "patternProperties") {
      try checkPattern(name, schema["patternProperties"] ?? schema.node, schema)
      members.patterns.append(ModelMembers.Named(name, try reference(child)))
    }
    if schema["additionalProperties"] != nil, let child = library.child(index, "additionalProperties") {
      members.rest = try reference(child)
    }
    if members == ModelMembers() { return nil }
    let saysNothing = members.named.allSatisfy(\.checks.isEmpty) && members.patterns.allSatisfy(\.checks.isEmpty)
    if saysNothing, members.rest?.isEmpty != false, !tracksEvaluation { return nil }
    return members
  }
}
