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
      case .made(let name), .source(let name): name
      case .object: "DAOObject"
      }
    }

    /// The expression of a value of the first column; nil where the row is more.
    var first: String? {
      switch self {
      case .integer(let name): name == "Int" ? "query.first.integer.map { Int(truncatingIfNeeded: $0) }" : "query.first.integer"
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

  /// True where the method takes one form only, which is a constant then.
  var isStatic: Bool {
    method.units.count == 1 && method.units[0].kind == .statement && Self.isStatic(method.units[0].nodes)
      && constantSQL != nil
  }

  private static func isStatic(_ nodes: [DAONode]) -> Bool {
    nodes.allSatisfy { node in
      switch node {
      case .sql: true
      case .reference(let reference): reference.rule.isBound
      case .trim(let trim): trim.rule.onVoid == nil && isStatic(trim.nodes)
      default: false
      }
    }
  }

  /// The SQL of a constant, with a byte of 0 for the table; nil where it is empty.
  var constantSQL: String? {
    let slots = [DAOValue](repeating: .null, count: method.slotCount)
    var scope = DAOScope(slots: slots, globals: [:], table: "\u{0}", secrets: [], crypt: nil)
    scope.trial = DAOTrial(answers: [:], itemCount: 1, column: "x")
    return (try? DAOFormatter.statement(method.units[0], scope))??.sql
  }

  /// The references of a constant, in the order of its question marks.
  var constantReferences: [DAOReference] {
    func references(_ nodes: [DAONode]) -> [DAOReference] {
      nodes.flatMap { node -> [DAOReference] in
        switch node {
        case .reference(let reference): [reference]
        case .trim(let trim): references(trim.nodes)
        default: []
        }
      }
    }
    return references(method.units[0].nodes)
  }
}

/// A property of a row's type, and the column that it is.
struct RowField: Equatable {
  let property: String
  let column: String
  let type: SwiftValueType
  /// True where it is kept encrypted.
  let isSecret: Bool
}
