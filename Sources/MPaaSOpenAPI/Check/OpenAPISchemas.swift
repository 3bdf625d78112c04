import MPaaSJSON
package import MPaaSJSONSchema
import MPaaSSupport

/// The schemas of a description, made ready to check values.
package struct OpenAPISchemas: Sendable {
  private let library: OpenAPILibrary
  private let registry: SchemaRegistry
  private var compiler: SchemaCompiler
  private var known: [OpenAPILocation: Int] = [:]
  private let addresses: [String]

  init(_ library: OpenAPILibrary, _ version: OpenAPIVersion) {
    self.library = library
    var registry = SchemaRegistry()
    addresses = library.documents.map { Self.address(of: $0) }
    for (index, document) in library.documents.enumerated() {
      var paths: [[String]] = []
      ReferenceWalk.schemas(in: document.source.root) { path, _ in paths.append(path) }
      // A file that is a schema by itself.
      if index > 0, document.source.root["openapi"] == nil { paths.append([]) }
      registry.add(
        document.source.root, at: addresses[index], dialect: Self.dialect(of: document, version), schemas: paths)
      if document.base != document.path.text { registry.alias(document.base, of: addresses[index]) }
    }
    self.registry = registry
    compiler = SchemaCompiler(registry, assertsFormats: true)
  }

  /// Paths become addresses below a folder so deep that `..` in them does not get lost.
  private static func address(of document: OpenAPILibrary.Document) -> String {
    let deep = "/-/-/-/-/-/-/-/-"
    if document.path.isAbsolute { return "file://" + document.path.text }
    return "file://" + OpenAPIPath(deep + "/" + document.path.text.dropFirst(0)).text
  }

  private static func dialect(of document: OpenAPILibrary.Document, _ version: OpenAPIVersion) -> SchemaDialect {
    let root = document.source.root
    let own = root["openapi"]?.string.flatMap { OpenAPIVersion($0) } ?? version
    if own == .v3_0 { return .openAPI30 }
    return root["jsonSchemaDialect"]?.string.flatMap { SchemaDialect(address: $0) } ?? .draft2020
  }

  /// The index of a schema in `validator`; nil where nothing stands there.
  mutating func index(of schema: OpenAPISchema) -> Int? {
    if let index = known[schema.location] { return index }
    guard addresses.indices.contains(schema.location.file) else { return nil }
    let index = compiler.compile(addresses[schema.location.file], path: schema.location.path)
    known[schema.location] = index
    return index
  }

  package var validator: SchemaValidator { compiler.validator }

  /// The same documents, with nothing compiled: what is made ready for one operation holds no other's schemas.
  func fresh() -> OpenAPISchemas {
    var copy = self
    copy.known = [:]
    copy.compiler = SchemaCompiler(registry, assertsFormats: true)
    return copy
  }

  /// Compiles each schema, so that `findings` is complete.
  mutating func compileAll() {
    for (file, document) in library.documents.enumerated() {
      ReferenceWalk.schemas(in: document.source.root) { path, node in
        _ = index(of: OpenAPISchema(location: OpenAPILocation(file: file, path: path), node: node))
      }
    }
  }

  /// The faults of the schemas that were compiled.
  var findings: [OpenAPIFinding] {
    compiler.faults.map { fault in
      let file = addresses.firstIndex(of: fault.document) ?? 0
      let place = library.documents[file].source.place(fault.position)
      let code: OpenAPIError.Code =
        switch fault.code {
        case .notSchema, .keyword: .lintKeyword
        case .referenceMissing: .referenceMissing
        case .patternMalformed: .lintPattern
        case .patternUnsupported: .lintPatternUnsupported
        }
      let key = fault.code == .referenceMissing ? "ref" : fault.code == .keyword ? "member" : "pattern"
      return OpenAPIFinding(
        severity: fault.isRemark ? .warning : .error, error: OpenAPIError(code, [key: fault.detail], at: place),
        pointer: "")
    }
  }
}
