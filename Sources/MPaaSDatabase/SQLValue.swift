/// The value of a column, as both engines have it.
package enum SQLValue: Sendable, Hashable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])

  /// The text, or null where there is none.
  package static func optional(_ text: String?) -> SQLValue { text.map(SQLValue.text) ?? .null }
  /// The number, or null where there is none.
  package static func optional(_ number: Int64?) -> SQLValue { number.map(SQLValue.integer) ?? .null }
  package static func integer(_ number: Int) -> SQLValue { .integer(Int64(number)) }
  /// 1 or 0.
  package static func flag(_ value: Bool) -> SQLValue { .integer(Int64(value ? 1 : 0)) }
}

extension SQLValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByNilLiteral {
  package init(stringLiteral value: String) { self = .text(value) }
  package init(integerLiteral value: Int64) { self = .integer(value) }
  package init(nilLiteral: ()) { self = .null }
}
