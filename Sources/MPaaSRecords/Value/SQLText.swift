package import MPaaSSQLite
import MPaaSSupport

/// A statement while it is put together: its text, and the values in place of its question marks.
package struct SQLText: Sendable, Equatable {
  package private(set) var text = ""
  package private(set) var bindings: [SQLiteValue] = []

  package init() {}

  /// Creates a statement that an app wrote itself.
  package init(_ text: String, _ values: [DatabaseValue]) {
    self.text = text
    bindings = values.map(\.bound)
  }

  /// Adds words of SQL, none of which may come from outside.
  package mutating func add(_ words: StaticString) { text += "\(words)" }

  package mutating func add(_ other: SQLText) {
    text += other.text
    bindings += other.bindings
  }

  /// Adds a value.
  package mutating func bind(_ value: DatabaseValue) {
    text += "?"
    bindings.append(value.bound)
  }

  /// Adds a name in quotes; `table.column` is two.
  package mutating func name(_ name: String) throws(DatabaseError) { text += try SQLName.quoted(name) }

  /// Adds a whole number, as a length that cannot be bound.
  package mutating func number(_ number: Int) { text += "\(number)" }

  /// Adds a value as a literal, for definitions of tables, where none can be bound (CREATE TABLE, section 3.2).
  package mutating func literal(_ value: DatabaseValue, of column: String) throws(DatabaseError) {
    switch value {
    case .null: text += "NULL"
    case .integer(let number): text += "\(number)"
    case .real(let number):
      guard number.isFinite else { throw DatabaseError(.value, ["name": column, "value": "\(number)"]) }
      text += "\(number)"
    case .blob(let bytes): text += "X'" + bytes.hexadecimal + "'"
    case .text(let literal):
      // SQLite ends a statement at such a byte.
      guard !literal.utf8.contains(0) else { throw DatabaseError(.value, ["name": column, "value": "U+0000"]) }
      text += "'" + literal.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
    }
  }

  /// Adds each part, with words between them.
  package mutating func list<Part>(
    _ parts: [Part], by separator: StaticString = ", ",
    _ add: (inout SQLText, Part) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    for (index, part) in parts.enumerated() {
      if index > 0 { self.add(separator) }
      try add(&self, part)
    }
  }
}

/// The names of tables and columns.
package enum SQLName {
  /// The most bytes that a name may have.
  static let longest = 128

  /// A name in double quotes; `table.column` is two of them.
  ///
  /// - Throws: `query-name` where it is none: letters, digits and `_`, and no digit at the beginning.
  package static func quoted(_ name: String) throws(DatabaseError) -> String {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, parts.allSatisfy(isName) else { throw DatabaseError(.name, ["name": name]) }
    return parts.map { "\"\($0)\"" }.joined(separator: ".")
  }

  /// Tells whether a text is one name, without a table in front of it.
  package static func isSingle(_ name: String) -> Bool { isName(name[...]) }

  private static func isName(_ part: Substring) -> Bool {
    guard let first = part.unicodeScalars.first, part.utf8.count <= longest else { return false }
    let isNumber = first.properties.numericType != nil
    return !isNumber && part.unicodeScalars.allSatisfy(isLetter)
  }

  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar.properties.isAlphabetic || scalar.properties.numericType != nil
      || scalar.properties.generalCategory == .nonspacingMark || scalar.properties.generalCategory == .spacingMark
  }
}
