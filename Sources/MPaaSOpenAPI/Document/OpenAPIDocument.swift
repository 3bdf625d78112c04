package import MPaaSJSON
import MPaaSSupport

/// A description of calls by OpenAPI 3.0, 3.1 or 3.2, with references followed but for those of schemas.
///
/// Members that break the specification are left out or taken by their defaults where that makes sense: the model serves, and
/// `OpenAPILint` judges.
package struct OpenAPIDocument: Sendable {
  package let version: OpenAPIVersion
  package let library: OpenAPILibrary
  package let info: OpenAPIInfo
  package let servers: [OpenAPIServer]
  package let paths: [OpenAPIPathItem]
  /// The calls that come from the other side, by name (3.1).
  package let webhooks: [OpenAPIPathItem]
  package let components: OpenAPIComponents
  /// The schemes of which one group is wanted where an operation says nothing; nil where the document does not either.
  package let security: [OpenAPISecurityRequirement]?
  package let tags: [OpenAPITag]
  /// References that led to nothing; what they stand for is missing in the model.
  package let faults: [OpenAPIError]

  package var source: JSONSource { library.documents[0].source }

  /// Reads a file of a description, and those that it refers to.
  ///
  /// - Throws: `FileError`, errors of the readers, `openapi-unknown-format`, `openapi-unknown-version`.
  package init(file: String, files: OpenAPIFiles = OpenAPIFiles()) throws {
    let source = try OpenAPISource.read(try files.client.read(file), file: file)
    try self.init(OpenAPILibrary(try OpenAPIConversion.converted(source), files: files))
  }

  /// Reads a text without other files.
  ///
  /// - Throws: Errors of the readers, `openapi-unknown-format`, `openapi-unknown-version`.
  package init(_ bytes: [UInt8], file: String) throws {
    try self.init(OpenAPILibrary(try OpenAPIConversion.converted(try OpenAPISource.read(bytes, file: file))))
  }

  package init(_ library: OpenAPILibrary) throws(OpenAPIError) {
    let source = library.documents[0].source
    let root = source.root
    version = try Self.version(of: source)
    self.library = library
    var reader = OpenAPIReader(library, version)
    info = OpenAPIInfo(root["info"])
    servers = reader.servers(root["servers"])
    security = reader.security(root["security"])
    tags = (root["tags"]?.elements ?? []).compactMap { OpenAPITag($0) }
    paths = reader.pathItems(root["paths"], at: .root["paths"])
    webhooks = reader.pathItems(root["webhooks"], at: .root["webhooks"])
    components = reader.components(root["components"])
    faults = library.faults + reader.faults
  }

  package static func version(of source: JSONSource) throws(OpenAPIError) -> OpenAPIVersion {
    guard let field = source.root["openapi"] else {
      throw OpenAPIError(.unknownFormat, at: source.place(source.root))
    }
    guard let text = field.string, let version = OpenAPIVersion(text) else {
      throw OpenAPIError(.unknownVersion, ["version": field.text], at: source.place(field))
    }
    return version
  }

  /// All operations, first those of paths, then those of webhooks, then those of callbacks.
  package var operations: [OpenAPIOperation] {
    let outer = (paths + webhooks).flatMap(\.operations)
    return outer + outer.flatMap { $0.callbacks.flatMap { $0.items.flatMap(\.operations) } }
  }

  /// The schema that a reference leads to; the schema itself where it is none.
  ///
  /// A schema beside whose reference other keywords stand (3.1) is returned as it is.
  package func resolved(_ schema: OpenAPISchema) -> OpenAPISchema? {
    guard let reference = schema.reference, version == .v3_0 || schema.node.members?.count == 1 else { return schema }
    return target(of: schema, reference)
  }

  /// The schema that the reference of a schema leads to; nil where it has none or that leads nowhere.
  package func target(of schema: OpenAPISchema) -> OpenAPISchema? {
    schema.reference.flatMap { target(of: schema, $0) }
  }

  private func target(of schema: OpenAPISchema, _ reference: String) -> OpenAPISchema? {
    guard let node = schema.node["$ref"] else { return nil }
    guard let found = try? library.resolve(node, from: schema.location.file) else { return nil }
    return OpenAPISchema(location: found.location, node: found.node)
  }
}
