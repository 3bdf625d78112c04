import MPaaSJSON
import MPaaSOpenAPI
import MPaaSSupport

/// Names what a description has, and decides what is generated.
struct OpenAPIPlanner {
  private let document: OpenAPIDocument
  private let only: Set<String>
  /// Tells whether operations are many and have no tags.
  private let isGroupedByPath: Bool
  private var plan: OpenAPIPlan
  /// The names of types at the top, those of operations among them.
  private var types: Set<String>
  private var functions: Set<String> = []
  /// The groups of operations that callbacks have, which are those of their owners.
  private var owners: [OpenAPILocation: String] = [:]

  init(_ document: OpenAPIDocument, name: String, only: [String]) {
    self.document = document
    self.only = Set(only)
    let operations = document.operations
    isGroupedByPath = operations.count > 20 && operations.allSatisfy(\.tags.isEmpty)
    let parts = ["Client", "Server", "Router", "Credentials", "Webhooks", "Shapes", "Patterns", "Checks"]
    types = Set(parts.map { name + $0 })
    types.formUnion(SwiftAPISupport.reservedTypes)
    plan = OpenAPIPlan(document: document, name: name, bundle: OpenAPISchemaBundle(document, taken: types))
  }

  /// The plan of the whole description, or of the tags and operations that are asked for.
  mutating func planned() throws(GenerationError) -> OpenAPIPlan {
    var found: Set<String> = []
    var named: [(operation: OpenAPIOperation, side: OpenAPIPlan.PlannedOperation.Side, owner: String)] = []
    func add(_ items: [OpenAPIPathItem], _ side: OpenAPIPlan.PlannedOperation.Side) {
      for operation in items.flatMap(\.operations) {
        let words = operation.tags + [operation.id, "\(operation.method) \(operation.path)"].compactMap(\.self)
        if !only.isEmpty {
          guard !only.isDisjoint(with: words) else { continue }
          found.formUnion(words)
        }
        named.append((operation, side, ""))
        for callback in operation.callbacks {
          for inner in callback.items.flatMap(\.operations) {
            named.append((inner, .callback(callback.name), Self.id(operation)))
            owners[inner.location] = group(operation, side)
          }
        }
      }
    }
    add(document.paths, .path)
    add(document.webhooks, .webhook)
    for word in only.sorted() where !found.contains(word) {
      throw GenerationError(
        .apiOnlyUnknown, ["name": word], at: document.library.place(document.source.root, in: 0))
    }
    types.formUnion(SwiftSpelling.reservedTypes)
    let components = Set(document.components.schemas.map { ModelName.type($0.name) })
    var names: [String] = []
    for item in named { names.append(typeName(item.operation, item.side, item.owner, components)) }
    plan.bundle = OpenAPISchemaBundle(document, taken: types)
    if only.isEmpty {
      plan.components = document.components.schemas.map { plan.bundle.use($0.schema, name: $0.name) }
    }
    for (item, type) in zip(named, names) {
      plan.operations.append(operation(item.operation, item.side, item.owner, type))
    }
    return plan
  }

  // MARK: Names

  /// The name that the description gives, or method and path.
  private static func id(_ operation: OpenAPIOperation) -> String {
    if let id = operation.id, !id.isEmpty { return id }
    return "\(operation.method.lowercased()) \(operation.path)"
  }

  private mutating func typeName(
    _ operation: OpenAPIOperation, _ side: OpenAPIPlan.PlannedOperation.Side, _ owner: String,
    _ components: Set<String>
  ) -> String {
    var name = ModelName.type(Self.id(operation))
    if case .callback(let callback) = side {
      name = ModelName.type(operation.id ?? "\(owner) \(callback) \(operation.method.lowercased())")
    } else if side == .webhook {
      name = ModelName.type(operation.id ?? operation.path)
    }
    // A component keeps its name.
    if components.contains(name) || SwiftSpelling.reservedTypes.contains(name) { name += "Operation" }
    name = ModelName.unique(name, among: types)
    types.insert(name)
    return name
  }

  /// The tag, or the first part of the path that is neither a version nor a parameter.
  private func group(_ operation: OpenAPIOperation, _ side: OpenAPIPlan.PlannedOperation.Side) -> String {
    if side == .webhook { return "Webhooks" }
    if let tag = operation.tags.first { return ModelName.type(tag) }
    let parts = operation.path.split(separator: "/").map(String.init)
    guard isGroupedByPath else { return "Operations" }
    let part = parts.first { part in
      !part.hasPrefix("{") && !(part.first == "v" && part.dropFirst().allSatisfy(\.isNumber) && part.count > 1)
    }
    return ModelName.type(part ?? "Operations")
  }

  // MARK: Operations

  private mutating func operation(
    _ source: OpenAPIOperation, _ side: OpenAPIPlan.PlannedOperation.Side, _ owner: String, _ type: String
  ) -> OpenAPIPlan.PlannedOperation {
    let function = ModelName.unique(ModelName.property(type), among: functions)
    functions.insert(function)
    var side = side
    if case .callback(let name) = side { side = .callback(ModelName.type("\(owner) \(name) Callbacks")) }
    var taken: Set<String> = []
    var planned = OpenAPIPlan.PlannedOperation(
      source: source, id: Self.id(source), type: type, function: function,
      group: owners[source.location] ?? group(source, side), side: side)
    for parameter in source.parameters {
      // Header fields of HTTP itself are no parameters (OpenAPI, "Parameter Object").
      if parameter.place == .header, ["accept", "content-type", "authorization"].contains(parameter.name.lowercased()) {
        continue
      }
      let name = SwiftSpelling.uniquePlain(ModelName.property(parameter.name), among: &taken)
      let value = value(parameter.value, name: "\(type) \(parameter.name)")
      let fallback = parameter.isRequired ? nil : value.schema.flatMap { document.resolved($0)?.node["default"] }
      planned.parameters.append(
        .init(source: parameter, name: name, value: value, isRequired: parameter.isRequired, fallback: fallback))
    }
    if let body = source.requestBody {
      planned.body = .init(
        isRequired: body.isRequired, documentation: body.description,
        contents: contents(body.content, "\(type) Body", file: body.location.file))
    }
    var cases: Set<String> = ["undocumented"]
    for response in source.responses {
      planned.responses.append(self.response(response, type, &cases))
    }
    return planned
  }

  private mutating func value(_ value: OpenAPIEncodedValue, name: String) -> OpenAPIPlan.PlannedValue {
    let schema = value.content.map(\.schema) ?? value.schema
    let root = schema.map { plan.bundle.use($0, name: name) }
    return OpenAPIPlan.PlannedValue(
      root: root, schema: schema, style: value.style, explodes: value.explodes, contentType: value.content?.type)
  }

  private mutating func response(
    _ source: OpenAPIResponse, _ type: String, _ cases: inout Set<String>
  ) -> OpenAPIPlan.PlannedResponse {
    let name = SwiftSpelling.uniquePlain(HTTPStatusNames.name(source.status), among: &cases)
    var taken: Set<String> = ["body", "status"]
    var headers: [OpenAPIPlan.PlannedHeader] = []
    for header in source.headers where header.name.lowercased() != "content-type" {
      let property = SwiftSpelling.uniquePlain(ModelName.property(header.name), among: &taken)
      headers.append(
        .init(source: header, name: property, value: value(header.value, name: "\(type) \(name) \(header.name)")))
    }
    return OpenAPIPlan.PlannedResponse(
      source: source, name: name, headers: headers, contents: contents(source.content, "\(type) \(name)", file: 0))
  }

  private mutating func contents(
    _ types: [OpenAPIMediaType], _ name: String, file: Int
  ) -> [OpenAPIPlan.PlannedContent] {
    var taken: Set<String> = []
    return types.map { type in
      var kind = OpenAPIPlan.PlannedContent.Kind(type.type)
      let word = Self.word(kind, type.type)
      let schema = kind == .jsonLines || kind == .events ? type.itemSchema : type.schema
      var parts: [OpenAPIPlan.PlannedPart] = []
      if kind == .multipart { parts = self.parts(type, name) }
      let isTyped = [.json, .form, .xml, .jsonLines].contains(kind) || kind == .text && schema != nil
      if kind == .jsonLines, schema == nil { kind = .bytes }
      return OpenAPIPlan.PlannedContent(
        kind: kind, source: type, name: SwiftSpelling.uniquePlain(word, among: &taken),
        root: isTyped ? schema.map { plan.bundle.use($0, name: name) } : nil, schema: schema, parts: parts)
    }
  }

  private static func word(_ kind: OpenAPIPlan.PlannedContent.Kind, _ type: String) -> String {
    switch type {
    case "application/json": return "json"
    case "application/xml": return "xml"
    case "text/plain": return "plainText"
    case "application/octet-stream": return "binary"
    case "application/x-www-form-urlencoded": return "form"
    case "multipart/form-data": return "multipart"
    case "*/*": return "any"
    default: return ModelName.property(String(type.replacing("*", with: "any")))
    }
  }

  /// The properties of an object, each a part of its own; none where the schema names none.
  private mutating func parts(_ type: OpenAPIMediaType, _ name: String) -> [OpenAPIPlan.PlannedPart] {
    guard let schema = type.schema else { return [] }
    var taken: Set<String> = ["additional"]
    var parts: [OpenAPIPlan.PlannedPart] = []
    let shape = OpenAPIShapeReader(document)
    for (jsonName, property, isRequired) in shape.properties(schema) {
      let resolved = document.resolved(property) ?? property
      let items = shape.isList(resolved) ? resolved["items"] : nil
      let element = items.flatMap { document.resolved($0) } ?? items ?? resolved
      let encoding = type.encodings.first { $0.name == jsonName }
      let isFile = shape.isFile(element, encoding?.contentType)
      parts.append(
        .init(
          jsonName: jsonName, name: SwiftSpelling.uniquePlain(ModelName.property(jsonName), among: &taken),
          root: isFile ? nil : plan.bundle.use(items ?? property, name: "\(name) \(jsonName)"),
          schema: items ?? property,
          isFile: isFile, isList: items != nil, isRequired: isRequired, encoding: encoding,
          documentation: resolved.node["description"]?.string))
    }
    return parts
  }
}
