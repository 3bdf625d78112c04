import MPaaSJSON
import MPaaSSupport

/// The names that a scaffold's types get in code, and the models as the kit's writers take them.
///
/// `SHOT` becomes `Shot`, `ORDER_NUM` `OrderNum`; a model that stands as a sample is named after its owner and its
/// field.
struct ScaffoldModels {
  let scaffold: Scaffold
  private let file: String
  /// Type names by the names of the file.
  private(set) var modelNames: [String: String] = [:]
  private(set) var enumerationNames: [String: String] = [:]
  /// The place of each type name, for errors.
  private var places: [String: TextPosition] = [:]

  init(_ scaffold: Scaffold, file: String) throws(GenerationError) {
    self.scaffold = scaffold
    self.file = file
    for enumeration in scaffold.enumerations {
      enumerationNames[enumeration.name] = try claim(enumeration.name, at: enumeration.position)
    }
    for model in scaffold.models {
      modelNames[model.name] = try claim(model.name, at: model.position)
    }
  }

  /// Names that the code of calls uses itself.
  private static let reserved: Set = [
    "Input", "Output", "Message", "MessageHandlers", "MessageController", "MessageTransport", "MessageDelivery",
    "AppEnvironment", "FrameworkError", "CallFile", "CallMessage", "CallRequest", "CallServers", "CallText",
  ]

  /// A type name that nothing else has.
  mutating func claim(_ name: String, at position: TextPosition) throws(GenerationError) -> String {
    guard name.unicodeScalars.contains(where: { $0.properties.isXIDContinue && $0 != "_" }) else {
      throw GenerationError(.scaffoldBadName, ["name": name], at: place(position))
    }
    let plain = ModelName.type(scaffold.prefix + "_" + name)
    let type = Self.reserved.contains(plain) || SwiftSpelling.reservedTypes.contains(plain) ? plain + "Model" : plain
    try reserve(type, for: name, at: position)
    return type
  }

  /// Takes a type name for `name`.
  mutating func reserve(
    _ type: String, for name: String? = nil, at position: TextPosition
  ) throws(GenerationError) {
    if let first = places[type] {
      throw GenerationError(
        .scaffoldTypeTwice, ["name": name ?? type, "type": type, "line": String(first.line)], at: place(position))
    }
    places[type] = position
  }

  private func place(_ position: TextPosition) -> Place {
    .text(file: file, line: position.line, column: position.column)
  }

  /// The type of a value that may be there.
  func type(_ type: Scaffold.FieldType) -> ModelType {
    switch type {
    case .any: .any
    case .bool: .boolean
    case .whole: .integer(.int)
    case .number: .number
    case .text: .string(.plain)
    case .object: .map(.any)
    case .list(let element): .array(self.type(element))
    case .model(let name): .named(modelNames[name] ?? name)
    case .enumeration(let name): .named(enumerationNames[name] ?? name)
    }
  }
}

// MARK: The set

extension ScaffoldModels {
  func modelSet() -> ModelSet {
    ModelSet(scaffold.enumerations.map(declaration) + scaffold.models.map(declaration))
  }

  private func declaration(_ enumeration: Scaffold.Enumeration) -> ModelDeclaration {
    var taken: Set<String> = []
    let constants = enumeration.cases.map { choice in
      let name = SwiftSpelling.unique(ModelName.property(choice.name), among: &taken)
      return ModelConstant(name, choice.value.json)
    }
    return ModelDeclaration(
      enumerationNames[enumeration.name] ?? enumeration.name, .enumeration(constants),
      documentation: Self.lines(enumeration.comment), checks: [.constants(constants.map(\.value))])
  }

  private func declaration(_ model: Scaffold.Model) -> ModelDeclaration {
    let name = modelNames[model.name] ?? model.name
    let documentation = Self.lines(model.comment)
    switch model.shape {
    case .other(let type):
      return ModelDeclaration(
        name, .value(self.type(type)), documentation: documentation, checks: checks(of: type))
    case .fields:
      let fields = allFields(of: model)
      return ModelDeclaration(
        name, .object(ModelObject(properties(fields, of: model.name))), documentation: documentation,
        checks: checks(of: fields))
    }
  }

  /// A model's fields behind those of its parents; its own take the place of theirs of the same name.
  func allFields(of model: Scaffold.Model) -> [Scaffold.Field] {
    var chain = [model]
    while let name = chain.last?.parent, let parent = scaffold.models.first(where: { $0.name == name }) {
      chain.append(parent)
    }
    var fields: [Scaffold.Field] = []
    for case .fields(let own) in chain.reversed().map(\.shape) {
      for field in own {
        if let index = fields.firstIndex(where: { $0.name == field.name }) {
          fields[index] = field
        } else {
          fields.append(field)
        }
      }
    }
    return fields
  }

  func properties(_ fields: [Scaffold.Field], of owner: String) -> [ModelProperty] {
    var taken: Set<String> = []
    return fields.map { field in
      let name = SwiftSpelling.unique(ModelName.property(field.name), among: &taken)
      let type = type(field.type)
      return ModelProperty(
        field.name, name: name, type: field.isRequired || type.isNullable ? type : .nullable(type),
        isRequired: field.isRequired, isIndirect: reaches(owner, from: field.type), isLenient: true,
        documentation: Self.lines(field.comment))
    }
  }

  /// Tells whether a value of a type holds, without a list between, a value of the model `owner`.
  private func reaches(_ owner: String, from type: Scaffold.FieldType) -> Bool {
    var seen: Set<String> = []
    var pending = [type]
    while let type = pending.popLast() {
      guard case .model(let name) = type else { continue }
      if name == owner { return true }
      guard seen.insert(name).inserted, let model = scaffold.models.first(where: { $0.name == name }) else { continue }
      switch model.shape {
      case .other(let type): pending.append(type)
      case .fields: pending += allFields(of: model).map(\.type)
      }
    }
    return false
  }

  /// A comment as a paragraph of documentation.
  static func lines(_ comment: String?) -> [String] {
    let words = comment?.split(whereSeparator: \.isWhitespace) ?? []
    return words.isEmpty ? [] : [words.joined(separator: " ")]
  }
}

// MARK: What must hold

extension ScaffoldModels {
  private func checks(of fields: [Scaffold.Field]) -> [ModelCheck] {
    let required = fields.filter(\.isRequired).map(\.name)
    let members = fields.compactMap { field -> ModelMembers.Named? in
      let own = checks(of: field.type)
      guard !own.isEmpty else { return nil }
      if field.isRequired { return ModelMembers.Named(field.name, own) }
      if case .kinds(let kinds)? = own.first, own.count == 1 {
        return ModelMembers.Named(field.name, [.kinds(kinds + [.null])])
      }
      return ModelMembers.Named(field.name, [.any([[.kinds([.null])], own])])
    }
    return [.kinds([.object])] + (required.isEmpty ? [] : [.required(required)])
      + (members.isEmpty ? [] : [.members(ModelMembers(named: members))])
  }

  private func checks(of type: Scaffold.FieldType) -> [ModelCheck] {
    switch type {
    case .any: []
    case .bool: [.kinds([.boolean])]
    case .whole: [.kinds([.integer])]
    case .number: [.kinds([.number])]
    case .text: [.kinds([.string])]
    case .object: [.kinds([.object])]
    case .list(let element):
      [.kinds([.array])]
        + (checks(of: element).isEmpty ? [] : [.elements(first: [], rest: checks(of: element))])
    case .model(let name): [.declaration(modelNames[name] ?? name)]
    case .enumeration(let name): [.declaration(enumerationNames[name] ?? name)]
    }
  }
}

extension Scaffold.Case.Value {
  var json: JSONValue {
    switch self {
    case .text(let text): .string(text)
    case .number(let number): JSONValue(number)
    }
  }
}
