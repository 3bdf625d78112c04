/// A value that a DAO method takes or gives.
public enum DAOValue: Sendable, Hashable {
  case null
  case bool(Bool)
  case integer(Int64)
  case real(Double)
  case text(String)
  case data([UInt8])
  case list([DAOValue])
  case dictionary([String: DAOValue])
  case object(DAOObject)

  /// A whole number.
  public static func integer(_ number: Int) -> DAOValue { .integer(Int64(number)) }
}

/// An object of a class, by the names of its properties.
public struct DAOObject: Sendable, Hashable {
  /// The class by which `crypt` elements name it.
  public var className: String
  /// The values of its properties by their names.
  public var properties: [String: DAOValue]

  /// Creates an object of `className` with `properties`.
  public init(className: String, properties: [String: DAOValue]) {
    self.className = className
    self.properties = properties
  }
}

extension DAOValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// Creates a text.
  public init(stringLiteral value: String) { self = .text(value) }
  /// Creates a whole number.
  public init(integerLiteral value: Int64) { self = .integer(value) }
  /// Creates a real number.
  public init(floatLiteral value: Double) { self = .real(value) }
  /// Creates true or false.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// Creates nil.
  public init(nilLiteral: ()) { self = .null }
  /// Creates a list.
  public init(arrayLiteral elements: DAOValue...) { self = .list(elements) }
  /// Creates a dictionary; of members with the same name the last one counts.
  public init(dictionaryLiteral elements: (String, DAOValue)...) {
    self = .dictionary(Dictionary(elements) { $1 })
  }
}

extension DAOValue {
  /// Tells whether an expression takes the value for true: all but nil, false, 0, empty texts, data and collections.
  public var isTrue: Bool {
    switch self {
    case .null: false
    case .bool(let value): value
    case .integer(let value): value != 0
    case .real(let value): value != 0
    case .text(let value): !value.isEmpty
    case .data(let value): !value.isEmpty
    case .list(let value): !value.isEmpty
    case .dictionary(let value): !value.isEmpty
    case .object: true
    }
  }

  /// The kind of the value, in a word for error texts.
  package var kind: String {
    switch self {
    case .null: "nil"
    case .bool: "boolean"
    case .integer, .real: "number"
    case .text: "text"
    case .data: "data"
    case .list: "list"
    case .dictionary: "dictionary"
    case .object: "object"
    }
  }

  /// The number that the value is or that its text spells; nil where it is neither.
  package var number: DAONumber? {
    switch self {
    case .bool(let value): .integer(value ? 1 : 0)
    case .integer(let value): .integer(value)
    case .real(let value): .real(value)
    case .text(let value): DAONumber(value)
    default: nil
    }
  }

  /// The property `name` of a value; `count` is the number of members where no property has that name.
  ///
  /// - Throws: `dao-argument-type` where the value has no properties.
  public func property(_ name: String) throws(DAOError) -> DAOValue {
    switch self {
    case .null: return .null
    case .object(let object): return object.properties[name] ?? .null
    case .dictionary(let members):
      if let value = members[name] { return value }
      return name == "count" ? .integer(members.count) : .null
    case .list(let elements) where name == "count": return .integer(elements.count)
    default: throw DAOError(.argumentType, ["value": name, "kind": kind])
    }
  }
}
