import MPaaSSupport

/// Writes checks as statements on a `json` and a `report`.
struct SwiftCheckWriter {
  /// The regular expressions of the set, each once, in the order of their mention.
  private let patterns: [String]
  private let indexes: [String: Int]
  /// The beginning of the names of what several types share.
  let prefix: String

  /// The access to what several types share: for one file, or for all of a module.
  var access: String { prefix == "JSON" ? "private " : "" }

  /// - Parameters:
  ///   - others: Checks that belong to no type.
  ///   - prefix: Another beginning than `JSON` for names that several files know.
  init(_ set: ModelSet, others: [ModelCheck] = [], prefix: String = "JSON") {
    self.prefix = prefix
    var patterns: [String] = []
    let unions = set.declarations.flatMap { declaration -> [ModelCase] in
      if case .union(let cases) = declaration.kind { cases } else { [] }
    }
    let lists = set.declarations.map(\.checks) + unions.map(\.checks) + set.functions.map(\.checks)
    for check in lists.joined() { check.collectPatterns(&patterns) }
    for check in others { check.collectPatterns(&patterns) }
    var seen: Set<String> = []
    self.patterns = patterns.filter { seen.insert($0).inserted }
    indexes = Dictionary(self.patterns.enumerated().map { ($1, $0) }) { first, _ in first }
  }

  /// The declaration of the regular expressions, if there are any.
  func patternTable(to text: inout SwiftText) {
    guard !patterns.isEmpty else { return }
    text.blank()
    text.documentation(["Regular expressions, each made once."])
    text.block("\(access)enum \(prefix)Patterns") { text in
      for (index, pattern) in patterns.enumerated() {
        let swift = PatternTranslation.swift(pattern) ?? pattern
        let shown = swift == pattern ? [] : ["shown: " + SwiftSpelling.literal(pattern)]
        text.list(
          "static let pattern\(index + 1) = JSONPattern(", [SwiftSpelling.literal(swift)] + shown, end: ")")
      }
    }
  }

  private func pattern(_ pattern: String) -> String {
    "\(prefix)Patterns.pattern\((indexes[pattern] ?? 0) + 1)"
  }

  /// `static func name(_ json: JSONValue, _ report: inout JSONReport)` with all checks.
  func function(_ name: String, _ checks: [ModelCheck], access: String, to text: inout SwiftText) {
    let isUsed = !checks.isEmpty
    let head = "\(access)static func \(SwiftSpelling.identifier(name))"
    let parameters = "(_ json: JSONValue, _ report: inout JSONReport)"
    guard isUsed else { return text.line(head + parameters + " {}") }
    text.block(head + parameters) { statements(checks, to: &$0) }
  }

  func statements(_ checks: [ModelCheck], to text: inout SwiftText) {
    for check in checks { statement(check, to: &text) }
  }

  /// The function that does exactly these checks, where there is one already.
  func reference(_ checks: [ModelCheck]) -> String? {
    guard checks.count == 1 else { return nil }
    switch checks[0] {
    case .declaration(let name): return "\(name).check"
    case .function(let name): return "\(prefix)Checks.\(SwiftSpelling.identifier(name))"
    default: return nil
    }
  }

  private func statement(_ check: ModelCheck, to text: inout SwiftText) {
    switch check {
    case .never: text.line("report.never(json)")
    case .kinds(let kinds): text.list("report.kind(", ["json"] + kinds.map { ".\($0.rawValue)" }, end: ")")
    case .constants(let values): text.list("report.constant(", ["json"] + values.map(Self.literal), end: ")")
    case .declaration, .function:
      if let name = reference([check]) { text.line("\(name)(json, &report)") }
    default:
      if !value(check, to: &text), !array(check, to: &text), !object(check, to: &text) { combined(check, to: &text) }
    }
  }

  private func value(_ check: ModelCheck, to text: inout SwiftText) -> Bool {
    switch check {
    case .minimum(let bound, let isExclusive): call(isExclusive ? "above" : "minimum", [Self.literal(bound)], &text)
    case .maximum(let bound, let isExclusive): call(isExclusive ? "below" : "maximum", [Self.literal(bound)], &text)
    case .multiple(let divisor): call("multiple", ["of: \(Self.literal(divisor))"], &text)
    case .length(let least, let most): call("length", Self.bounds(least, most), &text)
    case .pattern(let pattern):
      call("pattern", [self.pattern(pattern)], &text)
    case .format(let name): call("format", [".\(ModelName.property(name))"], &text)
    default: return false
    }
    return true
  }

  private func array(_ check: ModelCheck, to text: inout SwiftText) -> Bool {
    switch check {
    case .count(let least, let most): call("count", Self.bounds(least, most), &text)
    case .unique: call("unique", [], &text)
    case .contains(let checks, let least, let most):
      closures("contains", ["least: \(least)"] + (most.map { ["most: \($0)"] } ?? []), [("", checks)], &text)
    case .unevaluatedElements(let checks): closures("unevaluatedElements", [], [("", checks)], &text)
    case .elements(let first, let rest): elements(first, rest, &text)
    default: return false
    }
    return true
  }

  private func object(_ check: ModelCheck, to text: inout SwiftText) -> Bool {
    switch check {
    case .memberCount(let least, let most): call("memberCount", Self.bounds(least, most), &text)
    case .required(let names): call("required", names.map(SwiftSpelling.literal), &text)
    case .requiredIn(let way, let names):
      text.list("report.required(", ["json", "in: .\(way.rawValue)"] + names.map(SwiftSpelling.literal), end: ")")
    case .members(let members): self.members(members, &text)
    case .memberNames(let checks): closures("memberNames", [], [("", checks)], &text)
    case .dependent(let name, let checks):
      closures("dependent", ["on: \(SwiftSpelling.literal(name))"], [("", checks)], &text)
    case .unevaluatedMembers(let checks): closures("unevaluatedMembers", [], [("", checks)], &text)
    default: return false
    }
    return true
  }

  private func combined(_ check: ModelCheck, to text: inout SwiftText) {
    switch check {
    case .any(let branches): closures("any", [], branches.map { ("", $0) }, &text)
    case .exactlyOne(let branches): closures("exactlyOne", [], branches.map { ("", $0) }, &text)
    case .not(let checks): closures("not", [], [("", checks)], &text)
    case .conditional(let condition, let then, let otherwise):
      closures("when", [], [("", condition), ("then: ", then), ("otherwise: ", otherwise)], &text)
    case .scope(let checks): closures("scope", [], [("", checks)], &text)
    default: break
    }
  }
}

// MARK: Parts

extension SwiftCheckWriter {
  private func call(_ name: String, _ arguments: [String], _ text: inout SwiftText) {
    text.list("report.\(name)(", ["json"] + arguments, end: ")")
  }

  private static func bounds(_ least: Int?, _ most: Int?) -> [String] {
    (least.map { ["least: \($0)"] } ?? []) + (most.map { ["most: \($0)"] } ?? [])
  }

  /// A call with closures: one behind it, several inside the parentheses.
  private func closures(
    _ name: String, _ arguments: [String], _ branches: [(label: String, checks: [ModelCheck])], _ text: inout SwiftText
  ) {
    let arguments = ["json"] + arguments
    let references = branches.map { branch in
      branch.checks.isEmpty ? branch.label + "{ _, _ in }" : reference(branch.checks).map { branch.label + $0 }
    }
    if references.allSatisfy({ $0 != nil }), branches.count != 1 || !branches[0].checks.isEmpty {
      return text.list("report.\(name)(", arguments + references.compactMap { $0 }, end: ")")
    }
    guard branches.count != 1 else {
      let head = "report.\(name)(\(arguments.joined(separator: ", ")))"
      guard !branches[0].checks.isEmpty else { return text.line(head + " { _, _ in }") }
      text.line(head + " { json, report in")
      text.indented { statements(branches[0].checks, to: &$0) }
      return text.line("}")
    }
    text.line("report.\(name)(")
    text.indented { text in
      for argument in arguments { text.line(argument + ",") }
      for (index, branch) in branches.enumerated() {
        let tail = index < branches.count - 1 ? "," : ""
        if let reference = references[index] {
          text.line(reference + tail)
          continue
        }
        text.line(branch.label + "{ json, report in")
        text.indented { statements(branch.checks, to: &$0) }
        text.line("}" + tail)
      }
    }
    text.line(")")
  }

  /// `case` and what it does; nothing at all needs a statement too.
  private func choice(_ head: String, _ checks: [ModelCheck], _ text: inout SwiftText) {
    guard !checks.isEmpty else { return text.line(head + " break") }
    text.line(head)
    text.indented { statements(checks, to: &$0) }
  }

  private func elements(_ first: [[ModelCheck]], _ rest: [ModelCheck]?, _ text: inout SwiftText) {
    guard !first.isEmpty else {
      guard let rest else { return }
      return closures("elements", [], [("", rest)], &text)
    }
    let isUsed = first.contains { !$0.isEmpty } || rest?.isEmpty == false
    text.line(
      "report.elements(json, first: \(first.count)\(rest == nil ? "" : ", all: true")) { index, json, report in")
    text.indented { text in
      guard isUsed else { return text.line("_ = (index, json, report)") }
      text.line("switch index {")
      for (index, checks) in first.enumerated() { choice("case \(index):", checks, &text) }
      choice("default:", rest ?? [], &text)
      text.line("}")
    }
    text.line("}")
  }

  private func members(_ members: ModelMembers, _ text: inout SwiftText) {
    if members.named.isEmpty, members.patterns.isEmpty, let rest = members.rest {
      return closures("members", [], [("", rest)], &text)
    }
    guard !members.patterns.isEmpty else {
      return text.block("report.members(json)", parameters: "name, json, report in") { text in
        text.line("switch name {")
        for named in members.named { choice("case \(SwiftSpelling.literal(named.name)):", named.checks, &text) }
        if let rest = members.rest { choice("default:", rest, &text) } else { text.line("default: return false") }
        text.line("}")
        text.line("return true")
      }
    }
    text.block("report.members(json)", parameters: "name, json, report in") { patterned(members, &$0) }
  }

  private func patterned(_ members: ModelMembers, _ text: inout SwiftText) {
    if members.named.isEmpty {
      text.line("var isKnown = false")
    } else {
      text.line("var isKnown = true")
      text.line("switch name {")
      for named in members.named { choice("case \(SwiftSpelling.literal(named.name)):", named.checks, &text) }
      text.line("default: isKnown = false")
      text.line("}")
    }
    for pattern in members.patterns {
      text.line("if \(self.pattern(pattern.name)).isFound(in: name) {")
      text.indented { text in
        text.line("isKnown = true")
        statements(pattern.checks, to: &text)
      }
      text.line("}")
    }
    guard let rest = members.rest else { return text.line("return isKnown") }
    if !rest.isEmpty {
      text.line("if !isKnown {")
      text.indented { statements(rest, to: &$0) }
      text.line("}")
    } else {
      text.line("_ = isKnown")
    }
    text.line("return true")
  }
}

// MARK: Literals

extension SwiftCheckWriter {
  /// A JSON value as a literal of `JSONValue`.
  static func literal(_ value: JSONValue) -> String {
    switch value {
    case .null: ".null"
    case .bool(let value): value ? "true" : "false"
    case .unsigned(let value): value <= UInt64(Int64.max) ? String(value) : ".unsigned(\(value))"
    case .negative(let value): String(value)
    case .number(let value): String(value)
    case .string(let value): SwiftSpelling.literal(value)
    case .array(let values): "[" + values.map(literal).joined(separator: ", ") + "]"
    case .object(let members):
      members.isEmpty
        ? "[:]"
        : "["
          + members.sorted { $0.key < $1.key }.map { SwiftSpelling.literal($0.key) + ": " + literal($0.value) }
          .joined(separator: ", ") + "]"
    }
  }
}
