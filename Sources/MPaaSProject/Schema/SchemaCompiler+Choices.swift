import MPaaSJSON
import MPaaSSupport

extension SchemaCompiler {
  /// The type of a value that is one of several; nil where the branches say nothing of its form.
  mutating func choiceType(
    _ choice: [Int], _ form: Form, _ key: [Part], hint: String
  ) throws(GenerationError) -> ModelType? {
    var isFormed = false
    for branch in choice where try says(branch, form) { isFormed = true }
    guard isFormed else { return nil }
    var isNullable = false
    var found: [(type: ModelType, kinds: Set<ModelKind>, branch: Int)] = []
    // A name is taken only where there is something to declare: of a type and null it is that type.
    let prefix = (unfinished[key] ?? nil) ?? ModelName.type(hint)
    for (index, branch) in choice.enumerated() {
      var parts = form.own.filter { $0.schema != branch }
      parts.append(Part(schema: branch))
      let kinds = try self.form(of: parts).allKinds(self)
      if kinds.isEmpty { continue }
      if kinds == [.null] {
        isNullable = true
        continue
      }
      let type = try type(of: parts, hint: choice.count > 1 ? branchName(branch, index, prefix, of: choice) : hint)
      found.append((type, kinds, branch))
    }
    if let first = found.first, found.allSatisfy({ $0.type == first.type }) {
      return isNullable && !first.type.isNullable ? .nullable(first.type) : first.type
    }
    guard !found.isEmpty else { return isNullable ? .null : .any }
    let name = name(key, hint)
    let cases = try cases(found, isNullable, in: name)
    declare(name, .union(cases), key)
    return .named(name)
  }

  /// The title of a branch, or its number; what is a type beside null has the name of the place.
  private func branchName(_ branch: Int, _ index: Int, _ name: String, of choice: [Int]) -> String {
    if let title = library.schemas[branch]["title"]?.string, 1...3 ~= ModelName.words(title).count {
      return options.namesOwners ? "\(name) \(title)" : title
    }
    let isNull = choice.map { library.schemas[$0]["type"]?.string == "null" }
    if choice.count == 2, isNull.contains(true) { return name }
    return name + "Option\(index + 1)"
  }

  private func cases(
    _ found: [(type: ModelType, kinds: Set<ModelKind>, branch: Int)], _ isNullable: Bool, in owner: String
  ) throws(GenerationError) -> [ModelCase] {
    var cases: [ModelCase] = []
    var names: Set<String> = []
    for item in found {
      if let same = cases.firstIndex(where: { $0.type == item.type }) {
        cases[same].kinds.formUnion(item.kinds)
        // Either branch makes this case.
        let others = cases[same].checks
        cases[same].checks = [.any([others, try wholeReference(item.branch) + discriminator(item.branch)])]
        continue
      }
      let name = SwiftSpelling.unique(Self.caseName(item.type, in: owner), among: &names)
      let checks = try wholeReference(item.branch) + discriminator(item.branch)
      cases.append(ModelCase(name, item.type, kinds: item.kinds, checks: checks))
    }
    if isNullable { cases.append(ModelCase(ModelName.unique("null", among: names), .null, kinds: [.null])) }
    return cases
  }

  /// Makes a reference to a whole schema; what tells a branch from the others is filled in when all types are known.
  private func wholeReference(_ schema: Int) throws(GenerationError) -> [ModelCheck] {
    [.function("#\(schema)")]
  }

  private static func caseName(_ type: ModelType, in owner: String) -> String {
    switch type {
    case .any, .null: "otherValue"
    case .boolean: "boolean"
    case .integer: "integer"
    case .number: "number"
    case .string(.dateTime): "dateTime"
    case .string(.date): "date"
    case .string: "string"
    case .array: "array"
    case .map: "map"
    case .nullable(let type): caseName(type, in: owner)
    case .named(let name):
      ModelName.property(name.hasPrefix(owner) && name.count > owner.count ? String(name.dropFirst(owner.count)) : name)
    }
  }

  /// Tells whether a branch says more of the form than is known.
  private func says(_ branch: Int, _ outer: Form) throws(GenerationError) -> Bool {
    let form = try form(of: [Part(schema: branch)])
    if form.isNever { return false }
    if form.constants != nil || !form.kinds.isSuperset(of: outer.kinds) { return true }
    for choice in form.choices {
      for inner in choice where try says(inner, outer) { return true }
    }
    let words = [
      "properties", "items", "prefixItems", "patternProperties", "additionalProperties",
    ]
    return form.own.contains { part in
      words.contains { library.schemas[part.schema][$0]?.bool == nil && library.schemas[part.schema][$0] != nil }
    }
  }
}

extension SchemaCompiler.Form {
  /// The kinds that are left when the choices are looked into as well.
  func allKinds(_ compiler: SchemaCompiler) throws(GenerationError) -> Set<ModelKind> {
    if isNever { return [] }
    var result = kinds
    for choice in choices {
      var any: Set<ModelKind> = []
      for branch in choice {
        any.formUnion(try compiler.form(of: [.init(schema: branch)]).allKinds(compiler))
      }
      result.formIntersection(any)
    }
    return result
  }
}

// MARK: Enumerations

extension SchemaCompiler {
  /// An enumeration of the constants that are not null; nil where it would tell nothing.
  mutating func enumeration(_ constants: [JSONValue], _ key: [Part], hint: String) -> ModelType? {
    var values: [JSONValue] = []
    for value in constants where value != .null && !values.contains(value) { values.append(value) }
    let kinds = Set(values.map(\.modelKind))
    if values.isEmpty { return nil }
    if kinds == [.boolean] { return .boolean }
    if values.count == 1, !kinds.isSubset(of: [.string, .integer]) { return nil }
    guard kinds.isSubset(of: [.string, .integer, .boolean, .number, .array, .object]), !values.contains(where: \.isHuge)
    else { return nil }
    let name = name(key, hint)
    var names: Set<String> = []
    let list = values.map { value in
      let name = SwiftSpelling.unique(constantName(value), among: &names)
      return ModelConstant(name, value)
    }
    // Texts that differ only in how accents are composed are one to Swift.
    let texts = values.compactMap(\.string)
    guard Set(texts).count == texts.count else { return .string(.plain) }
    declare(name, .enumeration(list), key)
    return .named(name)
  }

  private func constantName(_ value: JSONValue) -> String {
    switch value {
    case .string(let text): options.names[text] ?? ModelName.property(text)
    case .bool(let value): value ? "yes" : "no"
    case .unsigned(let value): "value\(value)"
    case .negative(let value): "minus\(value.magnitude)"
    case .number(let value): "value" + String(value).map { $0.isNumber ? String($0) : "_" }.joined()
    case .array: "array"
    case .object: "object"
    case .null: "null"
    }
  }
}

extension JSONValue {
  /// Tells whether it is a whole number that no `Int` can be.
  fileprivate var isHuge: Bool {
    modelKind == .integer && integer(Int.self) == nil
  }
}
