import MPaaSSupport

@testable import MPaaSProject

/// The rules that every `ModelSet` keeps, whatever it was made of, so that its code compiles.
struct ModelShape {
  let set: ModelSet

  init(_ set: ModelSet) { self.set = set }

  /// The rules that are broken, in words.
  var problems: [String] {
    var problems: [String] = []
    let names = set.declarations.map(\.name)
    let known = Set(names)
    if known.count < names.count { problems.append("a name stands twice among \(names)") }
    for name in names where !Self.isIdentifier(name) || SwiftSpelling.reservedTypes.contains(name) {
      problems.append("no type can be called \(name)")
    }
    for declaration in set.declarations {
      for case .named(let name) in Self.mentioned(declaration.kind).map(\.innermost) where !known.contains(name) {
        problems.append("\(declaration.name) mentions \(name)")
      }
      problems += Self.members(of: declaration.kind).map { "\(declaration.name): \($0)" }
    }
    problems += unmarkedCycles
    let functions = Set(set.functions.map(\.name))
    let checks = set.declarations.flatMap(\.checks) + set.functions.flatMap(\.checks)
    for check in checks.flatMap(Self.all) {
      if case .declaration(let name) = check, !known.contains(name) { problems.append("checks mention \(name)") }
      if case .function(let name) = check, !functions.contains(name) { problems.append("checks call \(name)") }
    }
    return problems
  }

  private static func members(of kind: ModelDeclaration.Kind) -> [String] {
    let names: [String] =
      switch kind {
      case .object(let object): object.properties.map(\.name)
      case .tuple(let tuple): tuple.items.map(\.name)
      case .enumeration(let constants): constants.map(\.name)
      case .union(let cases): cases.map(\.name)
      case .value: []
      }
    var problems = Set(names).count < names.count ? ["a member stands twice among \(names)"] : []
    let spelled = names.map(SwiftSpelling.member)
    if Set(spelled).count < names.count { problems.append("two members are written the same among \(spelled)") }
    problems += names.filter { !isIdentifier($0) }.map { "no member can be called \($0)" }
    if case .object(let object) = kind {
      let json = object.properties.map(\.jsonName)
      if Set(json).count < json.count { problems.append("two properties have one name in JSON among \(json)") }
    }
    return problems
  }

  /// A structure that holds itself without a mark has no size.
  private var unmarkedCycles: [String] {
    var held: [String: [String]] = [:]
    for declaration in set.declarations {
      let types: [ModelType] =
        switch declaration.kind {
        case .object(let object): object.properties.filter { !$0.isIndirect }.map(\.type)
        case .tuple(let tuple): tuple.items.filter { !$0.isIndirect }.map(\.type)
        case .value(let type): [type]
        case .union, .enumeration: []
        }
      held[declaration.name] = types.compactMap { if case .named(let name) = $0.bare { name } else { nil } }
    }
    return set.declarations.map(\.name).filter { name in
      var seen: Set<String> = []
      var pending = held[name] ?? []
      while let next = pending.popLast() {
        if seen.insert(next).inserted { pending += held[next] ?? [] }
      }
      return seen.contains(name)
    }.map { "\($0) holds itself" }
  }

  private static func isIdentifier(_ name: String) -> Bool {
    guard let first = name.unicodeScalars.first else { return false }
    return (first.properties.isXIDStart || first == "_")
      && name.unicodeScalars.allSatisfy { $0.properties.isXIDContinue }
  }

  private static func mentioned(_ kind: ModelDeclaration.Kind) -> [ModelType] {
    switch kind {
    case .object(let object): object.properties.map(\.type) + (object.rest.map { [$0] } ?? [])
    case .tuple(let tuple): tuple.items.map(\.type) + (tuple.rest.map { [$0] } ?? [])
    case .enumeration: []
    case .union(let cases): cases.map(\.type)
    case .value(let type): [type]
    }
  }

  private static func all(_ check: ModelCheck) -> [ModelCheck] {
    var result = [check]
    func add(_ lists: [[ModelCheck]]) { result += lists.joined().flatMap(all) }
    switch check {
    case .elements(let first, let rest): add(first + (rest.map { [$0] } ?? []))
    case .contains(let checks, _, _), .unevaluatedElements(let checks), .memberNames(let checks),
      .dependent(_, let checks), .unevaluatedMembers(let checks), .not(let checks), .scope(let checks):
      add([checks])
    case .members(let members):
      add((members.named + members.patterns).map(\.checks) + (members.rest.map { [$0] } ?? []))
    case .any(let branches), .exactlyOne(let branches): add(branches)
    case .conditional(let condition, let then, let otherwise): add([condition, then, otherwise])
    default: break
    }
    return result
  }
}

extension ModelType {
  /// The type inside arrays, maps and null.
  fileprivate var innermost: ModelType {
    switch self {
    case .array(let type), .map(let type), .nullable(let type): type.innermost
    default: self
    }
  }
}
