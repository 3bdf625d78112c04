import MPaaSSupport

/// Methods that need no transaction around them, since SQLite does each of its statements whole or not at all.
///
/// What SQLite calls FAIL is the exception: it keeps the rows that were changed before a conflict.
enum DAOSingleStatement {
  /// Tells whether units are one insert, update or delete, of a document that nowhere speaks of FAIL.
  static func isOne(_ units: [DAOUnit], in document: DAODocument) -> Bool {
    guard units.count == 1, let unit = units.first, unit.kind == .statement, !document.speaksOfFail,
      !DAOVariants.hasRawReferences(unit.nodes), case .sql(let bytes)? = unit.nodes.first
    else { return false }
    let word = bytes.drop { $0 <= 0x20 }.prefix { DAOName.isPart($0) }
    return ["insert", "update", "delete", "replace"].contains(String(decoding: word, as: UTF8.self).lowercased())
  }
}

extension XMLElement {
  /// Tells whether a text or an attribute inside has the letters of a word, small or great.
  func has(_ word: String) -> Bool {
    attributes.contains { $0.value.lowercased().has(word) }
      || children.contains { child in
        switch child {
        case .element(let element): element.has(word)
        case .text(let text): String(decoding: text.bytes, as: UTF8.self).lowercased().has(word)
        }
      }
  }
}
