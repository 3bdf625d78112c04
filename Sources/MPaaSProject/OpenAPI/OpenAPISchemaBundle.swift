import MPaaSJSON
import MPaaSOpenAPI
import MPaaSSupport

/// The schemas of a description as documents of JSON Schema, one for each file, in which references lead to `$defs`.
///
/// Rewrites the keywords in which OpenAPI differs from JSON Schema in the latter's words.
struct OpenAPISchemaBundle {
  let document: OpenAPIDocument
  private(set) var roots: [SchemaCompiler.Root] = []
  /// The schemas that could not be taken as they are.
  private(set) var notes: [GenerationError] = []
  /// References that lead to no schema.
  private(set) var missing: [OpenAPIError] = []
  var definitions: [OpenAPISchemaDefinition] = []
  private var indexes: [OpenAPILocation: Int] = [:]
  private var rootIndexes: [OpenAPILocation: Int] = [:]
  private var names: Set<String>
  private var keys: Set<String> = []
  private var unread: [Int] = []

  init(_ document: OpenAPIDocument, taken: Set<String>) {
    self.document = document
    names = taken.union(SwiftSpelling.reservedTypes)
  }

  /// Adds a schema that is used; the number of its root.
  ///
  /// - Parameter name: The name for its type where it needs one.
  mutating func use(_ schema: OpenAPISchema, name: String) -> Int {
    if let known = rootIndexes[schema.location] { return known }
    let isNamed = schema.location.componentName != nil && schema.location.path[1] == "schemas"
    let type = isNamed ? claim(name) : ModelName.type(name)
    let index = definition(schema, name: type, isNamed: isNamed)
    return root(index, schema.location)
  }

  /// The name of the type of a component's schema that is used.
  func typeName(of schema: OpenAPISchema) -> String? {
    indexes[schema.location].map { definitions[$0] }.flatMap { $0.isNamed ? $0.name : nil }
  }

  private mutating func root(_ index: Int, _ location: OpenAPILocation) -> Int {
    if let known = rootIndexes[location] { return known }
    let definition = definitions[index]
    rootIndexes[location] = roots.count
    roots.append(
      SchemaCompiler.Root(
        document: location.file, key: definition.key, name: definition.name, isNamed: definition.isNamed))
    return roots.count - 1
  }

  private mutating func key(_ name: String) -> String {
    let key = keys.insert(name).inserted ? name : "\(name)\(definitions.count)"
    keys.insert(key)
    return key
  }

  private mutating func claim(_ name: String) -> String {
    let name = ModelName.unique(ModelName.type(name), among: names)
    names.insert(name)
    return name
  }

  private mutating func definition(_ schema: OpenAPISchema, name: String, isNamed: Bool) -> Int {
    if let known = indexes[schema.location] { return known }
    let index = definitions.count
    indexes[schema.location] = index
    definitions.append(
      OpenAPISchemaDefinition(
        key: key(name), name: name, isNamed: isNamed, location: schema.location, node: schema.node))
    unread.append(index)
    return index
  }

  /// The documents for the compiler; to be called when all schemas have been added.
  mutating func documents() -> [JSONSource] {
    while let index = unread.popLast() {
      let location = definitions[index].location
      var rewriting = OpenAPISchemaRewriting(file: location.file, version: document.version)
      definitions[index].node = rewriting.schema(definitions[index].node) { reference in
        target(reference, from: location.file)
      }
      notes += rewriting.patterns.map { node in
        GenerationError(
          .schemaPattern, ["pattern": node.string ?? ""], at: document.library.place(node, in: location.file))
      }
    }
    cutCircles()
    let version =
      document.version == .v3_0
      ? "http://json-schema.org/draft-07/schema#" : "https://json-schema.org/draft/2020-12/schema"
    return document.library.documents.enumerated().map { file, document in
      let schemas = definitions.filter { $0.location.file == file }.map {
        JSONNode.Member(name: $0.key, value: $0.node, position: $0.node.position)
      }
      let root = JSONNode(
        .object([
          .init(name: "$id", value: JSONNode(.string(Self.address(file)))),
          .init(name: "$schema", value: JSONNode(.string(version))),
          .init(name: "$defs", value: JSONNode(.object(schemas))),
        ]))
      return JSONSource(file: document.source.file, root: root)
    }
  }

  static func address(_ file: Int) -> String { "mpaas-openapi:/\(file)" }

  /// The schema that a reference leads to; nil where that is missing, which the reader of the description reports.
  private mutating func target(_ reference: JSONNode, from file: Int) -> Int? {
    guard let text = reference.string, let location = document.library.target(of: text, from: file),
      let node = document.library.node(at: location)
    else {
      missing.append(
        OpenAPIError(
          .referenceMissing, ["ref": reference.string ?? ""], at: document.library.place(reference, in: file)))
      return nil
    }
    if let known = indexes[location] { return known }
    // A schema of a file of its own is called as the file is.
    let isComponent = location.componentName != nil && location.path[1] == "schemas"
    let isFile = location.path.isEmpty
    let stem = document.library.documents[location.file].source.file.split(separator: "/").last ?? "Schema"
    let last = location.path.last { Int($0) == nil } ?? String(stem.prefix { $0 != "." })
    let isNamed = isComponent || isFile || location.path.count == 1
    let name = isNamed ? claim(last) : ModelName.type(last)
    let index = definition(OpenAPISchema(location: location, node: node), name: name, isNamed: isNamed)
    if isNamed { _ = root(index, location) }
    return index
  }

  /// The reference to a definition.
  func reference(to index: Int) -> String {
    Self.address(definitions[index].location.file) + "#/$defs/" + definitions[index].key
  }

  /// Adds a definition that stands in none of the files.
  mutating func derive(from index: Int, _ node: JSONNode) -> Int {
    let origin = definitions[index]
    definitions.append(
      OpenAPISchemaDefinition(
        key: key(origin.name + "Base"), name: origin.name + "Base", isNamed: false, location: origin.location,
        node: node))
    return definitions.count - 1
  }
}

/// A schema under `$defs`.
struct OpenAPISchemaDefinition {
  let key: String
  let name: String
  let isNamed: Bool
  let location: OpenAPILocation
  var node: JSONNode
}
