import MPaaSDAO

/// Writes Swift that writes the SQL of one statement, element by element as the interpreter does.
struct StatementWriter {
  private(set) var code = SwiftCode(depth: 0)
  /// The slots that the code uses.
  private(set) var slots: Set<Int> = []
  private var labels = 0
  private let rules: RuleTable

  init(_ rules: RuleTable) { self.rules = rules }

  static func slotName(_ slot: Int) -> String { "slot\(slot)" }

  mutating func write(_ nodes: [DAONode]) {
    labels += 1
    let label = "part\(labels)"
    let canEnd = nodes.dropLast().contains(where: Self.canEnd)
    guard canEnd else { return nodes.forEach { write($0) } }
    var inner = code
    inner = SwiftCode()
    swap(&inner, &code)
    for (index, node) in nodes.enumerated() {
      write(node)
      if index < nodes.count - 1, Self.canEnd(node) { code.line("guard writer.goesOn else { break \(label) }") }
    }
    swap(&inner, &code)
    code.block("\(label): do {") { $0.append(inner) }
  }

  /// Tells whether nothing more may be written after a node.
  private static func canEnd(_ node: DAONode) -> Bool {
    switch node {
    case .sql, .reference, .format: false
    case .condition(_, let nodes): nodes.contains(where: canEnd)
    case .choose(let branches): branches.contains { $0.nodes.contains(where: canEnd) }
    case .foreach(let loop): loop.nodes.contains(where: canEnd)
    case .trim(let trim): trim.rule.onVoid != nil || trim.nodes.contains(where: canEnd)
    }
  }

  private mutating func write(_ node: DAONode) {
    switch node {
    case .sql(let bytes): code.line("writer.sql(\(Swift.literal(bytes)))")
    case .reference(let reference):
      code.line("try writer.write(\(root(reference.path)), \(rules.name(of: reference.rule)))")
    case .condition(let condition, let nodes): write(condition, nodes, nil)
    case .choose(let branches): choose(branches)
    case .foreach(let loop): write(loop)
    case .trim(let trim):
      labels += 1
      let name = "trim\(labels)"
      let rule = rules.name(of: trim.rule)
      code.line("let \(name) = writer.begin(\(rule))")
      write(trim.nodes)
      code.line("writer.end(\(name), \(rule))")
    case .format(let format):
      code.line("try writer.write(\(value(format.pairs)), \(rules.name(of: format.rule)))")
    }
  }

  private mutating func root(_ path: DAOPath) -> String {
    if case .slot(let slot) = path.root { slots.insert(slot) }
    return ExpressionWriter(Self.slotName).root(path)
  }

  private mutating func value(_ path: DAOPath) -> String {
    root(path) + path.properties.map { ".property(\(Swift.literal($0)))" }.joined()
  }

  // MARK: Conditions

  /// Writes an `if`; a branch of a `choose` is left behind its nodes.
  private mutating func write(_ condition: DAOCondition, _ nodes: [DAONode], _ label: String?) {
    condition.expression.forEachPath { if case .slot(let slot) = $0.root { slots.insert(slot) } }
    var expression = ExpressionWriter(Self.slotName)
    let truth = expression.truth(condition.expression)
    let head: String
    if expression.hasLines {
      labels += 1
      let place = "\(condition.position.line), \(condition.position.column)"
      code.block(
        "let holds\(labels) = try writer.holds(\(condition.wanted), \(place)) { () throws(DAOError) -> Bool in"
      ) {
        $0.append(expression.code)
        $0.line("return \(truth)")
      }
      head = "holds\(labels)"
    } else if case .literal(let value) = condition.expression {
      // The compiler warns of code that never runs.
      if value.isTrue == condition.wanted {
        write(nodes)
        if let label { code.line("break \(label)") }
      }
      return
    } else {
      head = condition.wanted ? truth : "!(\(truth))"
    }
    var inner = SwiftCode()
    swap(&inner, &code)
    write(nodes)
    if let label { code.line("break \(label)") }
    swap(&inner, &code)
    guard !inner.lines.isEmpty else { return code.line("_ = \(head)") }
    code.block("if \(head) {") { $0.append(inner) }
  }

  private mutating func choose(_ branches: [(condition: DAOCondition?, nodes: [DAONode])]) {
    labels += 1
    let label = "choice\(labels)"
    var inner = SwiftCode()
    swap(&inner, &code)
    for branch in branches {
      guard let condition = branch.condition else {
        write(branch.nodes)
        break
      }
      write(condition, branch.nodes, label)
      if case .literal(let value) = condition.expression, value.isTrue == condition.wanted { break }
    }
    swap(&inner, &code)
    code.block("\(label): do {") { $0.append(inner) }
  }

  // MARK: Repetitions

  private mutating func write(_ loop: DAOForeach) {
    labels += 1
    let name = "loop\(labels)"
    let rule = rules.name(of: loop.rule)
    code.line("var \(name) = try writer.begin(\(value(loop.collection)), \(rule))")
    var inner = SwiftCode()
    swap(&inner, &code)
    let outer = slots
    slots = []
    write(loop.nodes)
    let used = slots
    slots = outer.union(used.subtracting([loop.itemSlot] + [loop.indexSlot].compactMap(\.self)))
    swap(&inner, &code)
    let item = used.contains(loop.itemSlot) ? Self.slotName(loop.itemSlot) : "_"
    let index = loop.indexSlot.flatMap { used.contains($0) ? Self.slotName($0) : nil } ?? "_"
    code.block("for (\(index), \(item)) in \(name).items {") {
      $0.line("writer.next(&\(name), \(rule))")
      $0.append(inner)
      $0.line("writer.end(&\(name))")
      if loop.nodes.contains(where: Self.canEnd) { $0.line("if !writer.goesOn { break }") }
    }
    code.line("writer.close(\(name), \(rule))")
  }
}

extension DAOExpression {
  /// Hands each path of the expression to `body`.
  func forEachPath(_ body: (DAOPath) -> Void) {
    switch self {
    case .literal: break
    case .path(let path): body(path)
    case .not(let operand), .negative(let operand), .positive(let operand): operand.forEachPath(body)
    case .binary(_, let left, let right):
      left.forEachPath(body)
      right.forEachPath(body)
    }
  }
}

/// The rules of a module's elements, each of which is a constant of the compiled class.
final class RuleTable {
  /// The type that holds the constants.
  let typeName: String
  private var numbers: [String: Int] = [:]
  private(set) var declarations: [String] = []
  /// The number of statements among them.
  private(set) var constantCount = 0

  init(_ typeName: String) { self.typeName = typeName }

  private func name(_ kind: String, _ expression: String) -> String {
    if let known = numbers[expression] { return "\(typeName).\(kind)\(known)" }
    let number = declarations.count
    numbers[expression] = number
    declarations.append("static let \(kind)\(number) = \(expression)")
    return "\(typeName).\(kind)\(number)"
  }

  func name(of rule: DAOReferenceRule) -> String {
    var parts = [Swift.literal(rule.text), Swift.list(rule.properties)]
    if !rule.isBound { parts.append("isBound: false") }
    if let fallback = rule.fallback { parts.append("or: \(Swift.literal(fallback))") }
    if rule.isRaw { parts.append("isRaw: true") }
    parts += ["\(rule.position.line)", "\(rule.position.column)"]
    return name("reference", "DAOReferenceRule(\(parts.joined(separator: ", ")))")
  }

  func name(of rule: DAOLoopRule) -> String {
    let texts = "open: \(Swift.literal(rule.open)), separator: \(Swift.literal(rule.separator))"
    let end = "close: \(Swift.literal(rule.close)), isReverse: \(rule.isReverse)"
    return name("loop", "DAOLoopRule(\(Swift.literal(rule.text)), \(texts), \(end))")
  }

  func name(of rule: DAOTrimRule) -> String {
    let texts = "prefix: \(Swift.literal(rule.prefix)), suffix: \(Swift.literal(rule.suffix))"
    func list(_ words: [[UInt8]]) -> String { "[" + words.map(Swift.literal).joined(separator: ", ") + "]" }
    let words = "prefixOverrides: \(list(rule.prefixOverrides)), suffixOverrides: \(list(rule.suffixOverrides))"
    let onVoid = rule.onVoid.map { ", onVoid: .\($0.rawValue)" } ?? ""
    return name("trim", "DAOTrimRule(\(texts), \(words)\(onVoid))")
  }

  func name(of rule: DAOFormatRule) -> String {
    let join = rule.join.map(Swift.literal) ?? "nil"
    return name(
      "format", "DAOFormatRule(\(Swift.literal(rule.text)), prefix: \(Swift.literal(rule.prefix)), join: \(join))")
  }

  /// The name of a statement that takes one form only.
  func constant(_ sql: String, _ columns: [String]?, at position: DAOPosition) -> String {
    let columns = columns.map { name(of: $0).split(separator: ".").last.map(String.init) ?? "nil" } ?? "nil"
    let number = constantCount
    constantCount += 1
    let place = "\(position.line), \(position.column)"
    declarations.append("static let sql\(number) = DAOConstant(\(number), \(Swift.literal(sql)), \(columns), \(place))")
    return "\(typeName).sql\(number)"
  }

  func name(of columns: [String]) -> String { name("columns", "DAOColumns(\(Swift.list(columns)))") }

  func name(of secret: DAOSecret) -> String {
    name("secret", "DAOSecret(\(Swift.literal(secret.className)), \(Swift.literal(secret.property)))")
  }
}
