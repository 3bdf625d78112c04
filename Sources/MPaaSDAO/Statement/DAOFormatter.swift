/// Writes the SQL of compiled statements with the values of a call.
package struct DAOFormatter {
  private var scope: DAOScope
  private var writer: DAOWriter
  /// The number of loops around what is being written.
  private var loopDepth = 0
  /// The elements of loops that may still be written.
  private var rounds = 1_000_000

  private init(_ scope: DAOScope) {
    self.scope = scope
    writer = DAOWriter(table: scope.table, secrets: scope.secrets, crypt: scope.crypt)
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
    return try formatter.writer.finish(unit.kind, isResumable: unit.isResumable, at: unit.position)
  }

  private mutating func write(_ nodes: [DAONode]) throws(DAOError) {
    for node in nodes {
      guard writer.goesOn else { return }
      try write(node)
    }
  }

  private mutating func write(_ node: DAONode) throws(DAOError) {
    switch node {
    case .sql(let bytes): writer.sql(bytes)
    case .reference(let reference):
      if scope.trial != nil { return writer.writeSample(of: reference.rule) }
      try writer.write(scope.root(reference.path), reference.rule)
    case .condition(let condition, let nodes): if try holds(condition) { try write(nodes) }
    case .choose(let branches):
      for (condition, nodes) in branches {
        guard try condition.map({ condition throws(DAOError) in try holds(condition) }) ?? true else { continue }
        return try write(nodes)
      }
    case .foreach(let loop): try write(loop)
    case .trim(let trim):
      let begun = writer.begin(trim.rule)
      try write(trim.nodes)
      writer.end(begun, trim.rule)
    case .format(let format):
      if let trial = scope.trial { return try writer.write(.dictionary([trial.column: .integer(1)]), format.rule) }
      try writer.write(scope.value(format.pairs), format.rule)
    }
  }

  private func holds(_ condition: DAOCondition) throws(DAOError) -> Bool {
    if let trial = scope.trial { return trial.holds(condition) }
    do {
      let value = try condition.expression.value(scope)
      return value.isTrue == condition.wanted
    } catch {
      throw error.placed(at: condition.position)
    }
  }

  private mutating func write(_ loop: DAOForeach) throws(DAOError) {
    var begun: DAOWriter.Loop
    if let trial = scope.trial {
      let itemCount = loopDepth < DAOTrial.greatestDepth ? trial.itemCount : 1
      begun = writer.begin((0..<itemCount).map { (.integer($0), .null) }, loop.rule)
    } else {
      begun = try writer.begin(scope.value(loop.collection), loop.rule)
    }
    loopDepth += 1
    defer { loopDepth -= 1 }
    for (index, item) in begun.items {
      rounds -= 1
      guard rounds >= 0 else { throw DAOError(.sql, DAOError.reason("rounds", "its loops have too many elements")) }
      writer.next(&begun, loop.rule)
      scope.slots[loop.itemSlot] = item
      if let slot = loop.indexSlot { scope.slots[slot] = index }
      try write(loop.nodes)
      writer.end(&begun)
      if !writer.goesOn { break }
    }
    writer.close(begun, loop.rule)
  }
}
