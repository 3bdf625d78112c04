/// The statement of a method that takes one form only, whatever it is called with: without conditions, repetitions,
/// pairs, and values that are written into it.
package struct DAOStaticStatement: Sendable {
  /// The SQL; a byte of 0 is the table's name.
  package let sql: String
  /// The references in the order of the question marks.
  package let references: [DAOReference]
  package let constant: DAOConstant

  /// The statement of a method; nil where it has several, or one that takes several forms, or that is empty.
  ///
  /// - Parameter number: The place of the constant among those of its module.
  init?(_ method: DAOProgram.Method, _ number: Int) {
    guard method.units.count == 1, let unit = method.units.first, unit.kind == .statement else { return nil }
    var references: [DAOReference] = []
    guard Self.collect(unit.nodes, &references) else { return nil }
    let slots = [DAOValue](repeating: .null, count: method.slotCount)
    var scope = DAOScope(slots: slots, globals: [:], table: "\u{0}", secrets: [], crypt: nil)
    scope.trial = DAOTrial(itemCount: 1, column: "")
    guard let statement = try? DAOFormatter.statement(unit, scope) else { return nil }
    sql = statement.sql
    self.references = references
    let position = method.method.position
    constant = DAOConstant(number, statement.sql, nil, position.line, position.column)
  }

  /// Collects the references of nodes.
  ///
  /// - Returns: False where the nodes take several forms.
  private static func collect(_ nodes: [DAONode], _ references: inout [DAOReference]) -> Bool {
    for node in nodes {
      switch node {
      case .sql: continue
      case .reference(let reference) where reference.rule.isBound: references.append(reference)
      case .trim(let trim) where trim.rule.onVoid == nil:
        guard collect(trim.nodes, &references) else { return false }
      default: return false
      }
    }
    return true
  }
}
