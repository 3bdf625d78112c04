import MPaaSDeclarations

/// A Swift type that an argument, a property or an element of a list has in compiled code.
package indirect enum SwiftValueType: Sendable, Hashable {
  case bool, double, string, bytes, value, dictionary
  /// A whole number by the name of its type, such as `Int64`.
  case integer(String)
  case float, data, date
  case list(SwiftValueType)
  /// A type of the sources.
  case object(String)
  case optional(SwiftValueType)

  private static let integers: Set = [
    "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64",
  ]

  /// Reads a type as Swift writes it; nil where it is none that a column can be.
  ///
  /// - Parameter isObject: Tells whether a name is that of a type of the sources.
  package init?(_ text: String, isObject: (String) -> Bool) {
    let text = text.filter { !$0.isWhitespace }
    if text.hasSuffix("?") {
      guard let wrapped = SwiftValueType(String(text.dropLast()), isObject: isObject) else { return nil }
      self = wrapped.optional
      return
    }
    switch text {
    case "Bool": self = .bool
    case "Double", "TimeInterval": self = .double
    case "Float": self = .float
    case "String": self = .string
    case "[UInt8]": self = .bytes
    case "Data": self = .data
    case "Date": self = .date
    case "DAOValue": self = .value
    case "[String:DAOValue]": self = .dictionary
    case _ where Self.integers.contains(text): self = .integer(text)
    case _ where text.hasPrefix("[") && text.hasSuffix("]"):
      let inner = String(text.dropFirst().dropLast())
      guard let element = SwiftValueType(inner, isObject: isObject) else { return nil }
      self = .list(element)
    case _ where isObject(text): self = .object(text)
    default: return nil
    }
  }

  /// The same type with nil; `DAOValue` has a nil of its own.
  package var optional: SwiftValueType {
    switch self {
    case .optional, .value: self
    default: .optional(self)
    }
  }

  /// The type without nil.
  package var wrapped: SwiftValueType { if case .optional(let type) = self { type } else { self } }

  package var isOptional: Bool { if case .optional = self { true } else { false } }

  /// As Swift writes it.
  package var text: String {
    switch self {
    case .bool: "Bool"
    case .double: "Double"
    case .float: "Float"
    case .string: "String"
    case .bytes: "[UInt8]"
    case .data: "Data"
    case .date: "Date"
    case .value: "DAOValue"
    case .dictionary: "[String: DAOValue]"
    case .integer(let name), .object(let name): name
    case .list(let element): "[\(element.text)]"
    case .optional(let type): "\(type.text)?"
    }
  }

  /// True where Foundation has the type.
  var needsFoundation: Bool {
    switch self {
    case .data, .date: true
    case .list(let type), .optional(let type): type.needsFoundation
    default: false
    }
  }
}

// Swift expressions between this type and those that the runtime has.
extension SwiftValueType {
  /// An expression of `DAOValue` for one of this type.
  func value(of expression: String) -> String {
    switch self {
    case .value: return expression
    case .list(let element): return ".list(\(expression).map { \(element.value(of: "$0")) })"
    case .object: return "value(of: \(expression))"
    case .optional(.list), .optional(.object):
      return "(\(expression).map { \(wrapped.value(of: "$0")) } ?? DAOValue.null)"
    default: return "DAOValue(\(native(of: expression)))"
    }
  }

  /// An expression of a type that a statement binds, for one of this type.
  func native(of expression: String) -> String {
    switch self {
    case .integer(let name) where name != "Int64" && name != "Int": "Int64(truncatingIfNeeded: \(expression))"
    case .float: "Double(\(expression))"
    case .data: "Array(\(expression))"
    case .date: "\(expression).timeIntervalSince1970"
    case .optional(let type) where type.native(of: "$0") != "$0": "\(expression).map { \(type.native(of: "$0")) }"
    default: expression
    }
  }

  /// True where a statement binds the type, or one that it is turned into, as it is.
  var isNative: Bool {
    switch wrapped {
    case .list, .object, .value, .dictionary, .optional: false
    default: true
    }
  }

  /// An expression that reads the column with a number.
  ///
  /// - Returns: The expression, and whether it throws.
  func column(_ number: Int) -> (text: String, isThrowing: Bool) {
    let name = columnName
    if case .value = self { return ("query.value(\(number))", false) }
    if isOptional {
      let read = "query.optional\(name.prefix(1).uppercased())\(name.dropFirst())(\(number))"
      let made = wrapped.made(of: "$0")
      return (made == "$0" ? read : "\(read).map { \(made) }", false)
    }
    return (made(of: "query.\(name)(\(number))"), true)
  }

  /// The expression of a property that is kept encrypted.
  func column(_ number: Int, secret: String) -> (text: String, isThrowing: Bool) {
    let read = "query.value(\(number), \(secret), session)"
    if case .value = self { return (read, true) }
    let value = "\(read).as\(columnName.prefix(1).uppercased())\(columnName.dropFirst())"
    let made = wrapped.made(of: "$0")
    if isOptional { return (made == "$0" ? value : "\(value).map { \(made) }", true) }
    return (wrapped.made(of: "query.required(\(value), \(number))"), true)
  }

  private var columnName: String {
    switch wrapped {
    case .bool: "flag"
    case .integer: "integer"
    case .double, .float, .date: "real"
    case .string: "text"
    default: "data"
    }
  }

  private func made(of expression: String) -> String {
    switch self {
    case .integer(let name) where name != "Int64": "\(name)(truncatingIfNeeded: \(expression))"
    case .float: "Float(\(expression))"
    case .data: "Data(\(expression))"
    case .date: "Date(timeIntervalSince1970: \(expression))"
    default: expression
    }
  }
}
