import MPaaSDAO

/// A method as compiled code has it: the types of its arguments and of its result.
struct MethodPlan {
  struct Argument {
    let name: String
    let type: SwiftValueType
    /// True where a value that may be nil is refused then.
    let refusesNull: Bool
  }

  /// The shape of a row.
  enum Row: Equatable {
    case integer(String), flag, real, text, data
    /// Columns by their names.
    case row
    /// A structure that the compiled class has.
    case made(String)
    /// A type of the sources; with the columns of its properties.
    case source(String)
    /// An object of a class whose columns nothing tells.
    case object(String, [String: String])

    var type: String {
      switch self {
      case .integer(let name): name
      case .flag: "Bool"
      case .real: "Double"
      case .text: "String"
      case .data: "[UInt8]"
      case .row: "DAORow"
      case .made(let name): Swift.name(name)
      case .source(let name): name
      case .object: "DAOObject"
      }
    }

    /// The expression of a value of the first column; nil where the row is more.
    var first: String? {
      switch self {
      case .integer(let name):
        name == "Int" ? "query.first.integer.map { Int(truncatingIfNeeded: $0) }" : "query.first.integer"
      case .flag: "query.first.flag"
      case .real: "query.first.real"
      case .text: "query.first.text"
      case .data: "query.first.data"
      default: nil
      }
    }
  }

  let method: DAOProgram.Method
  let arguments: [Argument]
  let row: Row
  let isList: Bool
  /// The properties that columns become, where the row is a structure or a type of the sources.
  let fields: [RowField]

  var name: String { method.method.name }
  var isSelect: Bool { method.method.kind == .select }

  /// The type of one result; a list of such where the method repeats itself.
  var resultType: String {
    let element = row.first == nil ? row.type : row.type + "?"
    return isList ? "[\(element)]" : row.type + "?"
  }

  /// The statement of a method that takes one form only.
  var constant: DAOStaticStatement? { method.constant }
}

/// A property of a row's type, and the column that it is.
struct RowField: Equatable {
  let property: String
  let column: String
  let type: SwiftValueType
  /// True where it is kept encrypted.
  let isSecret: Bool
}
