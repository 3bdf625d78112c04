/// Methods that need no transaction around them, since SQLite does each of its statements whole or not at all.
///
/// SQLite's FAIL is the exception: it keeps the rows that were changed before a conflict.
enum DAOSingleStatement {
  /// Tells whether units are one insert, update or delete, of a document that nowhere speaks of FAIL.
  static func isOne(_ units: [DAOUnit], in document: DAODocument) -> Bool {
    guard units.count == 1, let unit = units.first, unit.kind == .statement, !document.speaksOfFail,
      !DAONode.haveRawReferences(unit.nodes), case .sql(let bytes)? = unit.nodes.first
    else { return false }
    let word = bytes.drop { $0 <= 0x20 }.prefix { DAOName.isPart($0) }
    return ["insert", "update", "delete", "replace"].contains(String(decoding: word, as: UTF8.self).lowercased())
  }
}

extension DAONode {
  /// Tells whether nodes take texts of their callers as SQL, so that nothing tells what they become.
  static func haveRawReferences(_ nodes: [DAONode]) -> Bool {
    nodes.contains { node in
      switch node {
      case .sql, .format: false
      case .reference(let reference): reference.rule.isRaw
      case .condition(_, let nodes): haveRawReferences(nodes)
      case .choose(let branches): branches.contains { haveRawReferences($0.nodes) }
      case .foreach(let loop): haveRawReferences(loop.nodes)
      case .trim(let trim): haveRawReferences(trim.nodes)
      }
    }
  }
}
