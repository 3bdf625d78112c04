import Foundation
import MPaaSSupport

@testable import MPaaSProject

/// The meaning of a `ModelSet` without generated code: values that its types take, and values that its checks let pass.
struct ModelJudge {
  let set: ModelSet
  private let declarations: [String: ModelDeclaration]
  private let functions: [String: [ModelCheck]]

  /// The members and elements that a check has looked at, for `unevaluated…`.
  private struct Seen {
    var names: Set<String> = []
    var indexes: Set<Int> = []

    mutating func formUnion(_ other: Seen) {
      names.formUnion(other.names)
      indexes.formUnion(other.indexes)
    }
  }

  init(_ set: ModelSet) {
    self.set = set
    declarations = Dictionary(uniqueKeysWithValues: set.declarations.map { ($0.name, $0) })
    functions = Dictionary(uniqueKeysWithValues: set.functions.map { ($0.name, $0.checks) })
  }

  /// Tells whether all checks of a declaration hold.
  func allows(_ json: JSONValue, as name: String) -> Bool {
    var seen = Seen()
    return holds(.declaration(name), json, &seen)
  }

  // MARK: Checks

  private func hold(_ checks: [ModelCheck], _ json: JSONValue, _ seen: inout Seen) -> Bool {
    var isGood = true
    for check in checks where !holds(check, json, &seen) { isGood = false }
    return isGood
  }

  private func hold(_ checks: [ModelCheck], _ json: JSONValue) -> Bool {
    var seen = Seen()
    return hold(checks, json, &seen)
  }

  private func holds(_ check: ModelCheck, _ json: JSONValue, _ seen: inout Seen) -> Bool {
    switch check {
    case .never: return false
    case .kinds(let kinds): return kinds.contains(json.modelKind) || (kinds.contains(.number) && json.double != nil)
    case .constants(let values): return values.contains { Self.isSame($0, json) }
    case .declaration(let name): return hold(declarations[name]?.checks ?? [.never], json, &seen)
    case .function(let name): return hold(functions[name] ?? [.never], json, &seen)
    case .any(let branches): return passing(branches, json, &seen) > 0
    case .exactlyOne(let branches): return passing(branches, json, &seen) == 1
    case .not(let checks): return !hold(checks, json)
    case .conditional(let condition, let then, let otherwise):
      return hold(passing([condition], json, &seen) == 1 ? then : otherwise, json, &seen)
    case .scope(let checks):
      var inner = Seen()
      let isGood = hold(checks, json, &inner)
      seen.formUnion(inner)
      return isGood
    default:
      switch json {
      case .string(let text): return holds(check, text)
      case .array(let values): return holds(check, values, &seen)
      case .object(let members): return holds(check, members, json, &seen)
      default: return json.double.map { holds(check, $0) } ?? true
      }
    }
  }

  /// The number of branches that hold; only those count as having looked at anything.
  private func passing(_ branches: [[ModelCheck]], _ json: JSONValue, _ seen: inout Seen) -> Int {
    branches.count { branch in
      var inner = Seen()
      guard hold(branch, json, &inner) else { return false }
      seen.formUnion(inner)
      return true
    }
  }

  private func holds(_ check: ModelCheck, _ number: Double) -> Bool {
    switch check {
    case .minimum(let bound, let isExclusive):
      return bound.double.map { isExclusive ? number > $0 : number >= $0 } ?? true
    case .maximum(let bound, let isExclusive):
      return bound.double.map { isExclusive ? number < $0 : number <= $0 } ?? true
    case .multiple(let divisor):
      let quotient = number / (divisor.double ?? 1)
      return (quotient - quotient.rounded()).magnitude <= 1e-9 * max(1, quotient.magnitude)
    default: return true
    }
  }

  private func holds(_ check: ModelCheck, _ text: String) -> Bool {
    switch check {
    case .length(let least, let most):
      return Self.isWithin(text.unicodeScalars.count, least, most)
    case .pattern(let pattern): return Self.isFound(pattern, in: text)
    default: return true
    }
  }

  private func holds(_ check: ModelCheck, _ values: [JSONValue], _ seen: inout Seen) -> Bool {
    switch check {
    case .count(let least, let most): return Self.isWithin(values.count, least, most)
    case .unique: return values.indices.allSatisfy { i in !values[..<i].contains { Self.isSame($0, values[i]) } }
    case .elements(let first, let rest):
      return values.indices.allSatisfy { index in
        guard let checks = index < first.count ? first[index] : rest else { return true }
        seen.indexes.insert(index)
        return hold(checks, values[index])
      }
    case .contains(let checks, let least, let most):
      let found = values.indices.filter { hold(checks, values[$0]) }
      seen.indexes.formUnion(found)
      return Self.isWithin(found.count, least, most)
    case .unevaluatedElements(let checks):
      let others = values.indices.filter { !seen.indexes.contains($0) }
      seen.indexes.formUnion(others)
      return others.allSatisfy { hold(checks, values[$0]) }
    default: return true
    }
  }

  private func holds(
    _ check: ModelCheck, _ members: JSONValue.Object, _ json: JSONValue, _ seen: inout Seen
  ) -> Bool {
    switch check {
    case .memberCount(let least, let most): return Self.isWithin(members.count, least, most)
    case .required(let names): return names.allSatisfy { members[$0] != nil }
    case .members(let known): return holds(known, members, &seen)
    case .memberNames(let checks): return members.keys.allSatisfy { hold(checks, .string($0)) }
    case .dependent(let name, let checks): return members[name] == nil || hold(checks, json, &seen)
    case .unevaluatedMembers(let checks):
      let others = members.filter { !seen.names.contains($0.key) }
      seen.names.formUnion(others.keys)
      return others.allSatisfy { hold(checks, $0.value) }
    default: return true
    }
  }

  private func holds(_ known: ModelMembers, _ members: JSONValue.Object, _ seen: inout Seen) -> Bool {
    var isGood = true
    for (name, value) in members {
      var lists = known.named.filter { $0.name == name }.map(\.checks)
      lists += known.patterns.filter { Self.isFound($0.name, in: name) }.map(\.checks)
      if lists.isEmpty, let rest = known.rest { lists = [rest] }
      if !lists.isEmpty { seen.names.insert(name) }
      if !lists.allSatisfy({ hold($0, value) }) { isGood = false }
    }
    return isGood
  }

  /// Bounds of schemas may leave nothing between them.
  private static func isWithin(_ count: Int, _ least: Int?, _ most: Int?) -> Bool {
    count >= least ?? 0 && count <= most ?? .max
  }

  static func isFound(_ pattern: String, in text: String) -> Bool {
    guard let swift = PatternTranslation.swift(pattern), let regex = try? Regex(swift) else { return false }
    return text.contains(
      regex.asciiOnlyDigits().asciiOnlyWordCharacters().wordBoundaryKind(.simple).matchingSemantics(.unicodeScalar))
  }

  /// Equality of JSON: `1` and `1.0` are one number.
  static func isSame(_ left: JSONValue, _ right: JSONValue) -> Bool {
    switch (left, right) {
    case (.array(let left), .array(let right)):
      return left.count == right.count && zip(left, right).allSatisfy { isSame($0, $1) }
    case (.object(let left), .object(let right)):
      return left.count == right.count
        && left.allSatisfy { name, value in right[name].map { isSame(value, $0) } ?? false }
    default: return left == right || (left.double != nil && left.double == right.double)
    }
  }
}

// MARK: - Types

extension ModelJudge {
  /// Tells whether a type can hold a value and give it back.
  func takes(_ json: JSONValue, as type: ModelType) -> Bool {
    switch type {
    case .any: true
    case .null: json == .null
    case .boolean: json.bool != nil
    case .integer(.int), .integer(.int64): json.integer(Int64.self) != nil
    case .integer(.int32): json.integer(Int32.self) != nil
    case .integer(.uint64): json.integer(UInt64.self) != nil
    case .number: json.double != nil
    case .string(.dateTime): json.string.map(SampleDate.isDateTime) ?? false
    case .string(.date): json.string.map(SampleDate.isDate) ?? false
    case .string: json.string != nil
    case .array(let element): json.array?.allSatisfy { takes($0, as: element) } ?? false
    case .map(let value): json.object?.allSatisfy { takes($0.value, as: value) } ?? false
    case .nullable(let inner): json == .null || takes(json, as: inner)
    case .named(let name): declarations[name].map { takes(json, as: $0) } ?? false
    }
  }

  private func takes(_ json: JSONValue, as declaration: ModelDeclaration) -> Bool {
    switch declaration.kind {
    case .value(let type): takes(json, as: type)
    case .enumeration(let constants): constants.contains { Self.isSame($0.value, json) }
    case .object(let object): json.object.map { takes($0, as: object) } ?? false
    case .tuple(let tuple): json.array.map { takes($0, as: tuple) } ?? false
    case .union(let cases): cases.contains { $0.kinds.contains(json.modelKind) && takes(json, as: $0.type) }
    }
  }

  private func takes(_ members: JSONValue.Object, as object: ModelObject) -> Bool {
    let hasAll = object.properties.allSatisfy { property in
      guard let value = members[property.jsonName] else { return !property.isRequired }
      return takes(value, as: property.type)
    }
    let known = Set(object.properties.map(\.jsonName))
    return hasAll
      && members.allSatisfy { name, value in
        known.contains(name) || (object.rest.map { takes(value, as: $0) } ?? false)
      }
  }

  private func takes(_ values: [JSONValue], as tuple: ModelTuple) -> Bool {
    let hasAll = tuple.items.indices.allSatisfy { index in
      index < values.count ? takes(values[index], as: tuple.items[index].type) : !tuple.items[index].isRequired
    }
    return hasAll
      && values.dropFirst(tuple.items.count).allSatisfy { value in tuple.rest.map { takes(value, as: $0) } ?? false }
  }
}
