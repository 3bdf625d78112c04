/// A value of JSON, as notifications, activities and watches bring it: numbers, lists and what lies within keep their
/// kinds.
///
/// ```swift
/// if let order = payload.values["order"], let id = order["id"]?.integer { … }
/// ```
public enum PayloadValue: Sendable, Hashable {
  case null
  case bool(Bool)
  /// A number that is written without a fraction and fits.
  case integer(Int64)
  case number(Double)
  case string(String)
  case array([PayloadValue])
  case object([String: PayloadValue])
}

/// Values of JSON by their keys: an object.
public typealias PayloadValues = [String: PayloadValue]

extension PayloadValue {
  /// The truth value; nil where it is none.
  public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
  /// The text; nil where it is none.
  public var string: String? { if case .string(let value) = self { value } else { nil } }
  /// The list; nil where it is none.
  public var array: [PayloadValue]? { if case .array(let value) = self { value } else { nil } }
  /// The object; nil where it is none.
  public var object: PayloadValues? { if case .object(let value) = self { value } else { nil } }

  /// The whole number; nil where it is none, or has a fraction.
  public var integer: Int64? {
    switch self {
    case .integer(let value): value
    case .number(let value): Int64(exactly: value)
    default: nil
    }
  }

  /// The number; nil where it is none.
  public var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    default: nil
    }
  }

  /// The member of an object; nil where it has none, or is no object.
  public subscript(key: String) -> PayloadValue? { object?[key] }

  /// The element of a list; nil where it has none, or is no list.
  public subscript(index: Int) -> PayloadValue? {
    guard let array, array.indices.contains(index) else { return nil }
    return array[index]
  }
}

extension PayloadValue: Codable {
  /// Reads a value of JSON; a number is an `integer` where it fits into `Int64`.
  ///
  /// - Throws: `DecodingError` where the decoder holds no value of JSON.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .integer(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([PayloadValue].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode(PayloadValues.self))
    }
  }

  /// Writes the value as JSON.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .array(let value): try container.encode(value)
    case .object(let value): try container.encode(value)
    }
  }
}

extension PayloadValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// Makes a text from a literal.
  public init(stringLiteral value: String) { self = .string(value) }
  /// Makes a whole number from a literal.
  public init(integerLiteral value: Int64) { self = .integer(value) }
  /// Makes a number from a literal with a fraction.
  public init(floatLiteral value: Double) { self = .number(value) }
  /// Makes a truth value from a literal.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// Makes `null` from `nil`.
  public init(nilLiteral: ()) { self = .null }
  /// Makes a list from a literal.
  public init(arrayLiteral elements: PayloadValue...) { self = .array(elements) }
  /// Makes an object from a literal; the last value of a key counts.
  public init(dictionaryLiteral elements: (String, PayloadValue)...) {
    self = .object(Dictionary(elements, uniquingKeysWith: { _, last in last }))
  }
}
