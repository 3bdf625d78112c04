import MPaaSDAO
import MPaaSSupport

/// The types of arguments as their uses tell them: columns that they are compared with or become, values that conditions
/// compare them with, lists that are repeated.
///
/// The type is `DAOValue` where uses differ, or tell nothing.
struct ArgumentInference {
  private enum Evidence: Hashable {
    case integer, real, text, bytes, truth, list
    /// Its members are used, or it may be of several kinds.
    case open
  }

  private var evidence: [Int: Set<Evidence>] = [:]
  /// The slots of items, by the slot of the list that they are of.
  private var items: [Int: [Int]] = [:]
  private let types: [String: Set<String>]

  init(_ method: DAOProgram.Method, _ types: [String: Set<String>]) {
    self.types = types
    if let loop = method.method.loop, let item = method.itemSlot {
      note(.list, loop.collection)
      items[loop.collection, default: []].append(item)
    }
    for unit in method.units { read(SQLOutline(unit.nodes)) }
  }

  /// The type of a slot, without a say on nil.
  func type(of slot: Int) -> SwiftValueType {
    var kinds = evidence[slot] ?? []
    let isTruth = kinds.remove(.truth) != nil
    if kinds == [.integer, .real] { kinds = [.real] }
    guard kinds.count <= 1, let kind = kinds.first else { return isTruth && kinds.isEmpty ? .bool : .value }
    switch kind {
    case .integer: return .integer("Int64")
    case .real: return .double
    case .text: return .string
    case .bytes: return .bytes
    case .truth: return .bool
    case .open: return .value
    case .list:
      let elements = Set((items[slot] ?? []).map { type(of: $0) })
      guard elements.count == 1, let element = elements.first, element != .bool else { return .list(.value) }
      return .list(element.optional)
    }
  }

  private mutating func note(_ kind: Evidence, _ slot: Int) { evidence[slot, default: []].insert(kind) }

  private mutating func read(_ outline: SQLOutline) {
    for loop in outline.loops {
      guard case .slot(let slot) = loop.collection.root else { continue }
      guard loop.collection.properties.isEmpty else {
        note(.open, slot)
        continue
      }
      note(.list, slot)
      items[slot, default: []].append(loop.itemSlot)
    }
    for condition in outline.conditions { read(condition) }
    for (place, token) in outline.tokens.enumerated() {
      guard case .reference(let number, let isInLiteral) = token else { continue }
      let reference = outline.references[number]
      guard case .slot(let slot) = reference.path.root else { continue }
      guard reference.path.properties.isEmpty else {
        note(.open, slot)
        continue
      }
      if isInLiteral || reference.rule.isRaw {
        note(.text, slot)
      } else {
        SQLContext(outline.tokens, place).column.map { note($0, slot) }
        if SQLContext(outline.tokens, place).isCount { note(.integer, slot) }
        if SQLContext(outline.tokens, place).isPattern { note(.text, slot) }
      }
    }
  }

  /// Notes the type that a column is declared with, by SQLite's rules (Datatypes In SQLite, section 3.1).
  private mutating func note(_ column: String, _ slot: Int) {
    guard let declared = types[column] else { return }
    for type in declared {
      let has: (String) -> Bool = { type.has($0) }
      let kind: Evidence =
        if has("int") { .integer } else if has("char") || has("clob") || has("text") { .text } else if has("blob") {
          .bytes
        } else if has("real") || has("floa") || has("doub") { .real } else { .open }
      note(kind, slot)
    }
  }

  // MARK: Conditions

  private mutating func read(_ expression: DAOExpression) {
    switch expression {
    case .literal: break
    case .path(let path): note(.truth, path)
    case .not(let operand): read(operand)
    case .negative(let operand), .positive(let operand): note(.integer, operand)
    case .binary(let sign, let left, let right):
      switch sign {
      case .or, .and, .xor:
        read(left)
        read(right)
      case .plus, .minus, .times, .divided, .whole, .remainder:
        note(.integer, left)
        note(.integer, right)
      default:
        compare(left, right)
        compare(right, left)
      }
    }
  }

  private mutating func compare(_ side: DAOExpression, _ other: DAOExpression) {
    guard case .path(let path) = side else { return read(side) }
    switch other {
    case .literal(.integer): note(.integer, path)
    case .literal(.real): note(.real, path)
    case .literal(.text): note(.text, path)
    case .literal(.bool): note(.truth, path)
    case .literal: note(nil, path)
    case .binary(.plus, _, _), .binary(.minus, _, _), .binary(.times, _, _), .binary(.whole, _, _),
      .binary(.remainder, _, _):
      note(.integer, path)
    default: note(nil, path)
    }
  }

  private mutating func note(_ kind: Evidence, _ expression: DAOExpression) {
    if case .path(let path) = expression { note(kind, path) } else { read(expression) }
  }

  private mutating func note(_ kind: Evidence?, _ path: DAOPath) {
    guard case .slot(let slot) = path.root else { return }
    // The number of a list's elements tells nothing that is not known; other members are those of an object.
    if path.properties == ["count"] { return }
    if !path.properties.isEmpty { return note(.open, slot) }
    if let kind { note(kind, slot) }
  }
}

/// The words around a reference in SQL.
private struct SQLContext {
  private let tokens: [SQLOutline.Token]
  private let place: Int

  init(_ tokens: [SQLOutline.Token], _ place: Int) {
    self.tokens = tokens
    self.place = place
  }

  private static let comparisons: Set = ["=", "==", "<>", "!=", "<", ">", "<=", ">="]

  private func token(_ offset: Int) -> SQLOutline.Token? {
    tokens.indices.contains(place + offset) ? tokens[place + offset] : nil
  }

  private func word(_ offset: Int) -> String? { if case .word(let text)? = token(offset) { text } else { nil } }
  private func sign(_ offset: Int) -> String? { if case .sign(let text)? = token(offset) { text } else { nil } }

  /// True behind `limit` and `offset`.
  var isCount: Bool { ["limit", "offset"].contains(word(-1)) }

  /// True behind `like` and `glob`.
  var isPattern: Bool { ["like", "glob", "match"].contains(word(-1)) }

  /// The column that the reference is compared with or becomes; nil where nothing tells it.
  var column: String? {
    if let sign = sign(-1), Self.comparisons.contains(sign) { return isAlone ? word(-2) : nil }
    if word(-1) == "is" { return word(-2) }
    if word(-1) == "not", word(-2) == "is" { return word(-3) }
    if word(-1) == "between" { return word(-2) }
    if word(-1) == "and", case .reference? = token(-2), word(-3) == "between" { return word(-4) }
    return listColumn ?? valueColumn
  }

  /// True where nothing is calculated with the reference.
  private var isAlone: Bool {
    guard let next = sign(1) else { return true }
    return !["+", "-", "*", "/", "%", "||", "."].contains(next)
  }

  /// The column in front of `in (`.
  private var listColumn: String? {
    var offset = -1
    while true {
      switch token(offset) {
      case .sign(",")?, .reference?, .literal?: offset -= 1
      case .sign("(")?:
        guard word(offset - 1) == "in" else { return nil }
        return word(offset - 2) == "not" ? word(offset - 3) : word(offset - 2)
      default: return nil
      }
    }
  }

  /// The column whose place among the names of an insert the reference has among its values.
  private var valueColumn: String? {
    var offset = -1
    var depth = 0
    var commas = 0
    guard isAlone, sign(-1) == "(" || sign(-1) == "," else { return nil }
    while depth < 1 {
      switch token(offset) {
      case .sign(")")?: depth -= 1
      case .sign("(")?: depth += 1
      case .sign(",")? where depth == 0: commas += 1
      case nil: return nil
      default: break
      }
      offset -= 1
    }
    // The rows of values before this one.
    while sign(offset) == ",", sign(offset - 1) == ")" {
      offset -= 2
      while let token = token(offset), token != .sign("(") { offset -= 1 }
      offset -= 1
    }
    guard word(offset) == "values", sign(offset - 1) == ")" else { return nil }
    offset -= 2
    var names: [String] = []
    while let token = token(offset), token != .sign("(") {
      if case .word(let name) = token { names.append(name) }
      offset -= 1
    }
    return names.count > commas ? Array(names.reversed())[commas] : nil
  }
}
