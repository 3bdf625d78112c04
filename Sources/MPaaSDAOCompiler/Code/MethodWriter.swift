import MPaaSDAO

/// Writes a method of a module: the function that an app calls, the one that runs its statements once, and those that
/// write statements which depend on values.
struct MethodWriter {
  private let plan: MethodPlan
  private let number: Int
  private let rules: RuleTable
  private let sources: SourceTypes
  private let secrets: Set<DAOSecret>
  private let file: String
  private let access: DAOAccessLevel
  private(set) var code = SwiftCode()

  init(
    _ plan: MethodPlan, _ number: Int, _ rules: RuleTable, _ sources: SourceTypes, _ document: DAODocument,
    _ file: String, _ access: DAOAccessLevel
  ) {
    self.plan = plan
    self.number = number
    self.rules = rules
    self.sources = sources
    secrets = document.secrets
    self.file = file
    self.access = plan.access(access, sources)
  }

  mutating func write() {
    writeFunction()
    if let constant = plan.constant { write(constant) } else { writeUnits() }
    if plan.isSelect, plan.row.first == nil { writeRow() }
  }

  private var position: DAOPosition { plan.method.method.position }
  private var place: String { "\(position.line), \(position.column)" }

  // MARK: The function that an app calls

  /// The types of the slots for arguments and for the item of a repetition.
  private var slotTypes: [SwiftValueType] {
    var types = plan.arguments.map(\.type)
    guard let loop = plan.method.method.loop else { return types }
    if case .list(let element) = types[loop.collection].wrapped { types.append(element) } else { types.append(.value) }
    return types
  }

  private func parameterName(_ argument: MethodPlan.Argument) -> String {
    let name = Swift.name(argument.name)
    return ["session", "storage", "rows", "results", "item"].contains(name) ? "\(name)_" : name
  }

  private mutating func writeFunction() {
    let method = plan.method.method
    code.line("/// The \(method.kind.rawValue) `\(plan.name)` of line \(position.line).")
    if let sql = plan.constant?.sql {
      code.line("///")
      let text = sql.split(separator: "\u{0}", omittingEmptySubsequences: false).joined(separator: "${T}")
      for line in text.split(whereSeparator: \.isNewline) { code.line("///     \(line)") }
    }
    let parameters = plan.arguments.map { argument in
      let label = Swift.name(argument.name)
      let own = parameterName(argument)
      return (label == own ? label : "\(label) \(own)") + ": \(argument.type.text)"
    }.joined(separator: ", ")
    let repeats = method.loop != nil
    let result = plan.isSelect ? (repeats ? "[\(plan.resultType)]" : plan.resultType) : "DAOChanges"
    if !plan.isSelect { code.line("@discardableResult") }
    let plan = plan, place = place, file = file, number = number
    let names = plan.arguments.map { parameterName($0) }
    let head = "\(access.word)func \(Swift.name(plan.name))(\(parameters)) throws(DAOError) -> \(result) {"
    code.block(head) { code in
      for (argument, name) in zip(plan.arguments, names) where argument.refusesNull {
        let error = "\(Swift.literal(argument.name)), of: \(Swift.literal(plan.name)), in: \(Swift.literal(file))"
        code.line("if \(name) == .null { throw DAOError.nullArgument(\(error)) }")
      }
      let call =
        plan.isSelect
        ? "read(isParallel: \(method.isParallel))"
        : "change(isInsert: \(plan.isInsert), isSingle: \(plan.method.isSingle))"
      let value = plan.isSelect ? result : "Int"
      code.block("return try storage.\(call) { (session: DAOSession) throws(DAOError) -> \(value) in") { code in
        guard let loop = method.loop else {
          return code.line("try Self.run\(number)(\((["session"] + names).joined(separator: ", ")))")
        }
        let list = plan.arguments[loop.collection].type
        let name = names[loop.collection]
        let elements =
          list == .value
          ? "try \(name).elements(of: \(Swift.literal(plan.arguments[loop.collection].name)), \(place))"
          : list.isOptional ? "\(name) ?? []" : name
        let run = "try Self.run\(number)(\((["session"] + names + ["item"]).joined(separator: ", ")))"
        code.line(plan.isSelect ? "var results: \(result) = []" : "var rows = 0")
        code.block("for item in \(elements) {") { $0.line(plan.isSelect ? "results.append(\(run))" : "rows += \(run)") }
        code.line(plan.isSelect ? "return results" : "return rows")
      }
    }
    code.line()
  }

  // MARK: One round

  /// The head of the function that runs the statements once.
  private var runHead: String {
    let parameters = slotTypes.enumerated().map { ", _ argument\($0.offset): \($0.element.text)" }.joined()
    let result = plan.isSelect ? plan.resultType : "Int"
    return "private static func run\(number)(_ session: DAOSession\(parameters)) throws(DAOError) -> \(result) {"
  }

  private var columns: [String]? { plan.fields.isEmpty ? nil : plan.fields.map(\.column) }

  private mutating func write(_ statement: DAOStaticStatement) {
    let constant = rules.constant(statement.sql, columns, at: position)
    let bindings = statement.references.enumerated().map { binding($0.offset + 1, $0.element) }
    let writer = self
    code.block(runHead) { code in
      code.line("let query = try session.prepared(\(constant))")
      bindings.forEach { code.line($0) }
      if writer.plan.isSelect { writer.readRows(&code) } else { code.line("return try query.run()") }
    }
    code.line()
  }

  /// The line that puts a value in place of a question mark.
  private func binding(_ index: Int, _ reference: DAOReference) -> String {
    let rule = reference.rule
    guard case .slot(let slot) = reference.path.root else {
      let root = ExpressionWriter(StatementWriter.slotName).root(reference.path)
      return "try query.bind(\(index), \(root), \(rules.name(of: rule)), session)"
    }
    let type = slotTypes[slot]
    if rule.fallback == nil {
      if rule.properties.isEmpty, type.isNative { return "query.bind(\(index), \(type.native(of: "argument\(slot)")))" }
      if rule.properties.count == 1, case .object(let name) = type.wrapped,
        !secrets.contains(DAOSecret(name, rule.properties[0])),
        let property = sources.properties(of: name).first(where: { $0.name == rule.properties[0] })?.type,
        property.isNative
      {
        let path = "argument\(slot)\(type.isOptional ? "?" : "").\(Swift.name(rule.properties[0]))"
        return "query.bind(\(index), \((type.isOptional ? property.optional : property).native(of: path)))"
      }
    }
    return "try query.bind(\(index), \(type.value(of: "argument\(slot)")), \(rules.name(of: rule)), session)"
  }

  private func readRows(_ code: inout SwiftCode) {
    code.line("defer { query.reset() }")
    let row = plan.row.first ?? "row\(number)(query, session)"
    let word = plan.row.first == nil ? "try " : ""
    guard plan.isList else {
      code.line("guard try query.step() else { return nil }")
      code.line("return \(word)\(row)")
      return
    }
    code.line("var found: \(plan.resultType) = []")
    code.block("while try query.step() {") { $0.line("found.append(\(word)\(row))") }
    code.line("return found")
  }

  private mutating func writeRow() {
    let plan = plan, secrets = rules
    var parts: [String] = []
    var throwsAny = false
    for (number, field) in plan.fields.enumerated() {
      let read =
        field.isSecret
        ? field.type.column(number, secret: secrets.name(of: DAOSecret(plan.row.type, field.property)))
        : field.type.column(number)
      throwsAny = throwsAny || read.isThrowing
      parts.append("\(Swift.label(field.property)): \(read.text)")
    }
    let type = plan.row.type
    let isClass = sources.isClass(type)
    code.line("@inline(__always)")
    let head = "(_ query: DAOPrepared, _ session: DAOSession) throws(DAOError) -> \(type) {"
    code.block("private static func row\(number)\(head)") { code in
      switch plan.row {
      case .row: code.line("query.row")
      case .object(let name, let properties):
        let pairs = properties.sorted { $0.key < $1.key }.map { "\(Swift.literal($0.key)): \(Swift.literal($0.value))" }
        let map = pairs.isEmpty ? "[:]" : "[\(pairs.joined(separator: ", "))]"
        code.line("try query.object(\(Swift.literal(name)), \(map), session)")
      case _ where isClass:
        code.line("let row = \(type)()")
        for part in parts {
          let pair = part.split(separator: ":", maxSplits: 1)
          let word = throwsAny ? "try" : ""
          code.line("row.\(pair[0]) = \(word)\(pair[1])")
        }
        code.line("return row")
      default: code.line("\(throwsAny ? "try " : "")\(type)(\(parts.joined(separator: ", ")))")
      }
    }
    code.line()
  }

  // MARK: Statements that depend on values

  private mutating func writeUnits() {
    var written: [(code: SwiftCode, slots: [Int], unit: DAOUnit)] = []
    let units = plan.isSelect ? Array(plan.method.units.prefix(1)) : plan.method.units
    for unit in units {
      var writer = StatementWriter(rules)
      writer.write(unit.nodes)
      written.append((writer.code, writer.slots.sorted(), unit))
    }
    let used = Set(written.flatMap(\.slots)).sorted()
    let writer = self
    code.block(runHead) { code in
      for slot in used { code.line("let slot\(slot) = \(writer.slotTypes[slot].value(of: "argument\(slot)"))") }
      let calls = written.enumerated().map { writer.call($0.offset, $0.element.slots) }
      if writer.plan.isSelect {
        code.line("guard let statement = \(calls[0]) else { return \(writer.plan.isList ? "[]" : "nil") }")
        let columns = writer.columns.map { ", \(writer.rules.name(of: $0))" } ?? ""
        code.line("let query = try session.prepared(statement\(columns))")
        writer.readRows(&code)
      } else {
        Self.run(written.map(\.unit.kind), calls, &code)
      }
    }
    code.line()
    for (index, unit) in written.enumerated() {
      code.append(Self.function("sql\(number)_\(index)", unit.code, unit.slots, unit.unit))
      code.line()
    }
  }

  private func call(_ index: Int, _ slots: [Int]) -> String {
    "try sql\(number)_\(index)(\((["session"] + slots.map(StatementWriter.slotName)).joined(separator: ", ")))"
  }

  /// The lines that run the statements of units, and give the number of rows that they changed.
  static func run(_ kinds: [DAOStatement.Kind], _ calls: [String], _ code: inout SwiftCode) {
    if kinds.first == .attempt, calls.count == 2 {
      return code.block("return try session.attempt(\(calls[0])) { () throws(DAOError) -> DAOStatement? in") {
        $0.line(calls[1])
      }
    }
    if calls.count == 1 { return code.line("return try session.run(\(calls[0]))") }
    code.line("var rows = 0")
    for call in calls { code.line("rows += try session.run(\(call))") }
    code.line("return rows")
  }

  /// The function that writes the statement of a unit.
  static func function(_ name: String, _ body: SwiftCode, _ slots: [Int], _ unit: DAOUnit) -> SwiftCode {
    let place = "\(unit.position.line), \(unit.position.column)"
    let parameters = slots.map { ", _ slot\($0): DAOValue" }.joined()
    var code = SwiftCode()
    let head = "private static func \(name)(_ session: DAOSession\(parameters)) throws(DAOError) -> DAOStatement? {"
    code.block(head) { code in
      code.line("var writer = DAOWriter(session)")
      if body.has("try ") {
        code.block("do throws(DAOError) {", "} catch {") { $0.append(body) }
        code.line("  throw error.placed(\(place))")
        code.line("}")
      } else {
        code.append(body)
      }
      code.line("return try writer.finish(.\(unit.kind), isResumable: \(unit.isResumable), \(place))")
    }
    return code
  }
}

extension MethodPlan {
  /// True where the row that came last is told.
  var isInsert: Bool { method.method.kind == .insert && method.units.first?.kind != .attempt }

  /// The access that the method can have: no type in it may have less.
  func access(_ wanted: DAOAccessLevel, _ sources: SourceTypes) -> DAOAccessLevel {
    func names(_ type: SwiftValueType) -> [String] {
      switch type {
      case .object(let name): [name]
      case .list(let element), .optional(let element): names(element)
      default: []
      }
    }
    var types = arguments.flatMap { names($0.type) }
    if case .source(let name) = row { types.append(name) }
    return types.map { sources.access(of: $0) }.reduce(wanted) { min($0, $1) }
  }
}
