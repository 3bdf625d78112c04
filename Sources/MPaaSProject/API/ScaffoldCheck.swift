import MPaaSJSON
import MPaaSSupport

/// Tells whether everything that a scaffold refers to is there.
struct ScaffoldCheck {
  private let scaffold: Scaffold
  private let file: String
  private let models: [String: Scaffold.Model]
  private let enumerations: Set<String>

  init(_ scaffold: Scaffold, file: String) {
    self.scaffold = scaffold
    self.file = file
    models = Dictionary(scaffold.models.map { ($0.name, $0) }) { first, _ in first }
    enumerations = Set(scaffold.enumerations.map(\.name))
  }

  func run() throws(GenerationError) {
    for model in scaffold.models {
      try checkParents(of: model)
      try checkNames(of: model)
      switch model.shape {
      case .fields(let fields): try check(fields, in: model.name)
      case .other(let type): try check(type, in: model.name, at: model.position)
      }
    }
    for call in scaffold.calls {
      try check(call.parameters + call.headers, in: call.title)
      for type in [call.request, call.response].compactMap(\.self) {
        try check(type, in: call.title, at: call.position)
      }
    }
  }

  private func check(_ fields: [Scaffold.Field], in owner: String) throws(GenerationError) {
    for field in fields { try check(field.type, in: "\(owner).\(field.name)", at: field.position) }
  }

  private func check(
    _ type: Scaffold.FieldType, in owner: String, at position: TextPosition
  ) throws(GenerationError) {
    for reference in type.references {
      switch reference {
      case .model(let name) where models[name] == nil:
        throw unknown("{\(name)}", name, among: models.keys.sorted(), in: owner, at: position)
      case .enumeration(let name) where !enumerations.contains(name):
        throw unknown("<\(name)>", name, among: enumerations.sorted(), in: owner, at: position)
      default: break
      }
    }
  }

  private func unknown(
    _ type: String, _ name: String, among names: [String], in owner: String, at position: TextPosition
  ) -> GenerationError {
    error(
      .scaffoldUnknownType, ["type": type, "owner": owner], at: position,
      details: ScaffoldReader.suggestion(closestMatch(to: name, among: names)))
  }

  private func checkParents(of model: Scaffold.Model) throws(GenerationError) {
    var path = [model.name]
    var current = model
    while let name = current.parent {
      guard let parent = models[name], case .fields = parent.shape else {
        throw unknown("{\(name)}", name, among: models.keys.sorted(), in: current.name, at: current.position)
      }
      guard !path.contains(name) else {
        let cycle = (path + [name]).joined(separator: " < ")
        throw error(.scaffoldInheritanceCycle, ["name": model.name, "path": cycle], at: model.position)
      }
      path.append(name)
      current = parent
    }
  }

  /// Another name of a type must not come back to itself: it would be the name of nothing.
  private func checkNames(of model: Scaffold.Model) throws(GenerationError) {
    var path = [model.name]
    var current = model
    while case .other(.model(let name)) = current.shape, let next = models[name] {
      guard !path.contains(name) else {
        let cycle = (path + [name]).joined(separator: " < ")
        throw error(.scaffoldInheritanceCycle, ["name": model.name, "path": cycle], at: model.position)
      }
      path.append(name)
      current = next
    }
  }

  private func error(
    _ code: GenerationError.Code, _ values: [String: String], at position: TextPosition,
    details: [Diagnostic.Detail] = []
  ) -> GenerationError {
    let place = Place.text(file: file, line: position.line, column: position.column)
    return GenerationError(code, values, at: place, details: details)
  }
}
