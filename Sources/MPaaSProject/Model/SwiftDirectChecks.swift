import MPaaSSupport

/// Checks of what has been decoded as a type, without those that the type does by itself.
indirect enum SwiftDirectCheck: Equatable {
  /// None.
  case nothing
  /// Checks of a JSON value, which is quickly made of the value.
  case value([ModelCheck])
  /// Checks of what is there, if anything is.
  case unwrapped(SwiftDirectCheck)
  /// Checks of an array as a whole, and of each of its elements.
  case array([ModelCheck], SwiftDirectCheck)
  /// Checks of a map as a whole, and of each of its values.
  case map([ModelCheck], SwiftDirectCheck)

  var isNothing: Bool {
    switch self {
    case .nothing: true
    case .value(let list): list.isEmpty
    case .unwrapped(let inner): inner.isNothing
    case .array(let own, let inner), .map(let own, let inner): own.isEmpty && inner.isNothing
    }
  }

  /// Statements on a `report`.
  ///
  /// - Parameter value: What the value is called.
  func write(_ value: String, _ checks: SwiftCheckWriter, to text: inout SwiftText) {
    switch self {
    case .nothing: break
    case .value(let list):
      if let reference = checks.reference(list) {
        return text.line("report.check(\(value), \(reference))")
      }
      text.block("report.check(\(value))", parameters: "json, report in") { checks.statements(list, to: &$0) }
    case .unwrapped(let inner):
      text.block("if let value = \(value)") { inner.write("value", checks, to: &$0) }
    case .array(let own, let element):
      for check in own { Self.whole(check, value, to: &text) }
      guard !element.isNothing else { return }
      let name = Self.inner(value)
      text.block("for \(name) in \(value)") { element.write(name, checks, to: &$0) }
    case .map(let own, let inner):
      for check in own { Self.whole(check, value, to: &text) }
      guard !inner.isNothing else { return }
      let name = Self.inner(value)
      text.block("for \(name) in \(value).values") { inner.write(name, checks, to: &$0) }
    }
  }

  /// A name for what is inside a value, and not the value's own.
  private static func inner(_ value: String) -> String { value == "value" ? "element" : "value" }

  private static func whole(_ check: ModelCheck, _ value: String, to text: inout SwiftText) {
    switch check {
    case .count(let least, let most), .memberCount(let least, let most):
      let bounds = (least.map { ["least: \($0)"] } ?? []) + (most.map { ["most: \($0)"] } ?? [])
      text.list("report.size(", ["\(value).count"] + bounds, end: ")")
    default: text.line("report.distinct(\(value))")
    }
  }
}

extension SwiftDirectCoding {
  /// The checks left of a value that has been decoded as a type; nil where the value does not tell.
  func left(of checks: [ModelCheck], by type: ModelType) -> SwiftDirectCheck? {
    let rest = checks.filter { !isImplied($0, by: type) }
    guard !rest.isEmpty else { return .nothing }
    switch type {
    case .any, .boolean, .integer, .number, .string: return .value(rest)
    case .nullable, .array, .map: return expanded(rest).flatMap { inside($0.filter { !isImplied($0, by: type) }, type) }
    case .null, .named: return nil
    }
  }

  private func inside(_ checks: [ModelCheck], _ type: ModelType) -> SwiftDirectCheck? {
    switch type {
    case .nullable(let inner):
      guard checks.allSatisfy(takesNull) else { return nil }
      return left(of: checks.flatMap(withoutNull), by: inner).map { $0.isNothing ? .nothing : .unwrapped($0) }
    case .array(let element): return array(checks, of: element)
    case .map(let value): return map(checks, of: value)
    default: return nil
    }
  }

  private func array(_ checks: [ModelCheck], of element: ModelType) -> SwiftDirectCheck? {
    var (whole, each): ([ModelCheck], [ModelCheck]) = ([], [])
    for check in checks {
      switch check {
      case .count, .unique: whole.append(check)
      case .elements(first: [], let rest): each += rest ?? []
      default: return nil
      }
    }
    return left(of: each, by: element).map { .array(whole, $0) }
  }

  private func map(_ checks: [ModelCheck], of value: ModelType) -> SwiftDirectCheck? {
    var (whole, each): ([ModelCheck], [ModelCheck]) = ([], [])
    for check in checks {
      switch check {
      case .memberCount: whole.append(check)
      case .members(let members) where members.named.isEmpty && members.patterns.isEmpty: each += members.rest ?? []
      default: return nil
      }
    }
    return left(of: each, by: value).map { .map(whole, $0) }
  }

  private func takesNull(_ check: ModelCheck) -> Bool {
    switch check {
    case .kinds(let kinds): kinds.contains(.null)
    case .constants(let values): values.contains(.null)
    case .minimum, .maximum, .multiple, .length, .pattern, .format, .count, .unique, .elements, .memberCount,
      .members:
      true
    case .any(let branches): branches.contains { $0.allSatisfy(takesNull) }
    default: false
    }
  }

  /// The checks that say the same of what is not null: a choice between null and one more form is that form.
  private func withoutNull(_ check: ModelCheck) -> [ModelCheck] {
    guard case .any(let branches) = check else { return [check] }
    let others = branches.filter { $0 != [.kinds([.null])] }
    return others.count == 1 ? others[0] : [.any(others)]
  }
}

extension SwiftDirectCoding {
  /// The checks of an object's members that their types do not do, with the properties' names.
  struct Members {
    var checks: [(property: ModelProperty, check: SwiftDirectCheck)] = []
    var rest: [SwiftDirectCheck] = []

    var isEmpty: Bool { checks.isEmpty && rest.isEmpty }
  }

  /// The checks left of an object that has been decoded member by member; nil where its members do not tell.
  func left(of object: ModelObject, _ declaration: ModelDeclaration) -> Members? {
    guard let checks = expanded(declaration.checks), object.properties.allSatisfy({ isDecodable($0.type) }),
      object.rest.map(isDecodable) ?? checks.contains(where: isClosed)
    else { return nil }
    var result = Members()
    for check in checks {
      switch check {
      case .kinds(let kinds) where kinds.contains(.object): break
      case .required(let names):
        guard names.allSatisfy({ name in object.properties.contains { $0.jsonName == name && $0.isRequired } }) else {
          return nil
        }
      case .members(let members):
        guard add(members, of: object, to: &result) else { return nil }
      default: return nil
      }
    }
    return result
  }

  private func add(_ members: ModelMembers, of object: ModelObject, to result: inout Members) -> Bool {
    let names = Set(object.properties.map(\.jsonName))
    guard members.patterns.isEmpty, members.named.allSatisfy({ names.contains($0.name) }) else { return false }
    for property in object.properties {
      let named = members.named.first { $0.name == property.jsonName }
      guard let checks = named?.checks ?? members.rest else { continue }
      guard let left = left(of: checks, by: property.type) else { return false }
      if !left.isNothing { result.checks.append((property, hasValue(property) ? left : .unwrapped(left))) }
    }
    guard let rest = members.rest, !rest.isEmpty, let type = object.rest else { return true }
    guard let left = left(of: rest, by: type) else { return false }
    if !left.isNothing { result.rest.append(left) }
    return true
  }

  /// Tells whether the checks of a property are for all that it can be: what may be null has been unwrapped by its
  /// type.
  private func hasValue(_ property: ModelProperty) -> Bool {
    if case .nullable = property.type { true } else { property.isRequired }
  }

  /// The checks with those of other declarations and of functions in the place of their names.
  private func expanded(_ checks: [ModelCheck], depth: Int = 0) -> [ModelCheck]? {
    guard depth < 16 else { return nil }
    var result: [ModelCheck] = []
    for check in checks {
      guard let inner = referred(check) else {
        result.append(check)
        continue
      }
      guard let inner, let all = expanded(inner, depth: depth + 1) else { return nil }
      result += all
    }
    return result
  }
}
