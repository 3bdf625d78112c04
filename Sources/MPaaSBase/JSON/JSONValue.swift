/// Any JSON document, with whole numbers kept exactly up to 64 bits.
///
/// Members of an object have no order; writing sorts them by the bytes of their names, so the same value gives the same
/// bytes. Two names are one only if their bytes are the same, whatever Unicode normalization makes of them.
package enum JSONValue: Sendable, Equatable {
  case null
  case bool(Bool)
  /// A whole number from 0 up.
  case unsigned(UInt64)
  /// A whole number below 0.
  case negative(Int64)
  /// Any other number.
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object(ExactMap<JSONValue>)
}

extension JSONValue {
  package typealias Object = ExactMap<JSONValue>

  /// Creates an object of a dictionary's members.
  package static func object(_ members: [String: JSONValue]) -> JSONValue { .object(Object(members)) }

  package init(_ value: some BinaryInteger) {
    self = value < 0 ? .negative(Int64(truncatingIfNeeded: value)) : .unsigned(UInt64(truncatingIfNeeded: value))
  }

  /// A whole number where `value` is one, nothing where it is no number at all.
  package init?(_ value: Double) {
    guard value.isFinite else { return nil }
    if let whole = UInt64(exactly: value), value.sign == .plus {
      self = .unsigned(whole)
    } else if let whole = Int64(exactly: value), whole < 0 {
      self = .negative(whole)
    } else {
      self = .number(value)
    }
  }

  package var string: String? {
    if case .string(let value) = self { value } else { nil }
  }

  package var bool: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  package var array: [JSONValue]? {
    if case .array(let value) = self { value } else { nil }
  }

  package var object: Object? {
    if case .object(let value) = self { value } else { nil }
  }

  package var double: Double? {
    switch self {
    case .unsigned(let value): Double(value)
    case .negative(let value): Double(value)
    case .number(let value): value
    default: nil
    }
  }

  /// The number as `Value`; nil where it is not whole or does not fit.
  package func integer<Value: FixedWidthInteger>(_: Value.Type = Value.self) -> Value? {
    switch self {
    case .unsigned(let value): Value(exactly: value)
    case .negative(let value): Value(exactly: value)
    case .number(let value): Value(exactly: value)
    default: nil
    }
  }

  /// The kind of the value, in a word for error texts.
  package var kind: String {
    switch self {
    case .null: "null"
    case .bool: "boolean"
    case .unsigned, .negative, .number: "number"
    case .string: "string"
    case .array: "array"
    case .object: "object"
    }
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  package init(stringLiteral value: String) {
    self = .string(value)
  }

  package init(integerLiteral value: Int64) {
    self.init(value)
  }

  package init(booleanLiteral value: Bool) {
    self = .bool(value)
  }

  package init(arrayLiteral elements: JSONValue...) {
    self = .array(elements)
  }

  /// Keeps the last of several members with the same name.
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(Object(elements, uniquingKeysWith: { $1 }))
  }
}

extension JSONValue: Codable {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(UInt64.self) {
      self = .unsigned(value)
    } else if let value = try? container.decode(Int64.self) {
      self.init(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode([String: JSONValue].self) {
      self = .object(Object(value))
    } else {
      self = .array(try container.decode([JSONValue].self))
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .unsigned(let value): try container.encode(value)
    case .negative(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .array(let value): try container.encode(value)
    // Encoders keep members in dictionaries of strings.
    case .object(let value): try container.encode(Dictionary(value.map { ($0.key, $0.value) }) { $1 })
    }
  }
}
