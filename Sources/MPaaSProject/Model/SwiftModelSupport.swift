/// The Swift that generated models stand on: any value, errors with paths, and the checks that they call.
///
/// It imports nothing but Foundation, and that only for dates; each part is a text that ends with a newline.
package enum SwiftModelSupport {
  /// The parts that a source needs.
  ///
  /// - Parameter body: The only source that stands on them; nil where the support is a file for many.
  package static func source(access: String, for body: String? = nil) -> String {
    var parts = [values, conversions, members, direct, report, structure, combinations]
    let dates = body.map(usesDates) ?? true
    parts.append(SwiftModelPatterns.source)
    if dates || body?.contains("report.format(") ?? true {
      parts += [SwiftModelFormats.table, SwiftModelFormats.times, SwiftModelFormats.addresses]
    }
    if dates { parts.append(SwiftModelDates.source) }
    let text = parts.joined(separator: "\n")
    return access == "public" ? text : text.replacing("public ", with: access == "internal" ? "" : access + " ")
  }

  /// Tells whether a source has dates in its types, and so stands on Foundation too.
  package static func usesDates(_ body: String) -> Bool {
    body.contains(#/\b(JSONDateTime|JSONDate|Date)\b/#)
  }

  /// The beginning of a file with the support.
  package static let imports = """
    #if canImport(FoundationEssentials)
      import FoundationEssentials
    #else
      import Foundation
    #endif

    """

  static let values = #"""
    /// Any JSON value.
    ///
    /// A whole number is an `integer` however it was written; beyond 64 bits it is a `number`.
    public enum JSONValue: Codable, Sendable, Hashable {
      case null
      case bool(Bool)
      case integer(Int)
      /// A whole number above `Int.max`.
      case unsigned(UInt64)
      case number(Double)
      case string(String)
      case array([JSONValue])
      case object([String: JSONValue])

      public init(_ number: Double) {
        if let whole = Int(exactly: number) {
          self = .integer(whole)
        } else if let whole = UInt64(exactly: number) {
          self = .unsigned(whole)
        } else {
          self = .number(number)
        }
      }

      public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
          self = .null
        } else if let value = try? container.decode(String.self) {
          self = .string(value)
        } else if let value = try? container.decode(Int.self) {
          self = .integer(value)
        } else if let value = try? container.decode(Bool.self) {
          self = .bool(value)
        } else if let value = try? container.decode(UInt64.self) {
          self = .unsigned(value)
        } else if let value = try? container.decode(Double.self) {
          self.init(value)
        } else if let value = try? container.decode([String: JSONValue].self) {
          self = .object(value)
        } else {
          self = .array(try container.decode([JSONValue].self))
        }
      }

      public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .unsigned(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
      }

      public var kind: JSONKind {
        switch self {
        case .null: .null
        case .bool: .boolean
        case .integer, .unsigned: .integer
        case .number(let value): value.rounded() == value ? .integer : .number
        case .string: .string
        case .array: .array
        case .object: .object
        }
      }

      /// The number as it is nearest to a `Double`; nil for what is no number.
      public var double: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .unsigned(let value): Double(value)
        case .number(let value): value
        default: nil
        }
      }
    }

    /// The kinds of JSON values; an integer is a number without a fraction.
    public enum JSONKind: String, Sendable {
      case null, boolean, integer, number, string, array, object
    }

    extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
      ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral,
      ExpressibleByDictionaryLiteral
    {
      public init(stringLiteral value: String) { self = .string(value) }
      public init(integerLiteral value: Int) { self = .integer(value) }
      public init(floatLiteral value: Double) { self.init(value) }
      public init(booleanLiteral value: Bool) { self = .bool(value) }
      public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
      public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object([String: JSONValue](elements) { $1 })
      }
    }

    /// The ways of a value between the two sides of a call.
    public enum JSONDirection: Sendable {
      case request, response
    }

    /// The reason why a value is not what it should be, and where: `/items/3/price: must be at least 0`.
    public struct JSONProblem: Error, Sendable, Hashable, CustomStringConvertible {
      /// The names and indexes that lead to the value.
      public var path: [String]
      public let message: String

      public init(_ message: String, path: [String] = []) {
        self.path = path
        self.message = message
      }

      /// The path as a JSON pointer; `/` for the whole document.
      public var pointer: String {
        path.isEmpty
          ? "/"
          : path.map { "/" + $0.replacing("~", with: "~0").replacing("/", with: "~1") }.joined()
      }

      public var description: String { pointer + ": " + message }

      /// Does `work`, whose problems lie below `step`.
      static func under<Value>(_ step: String, _ work: () throws -> Value) throws -> Value {
        do {
          return try work()
        } catch var problem as JSONProblem {
          problem.path.insert(step, at: 0)
          throw problem
        }
      }
    }

    /// Everything that is wrong with a document.
    public struct JSONInvalid: Error, Sendable, Hashable, CustomStringConvertible {
      public let problems: [JSONProblem]

      public init(_ problems: [JSONProblem]) {
        self.problems = problems
      }

      public var description: String { problems.map(\.description).joined(separator: "\n") }
    }

    """#

  static let members = #"""
    /// A member that may be missing, and that may be null: two different things.
    public enum JSONField<Value: JSONConvertible>: Sendable, Hashable {
      case missing
      case null
      case value(Value)

      /// The value there, if it is neither missing nor null.
      public var value: Value? {
        if case .value(let value) = self { value } else { nil }
      }

      var jsonValue: JSONValue? {
        switch self {
        case .missing: nil
        case .null: .null
        case .value(let value): value.jsonValue
        }
      }

      init(_ json: JSONValue?) throws {
        switch json {
        case nil: self = .missing
        case .null?: self = .null
        case let json?: self = .value(try Value(jsonValue: json))
        }
      }
    }

    /// Room outside the structure for a value that is large, or may hold another of the same structure.
    @propertyWrapper
    public indirect enum JSONIndirect<Value: Sendable & Hashable>: Sendable, Hashable {
      case stored(Value)

      public init(wrappedValue: Value) { self = .stored(wrappedValue) }

      public var wrappedValue: Value {
        get {
          switch self {
          case .stored(let value): value
          }
        }
        set { self = .stored(newValue) }
      }
    }

    /// The members of an object that have not been taken yet.
    struct JSONMembers {
      var values: [String: JSONValue] = [:]

      init() {}

      init(_ json: JSONValue) throws {
        guard case .object(let values) = json else { throw JSONProblem("must be an object") }
        self.values = values
      }

      init(_ rest: [String: some JSONConvertible]) {
        values = rest.mapValues(\.jsonValue)
      }

      subscript(_ name: String) -> JSONValue? {
        get { values[name] }
        set { values[name] = newValue }
      }

      mutating func required<Value: JSONConvertible>(_ name: String) throws -> Value {
        guard let json = values.removeValue(forKey: name) else {
          throw JSONProblem("must have a member “\(name)”")
        }
        return try JSONProblem.under(name) { try Value(jsonValue: json) }
      }

      mutating func optional<Value: JSONConvertible>(_ name: String) throws -> Value? {
        guard let json = values.removeValue(forKey: name) else { return nil }
        return try JSONProblem.under(name) { try Value(jsonValue: json) }
      }

      mutating func lenient<Value: JSONConvertible>(_ name: String) throws -> Value? {
        guard let json = values.removeValue(forKey: name), json != .null else { return nil }
        return try JSONProblem.under(name) { try Value(jsonValue: json) }
      }

      mutating func field<Value: JSONConvertible>(_ name: String) throws -> JSONField<Value> {
        let json = values.removeValue(forKey: name)
        return try JSONProblem.under(name) { try JSONField(json) }
      }

      func rest<Value: JSONConvertible>() throws -> [String: Value] {
        try [String: Value](jsonValue: .object(values))
      }
    }

    /// The elements of an array that have not been taken yet.
    struct JSONElements {
      private var values: ArraySlice<JSONValue>

      init(_ json: JSONValue) throws {
        guard case .array(let values) = json else { throw JSONProblem("must be an array") }
        self.values = values[...]
      }

      mutating func required<Value: JSONConvertible>() throws -> Value {
        let index = values.startIndex
        guard let json = values.popFirst() else {
          throw JSONProblem("must have more than \(index) elements")
        }
        return try JSONProblem.under(String(index)) { try Value(jsonValue: json) }
      }

      mutating func optional<Value: JSONConvertible>() throws -> Value? {
        if values.isEmpty { return nil }
        // Said outright: of an optional, null would be nothing.
        let value: Value = try required()
        return value
      }

      mutating func field<Value: JSONConvertible>() throws -> JSONField<Value> {
        try JSONField(values.popFirst())
      }

      func rest<Value: JSONConvertible>() throws -> [Value] {
        let start = values.startIndex
        return try values.enumerated().map { index, json in
          try JSONProblem.under(String(start + index)) { try Value(jsonValue: json) }
        }
      }

      /// The array of the first elements, as far as there are any, and the rest.
      static func array(_ first: [JSONValue?], _ rest: [some JSONConvertible] = [JSONValue]())
        -> JSONValue
      {
        let known = first.prefix { $0 != nil }.compactMap { $0 }
        return .array(known + rest.map(\.jsonValue))
      }
    }

    """#
}
