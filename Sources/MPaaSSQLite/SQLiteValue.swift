/// The value of a column: one of SQLite's five storage classes (Datatypes In SQLite, section 2).
package enum SQLiteValue: Sendable, Hashable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])

  /// The text, or null where there is none.
  package static func optional(_ text: String?) -> SQLiteValue { text.map(SQLiteValue.text) ?? .null }
  /// The number, or null where there is none.
  package static func optional(_ number: Int64?) -> SQLiteValue { number.map(SQLiteValue.integer) ?? .null }
  package static func integer(_ number: Int) -> SQLiteValue { .integer(Int64(number)) }
  /// 1 or 0.
  package static func flag(_ value: Bool) -> SQLiteValue { .integer(Int64(value ? 1 : 0)) }
}

extension SQLiteValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByNilLiteral {
  package init(stringLiteral value: String) { self = .text(value) }
  package init(integerLiteral value: Int64) { self = .integer(value) }
  package init(nilLiteral: ()) { self = .null }
}
