extension ModelSet {
  /// The set with one type for all that are equal but for their names and their documentation.
  ///
  /// The type is called by the words that all the names end with, else by those that all begin with, else by the first
  /// of the names; the first declaration, which is the document's, keeps its own.
  ///
  /// - Parameter taken: Names that no type may have.
  package func mergingEqualTypes(taken: Set<String>) -> ModelSet {
    var set = self
    // A merge can make the types equal that mention what was merged.
    while let names = set.equalNames(taken: taken) { set = set.renamed(names) }
    return set
  }

  /// The new names of all types that are equal to another; nil where none is.
  private func equalNames(taken: Set<String>) -> [String: String]? {
    var groups: [Form: [String]] = [:]
    for declaration in declarations { groups[Form(declaration), default: []].append(declaration.name) }
    var taken = taken.union(declarations.map(\.name))
    var names: [String: String] = [:]
    for declaration in declarations {
      guard let group = groups[Form(declaration)], group.count > 1, group[0] == declaration.name else { continue }
      taken.subtract(group)
      let isRoot = declaration.name == declarations.first?.name
      let name = isRoot ? group[0] : ModelName.unique(Self.commonName(group), among: taken)
      taken.insert(name)
      for old in group { names[old] = name }
    }
    return names.isEmpty ? nil : names
  }

  /// The name for all of some types: `BillingAddress` and `ShippingAddress` are an `Address`.
  private static func commonName(_ names: [String]) -> String {
    let words = names.map { name in
      // A number behind it is there only to tell it from another.
      ModelName.words(String(name.reversed().drop(while: \.isNumber).reversed()))
    }
    guard let first = words.first else { return "" }
    func shared(_ lists: [[String]]) -> Int {
      let first = lists[0].map { $0.lowercased() }
      var count = 0
      while lists.allSatisfy({ $0.count > count && $0[count].lowercased() == first[count] }) { count += 1 }
      return count
    }
    let (ends, starts) = (shared(words.map { $0.reversed() }), shared(words))
    if ends > 0 { return ModelName.type(first.suffix(ends).joined(separator: " ")) }
    if starts > 0 { return ModelName.type(first.prefix(starts).joined(separator: " ")) }
    return names[0]
  }

  /// The set with other names for types; of those that get the same name the first stays.
  private func renamed(_ names: [String: String]) -> ModelSet {
    var seen: Set<String> = []
    var result: [ModelDeclaration] = []
    for var declaration in declarations {
      declaration.name = names[declaration.name] ?? declaration.name
      guard seen.insert(declaration.name).inserted else { continue }
      declaration.kind = declaration.kind.renamed(names)
      declaration.checks = declaration.checks.map { $0.renamed(names) }
      result.append(declaration)
    }
    return ModelSet(
      result, functions: functions.map { ModelFunction($0.name, $0.checks.map { $0.renamed(names) }) })
  }

  /// The basis on which two types are equal.
  private struct Form: Hashable {
    let declaration: ModelDeclaration

    init(_ declaration: ModelDeclaration) {
      var declaration = declaration
      declaration.name = ""
      declaration.documentation = []
      self.declaration = declaration
    }

    /// Equal forms have equal members; comparing does the rest.
    func hash(into hasher: inout Hasher) {
      switch declaration.kind {
      case .object(let object): for property in object.properties { hasher.combine(property.jsonName) }
      case .tuple(let tuple): hasher.combine(tuple.items.count)
      case .enumeration(let constants): for constant in constants { hasher.combine(constant.name) }
      case .union(let cases): for item in cases { hasher.combine(item.name) }
      case .value(let type): hasher.combine(type)
      }
    }
  }
}

extension ModelDeclaration.Kind {
  fileprivate func renamed(_ names: [String: String]) -> Self {
    func renamed(_ properties: [ModelProperty]) -> [ModelProperty] {
      properties.map { property in
        var property = property
        property.type = property.type.renamed(names)
        return property
      }
    }
    switch self {
    case .object(let object):
      return .object(ModelObject(renamed(object.properties), rest: object.rest?.renamed(names)))
    case .tuple(let tuple): return .tuple(ModelTuple(renamed(tuple.items), rest: tuple.rest?.renamed(names)))
    case .enumeration: return self
    case .union(let cases):
      return .union(
        cases.map { item in
          var item = item
          item.type = item.type.renamed(names)
          item.checks = item.checks.map { $0.renamed(names) }
          return item
        })
    case .value(let type): return .value(type.renamed(names))
    }
  }
}

extension ModelType {
  /// The type with other names for declarations.
  func renamed(_ names: [String: String]) -> ModelType {
    switch self {
    case .named(let name): .named(names[name] ?? name)
    case .nullable(let type): .nullable(type.renamed(names))
    case .array(let type): .array(type.renamed(names))
    case .map(let type): .map(type.renamed(names))
    default: self
    }
  }
}

extension ModelCheck {
  /// The check with other names for declarations.
  fileprivate func renamed(_ names: [String: String]) -> ModelCheck {
    func each(_ checks: [ModelCheck]) -> [ModelCheck] { checks.map { $0.renamed(names) } }
    return switch self {
    case .declaration(let name): .declaration(names[name] ?? name)
    case .elements(let first, let rest): .elements(first: first.map(each), rest: rest.map(each))
    case .contains(let checks, let least, let most): .contains(each(checks), least: least, most: most)
    case .unevaluatedElements(let checks): .unevaluatedElements(each(checks))
    case .members(let members): .members(members.renamed(each))
    case .memberNames(let checks): .memberNames(each(checks))
    case .dependent(let name, let checks): .dependent(on: name, each(checks))
    case .unevaluatedMembers(let checks): .unevaluatedMembers(each(checks))
    case .any(let branches): .any(branches.map(each))
    case .exactlyOne(let branches): .exactlyOne(branches.map(each))
    case .not(let checks): .not(each(checks))
    case .conditional(let condition, let then, let otherwise):
      .conditional(each(condition), then: each(then), otherwise: each(otherwise))
    case .scope(let checks): .scope(each(checks))
    default: self
    }
  }
}

extension ModelMembers {
  fileprivate func renamed(_ each: ([ModelCheck]) -> [ModelCheck]) -> ModelMembers {
    func members(_ list: [Named]) -> [Named] { list.map { Named($0.name, each($0.checks)) } }
    return ModelMembers(named: members(named), patterns: members(patterns), rest: rest.map(each))
  }
}
