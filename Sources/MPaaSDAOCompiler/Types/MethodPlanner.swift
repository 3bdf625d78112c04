import MPaaSDAO
import MPaaSSupport

/// Finds the types of a module's methods, and what is wrong with those that the document names.
struct MethodPlanner {
  private let program: DAOProgram
  private let schema: DAOSchema?
  private let sources: SourceTypes
  private let infersTypes: Bool
  private(set) var findings: [DAOFinding] = []
  /// The structures that the compiled class has, in the order of their first use.
  private(set) var made: [(name: String, fields: [RowField])] = []

  init(_ program: DAOProgram, _ sources: SourceTypes, infersTypes: Bool) {
    self.program = program
    self.sources = sources
    self.infersTypes = infersTypes
    schema = try? DAOSchema(program)
  }

  mutating func plans() -> [MethodPlan] {
    let methods = program.document.methods.compactMap { program.methods[$0.signature] }
    collectStructures(methods)
    return methods.map { plan($0) }
  }

  private mutating func plan(_ method: DAOProgram.Method) -> MethodPlan {
    let declared = declaredTypes(method.method)
    let inference = infersTypes ? ArgumentInference(method, schema?.types ?? [:]) : nil
    let arguments = method.method.arguments.enumerated().map { slot, argument in
      if let type = declared[argument.name] {
        return self.argument(argument, argument.isRequired ? type.wrapped : type)
      }
      let type = inference?.type(of: slot) ?? .value
      return self.argument(argument, argument.isRequired ? type : type.optional)
    }
    if let loop = method.method.loop {
      let type = arguments[loop.collection].type.wrapped
      if case .list = type {
      } else if type != .value {
        report(.types, method.method, ["name": arguments[loop.collection].name, "type": type.text])
      }
    }
    checkProperties(method, arguments)
    let (row, fields) = row(of: method)
    return MethodPlan(
      method: method, arguments: arguments, row: row, isList: method.method.result?.isList ?? true, fields: fields)
  }

  private func argument(_ argument: DAOMethod.Argument, _ type: SwiftValueType) -> MethodPlan.Argument {
    MethodPlan.Argument(name: argument.name, type: type, refusesNull: argument.isRequired && type == .value)
  }

  private mutating func report(_ code: DAOError.Code, _ method: DAOMethod, _ values: [String: String]) {
    findings.append(DAOFinding(code, at: method.position, values))
  }

  // MARK: Arguments

  /// The types that `types="id: Int64, at: Date?"` gives.
  private mutating func declaredTypes(_ method: DAOMethod) -> [String: SwiftValueType] {
    guard let text = method.declaredTypes, !DAOName.trimmed(text).isEmpty else { return [:] }
    var types: [String: SwiftValueType] = [:]
    for part in Self.parts(text) {
      let pair = part.split(separator: ":", maxSplits: 1).map(DAOName.trimmed)
      guard pair.count == 2, let type = SwiftValueType(pair[1], isObject: sources.has) else {
        report(.types, method, ["name": pair.first ?? part, "type": pair.count == 2 ? pair[1] : ""])
        continue
      }
      guard method.arguments.contains(where: { $0.name == pair[0] }) else {
        report(.unknownArgument, method, ["name": pair[0]])
        continue
      }
      types[pair[0]] = type
    }
    return types
  }

  /// The parts between commas outside of brackets.
  private static func parts(_ text: String) -> [String] {
    var parts = [""]
    var depth = 0
    for character in text {
      if character == "[" { depth += 1 }
      if character == "]" { depth -= 1 }
      if character == ",", depth == 0 { parts.append("") } else { parts[parts.count - 1].append(character) }
    }
    return parts.map(DAOName.trimmed).filter { !$0.isEmpty }
  }

  /// Looks for properties that the types of the sources do not have.
  private mutating func checkProperties(_ method: DAOProgram.Method, _ arguments: [MethodPlan.Argument]) {
    var types: [Int: SwiftValueType] = [:]
    for (slot, argument) in arguments.enumerated() { types[slot] = argument.type.wrapped }
    if let loop = method.method.loop, let item = method.itemSlot, case .list(let element)? = types[loop.collection] {
      types[item] = element.wrapped
    }
    for reference in method.units.flatMap({ SQLOutline($0.nodes).references }) {
      guard case .slot(let slot) = reference.path.root, case .object(let name)? = types[slot],
        let property = reference.path.properties.first,
        !sources.properties(of: name).contains(where: { $0.name == property })
      else { continue }
      findings.append(DAOFinding(.types, at: reference.rule.position, ["name": reference.path.text, "type": name]))
    }
  }

  // MARK: Results

  private mutating func row(of method: DAOProgram.Method) -> (row: MethodPlan.Row, fields: [RowField]) {
    guard method.method.kind == .select else { return (.row, []) }
    switch method.method.result?.element ?? .dictionary {
    case .int: return (.integer("Int"), [])
    case .longLong: return (.integer("Int64"), [])
    case .bool: return (.flag, [])
    case .double: return (.real, [])
    case .string: return (.text, [])
    case .binary: return (.data, [])
    case .dictionary: return (.row, [])
    case .object(let name): return object(name, nil, method)
    case .map(let map):
      let known = program.document.maps[map]
      return object(known?.className ?? map, known, method)
    }
  }

  private mutating func object(
    _ name: String, _ map: DAODocument.Map?, _ method: DAOProgram.Method
  ) -> (row: MethodPlan.Row, fields: [RowField]) {
    let columns = schema?.columns(of: method)
    guard sources.has(name) else {
      guard let columns else { return (.object(name, map?.properties ?? [:]), []) }
      let own = Set(columns.map { map?.properties[$0.name] ?? $0.name })
      // A structure that several queries fill: what this one does not give is nil.
      let fields = made.first { $0.name == name }?.fields.filter { own.contains($0.property) } ?? []
      let named = fields.map { field in
        RowField(
          property: field.property,
          column: columns.last { (map?.properties[$0.name] ?? $0.name) == field.property }?.name ?? field.column,
          type: field.type, isSecret: field.isSecret)
      }
      return (.made(name), named)
    }
    var fields: [RowField] = []
    for (property, type) in sources.properties(of: name) {
      let column = map?.properties.first { $0.value == property }?.key ?? property
      if let columns, !columns.contains(where: { $0.name == column }) { continue }
      fields.append(RowField(property: property, column: column, type: type, isSecret: isSecret(name, property)))
    }
    if fields.isEmpty { report(.types, method.method, ["name": method.method.name, "type": name]) }
    return (.source(name), fields)
  }

  private func isSecret(_ className: String, _ property: String) -> Bool {
    program.document.secrets.contains(DAOSecret(className, property))
  }

  /// Collects the structures of results that no source declares: their properties are the columns of all queries.
  private mutating func collectStructures(_ methods: [DAOProgram.Method]) {
    for method in methods where method.method.kind == .select {
      let name: String
      var map: DAODocument.Map?
      switch method.method.result?.element {
      case .object(let type)?: name = type
      case .map(let id)?:
        map = program.document.maps[id]
        name = map?.className ?? id
      default: continue
      }
      guard !sources.has(name), let columns = schema?.columns(of: method) else { continue }
      let place = made.firstIndex { $0.name == name } ?? made.endIndex
      if place == made.endIndex { made.append((name, [])) }
      for column in columns {
        let property = map?.properties[column.name] ?? column.name
        let isSecret = isSecret(name, property)
        let type = isSecret ? .value : Self.type(column.declared)
        if let known = made[place].fields.firstIndex(where: { $0.property == property }) {
          guard made[place].fields[known].type != type else { continue }
          made[place].fields[known] = RowField(
            property: property, column: column.name, type: .value, isSecret: isSecret)
        } else {
          made[place].fields.append(RowField(property: property, column: column.name, type: type, isSecret: isSecret))
        }
      }
    }
  }

  /// The type of a column by SQLite's rules (Datatypes In SQLite, section 3.1); any value where it is declared with none.
  private static func type(_ declared: String?) -> SwiftValueType {
    guard let declared else { return .value }
    if declared.has("int") { return .optional(.integer("Int64")) }
    if declared.has("char") || declared.has("clob") || declared.has("text") { return .optional(.string) }
    if declared.has("blob") { return .optional(.bytes) }
    if declared.has("real") || declared.has("floa") || declared.has("doub") { return .optional(.double) }
    return .value
  }
}
