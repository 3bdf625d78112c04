import MPaaSHotpatch

/// The knowledge about an expression's value without running the program.
enum StaticType: Equatable {
  case unknown, `nil`, boolean
  case integer
  /// A number that is no whole one.
  case fraction
  case number, string, table, function
  /// A value that the app hands over.
  case value(ValueType)

  /// Kinds that values fall into; values of different groups are never equal.
  enum Group: String { case `nil`, boolean, number, string, table, function, object }

  var group: Group? {
    switch self {
    case .unknown: nil
    case .nil: .nil
    case .boolean: .boolean
    case .integer, .fraction, .number: .number
    case .string: .string
    case .table: .table
    case .function: .function
    case .value(let type): Self.group(of: type)
    }
  }

  private static func group(of type: ValueType) -> Group? {
    switch type {
    case .void: .nil
    case .integer, .double: .number
    case .boolean: .boolean
    case .string, .data: .string
    case .array, .dictionary, .record: .table
    case .object: .object
    // The runtime decides how dates cross; an optional may be nil.
    case .date, .optional, .any: nil
    }
  }

  /// Tells whether a value of this type may stand where the app wants `expected`; true where it is not known.
  func fits(_ expected: ValueType) -> Bool {
    if case .value(let own) = self, own == expected { return true }
    switch expected {
    case .any, .date: return self != .function
    case .optional(let wrapped): return self == .nil || self == .value(.void) || fits(wrapped)
    case .void: return true
    case .integer where self == .fraction: return false
    default:
      guard let group else {
        if case .value(.optional(let wrapped)) = self { return StaticType.value(wrapped).fits(expected) }
        return true
      }
      return group == Self.group(of: expected)
    }
  }

  /// For messages: a type of Lua, or the symbol list's word.
  var name: String {
    switch self {
    case .unknown: "any"
    case .nil: "nil"
    case .boolean: "boolean"
    case .integer: "integer"
    case .fraction: "float"
    case .number: "number"
    case .string: "string"
    case .table: "table"
    case .function: "function"
    case .value(let type): type.description
    }
  }
}
