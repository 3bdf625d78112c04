import MPaaSSupport

/// Writes the SQL of compiled statements with the values of a call.
package struct DAOFormatter {
  private var scope: DAOScope
  private var writer: SQLWriter
  /// True where nothing more is written: `onVoid="ignoreAfter"`.
  private var hasEnded = false
  /// True where the statement is not run: `onVoid="quit"`.
  private var hasQuit = false

  private init(_ scope: DAOScope) {
    self.scope = scope
    writer = SQLWriter(table: scope.table)
  }

  /// The statement of a unit; nil where it is empty or not to be run.
  ///
  /// - Throws: `dao-argument-type`, `dao-expression`, `dao-no-table`, with the place in the document.
  package static func statement(_ unit: DAOUnit, _ scope: DAOScope) throws(DAOError) -> DAOStatement? {
    var formatter = DAOFormatter(scope)
    do {
      try formatter.write(unit.nodes)
    } catch {
      throw error.placed(at: unit.position)
    }
    guard !formatter.hasQuit else { return nil }
    let sql = formatter.writer.finish()
    guard !sql.isEmpty else { return nil }
    guard !formatter.writer.lacksTable else { throw DAOError(.noTable, at: unit.position) }
    return DAOStatement(kind: unit.kind, sql: sql, bindings: formatter.writer.bindings, isResumable: unit.isResumable)
  }

  private mutating func write(_ nodes: [DAONode]) throws(DAOError) {
    for node in nodes {
      if hasEnded || hasQuit { return }
      try write(node)
    }
  }

  private mutating func write(_ node: DAONode) throws(DAOError) {
    switch node {
    case .sql(let bytes): writer.write(bytes)
    case .reference(let reference): try write(reference)
    case .condition(let condition, let nodes): if try holds(condition) { try write(nodes) }
    case .choose(let branches):
      for (condition, nodes) in branches {
        guard try condition.map({ condition throws(DAOError) in try holds(condition) }) ?? true else { continue }
        return try write(nodes)
      }
    case .foreach(let loop): try write(loop)
    case .trim(let trim): try write(trim)
    case .format(let format): try write(format)
    }
  }

  private func holds(_ condition: DAOCondition) throws(DAOError) -> Bool {
    if let trial = scope.trial { return trial.holds(condition) }
    do {
      let value = try condition.expression.value { path throws(DAOError) in try scope.value(path) }
      return value.isTrue == condition.wanted
    } catch {
      throw error.placed(at: condition.position)
    }
  }

  // MARK: References

  private mutating func write(_ reference: DAOReference) throws(DAOError) {
    guard scope.trial == nil else { return writeSample(of: reference) }
    do {
      var value = try scope.storedValue(reference.path)
      if case .null = value, let fallback = reference.fallback { value = .text(fallback) }
      if reference.isBound { writer.bind(try Self.scalar(value, reference.path)) } else { try inline(value, reference) }
    } catch {
      throw error.placed(at: reference.position)
    }
  }

  /// Writes what a reference could stand for.
  private mutating func writeSample(of reference: DAOReference) {
    if reference.isBound { return writer.bind(.null) }
    if writer.state == .plain { return writer.inline(raw: reference.isRaw ? "1" : "NULL") }
    writer.inline(text: "x")
  }

  private static func scalar(_ value: DAOValue, _ path: DAOPath) throws(DAOError) -> DAOValue {
    switch value {
    case .list, .dictionary, .object: throw DAOError(.argumentType, ["value": path.text, "kind": value.kind])
    default: return value
    }
  }

  private mutating func inline(_ value: DAOValue, _ reference: DAOReference) throws(DAOError) {
    let mismatch = DAOError(.argumentType, ["value": reference.path.text, "kind": value.kind])
    switch value {
    case .null:
      // Inside of a literal nil is nothing, as it is where the text comes as it stands.
      if !reference.isRaw, writer.state == .plain { writer.inline(raw: "NULL") }
    case .bool(let flag): writer.inline(raw: flag ? "1" : "0")
    case .integer(let number): writer.inline(raw: String(number))
    case .real(let number):
      guard number.isFinite else { throw mismatch }
      writer.inline(raw: "\(number)")
    case .text(let text):
      guard !text.utf8.contains(0) else { throw mismatch }
      if reference.isRaw { writer.write(Array(text.utf8)) } else { writer.inline(text: text) }
    case .data(let bytes): writer.inline(raw: "X'\(bytes.hexadecimal.uppercased())'")
    case .list, .dictionary, .object: throw mismatch
    }
  }

  // MARK: Elements

  private mutating func write(_ loop: DAOForeach) throws(DAOError) {
    let items = try items(of: loop)
    let start = writer.mark
    writer.write(loop.open)
    var isFirst = true
    for (index, item) in loop.isReverse ? items.reversed() : items {
      let before = writer.mark
      if !isFirst { writer.write(loop.separator) }
      let content = writer.count
      scope.slots[loop.itemSlot] = item
      if let slot = loop.indexSlot { scope.slots[slot] = index }
      try write(loop.nodes)
      if writer.trim(from: content) { isFirst = false } else { writer.restore(before) }
      if hasEnded || hasQuit { break }
    }
    if isFirst { writer.restore(start) } else { writer.write(loop.close) }
  }

  /// The elements of the collection with their numbers from 0; those of a dictionary with their names, in their order.
  private func items(of loop: DAOForeach) throws(DAOError) -> [(index: DAOValue, item: DAOValue)] {
    if let trial = scope.trial { return (0..<trial.itemCount).map { (.integer($0), .null) } }
    switch try scope.value(loop.collection) {
    case .null: return []
    case .list(let elements): return elements.enumerated().map { (.integer($0), $1) }
    case .dictionary(let members):
      return Self.sorted(members).map { (.text($0), $1) }
    case let value: throw DAOError(.argumentType, ["value": loop.collection.text, "kind": value.kind])
    }
  }

  private static func sorted(_ members: [String: DAOValue]) -> [(key: String, value: DAOValue)] {
    members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
  }

  private mutating func write(_ trim: DAOTrim) throws(DAOError) {
    let start = writer.mark
    writer.space()
    if !trim.prefix.isEmpty {
      writer.write(trim.prefix)
      writer.space()
    }
    let content = writer.count
    try write(trim.nodes)
    if writer.trim(from: content) {
      writer.removePrefix(trim.prefixOverrides, from: content)
      _ = writer.trim(from: content)
      writer.removeSuffix(trim.suffixOverrides, from: content)
    }
    if writer.trim(from: content) {
      writer.space()
      if !trim.suffix.isEmpty {
        writer.write(trim.suffix)
        writer.space()
      }
      return
    }
    writer.restore(start)
    writer.space()
    switch trim.onVoid {
    case .quit: hasQuit = true
    case .ignoreAfter: hasEnded = true
    case nil: break
    }
  }

  private mutating func write(_ format: DAOFormat) throws(DAOError) {
    let members: [String: DAOValue]
    if let trial = scope.trial { return try write([trial.column: .integer(1)], format) }
    switch try scope.value(format.pairs) {
    case .null: return writer.space()
    case .dictionary(let own): members = own
    case .object(let object): members = object.properties
    case let value: throw DAOError(.argumentType, ["value": format.pairs.text, "kind": value.kind])
    }
    try write(members, format)
  }

  private mutating func write(_ members: [String: DAOValue], _ format: DAOFormat) throws(DAOError) {
    guard !members.isEmpty else { return writer.space() }
    writer.space()
    writer.write(format.prefix)
    writer.space()
    for (index, (key, value)) in Self.sorted(members).enumerated() {
      if index > 0 {
        if let join = format.join { writer.write([0x20] + join + [0x20]) } else { writer.write(Array(", ".utf8)) }
      }
      try write(key, value, format)
    }
    writer.space()
  }

  private mutating func write(_ key: String, _ value: DAOValue, _ format: DAOFormat) throws(DAOError) {
    guard !key.utf8.contains(0) else { throw DAOError(.argumentType, ["value": format.pairs.text, "kind": "name"]) }
    writer.inline(raw: DAOName.isPlain(key) ? key : DAOName.quoted(key))
    if format.join != nil, value == .null { return writer.inline(raw: " IS NULL") }
    writer.inline(raw: " = ")
    writer.bind(try Self.scalar(value, format.pairs))
  }
}

extension DAOName {
  /// Tells whether SQL takes a column's name without quotes: ASCII letters, digits and `_`.
  fileprivate static func isPlain(_ name: String) -> Bool { isName(name) && name.utf8.allSatisfy { $0 < 0x80 } }
}
