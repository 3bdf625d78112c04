package import MPaaSJSON

/// Compiled schemas, which tell of values whether they are as they should be.
package struct SchemaValidator: Sendable {
  /// The way that a value travels, where it matters for words of OpenAPI.
  package enum Direction: Sendable {
    case any
    /// To the server: what is `readOnly` need not be there.
    case request
    /// To the client: what is `writeOnly` need not be there.
    case response
  }

  /// The most violations that are told of one value.
  package static let mostViolations = 100

  let schemas: [CompiledSchema]
  let dynamic: [[String: Int]]
  let recursive: [Int?]

  init(schemas: [CompiledSchema], dynamic: [[String: Int]], recursive: [Int?]) {
    self.schemas = schemas
    self.dynamic = dynamic
    self.recursive = recursive
  }

  /// Tells whether a value keeps the schema.
  package func accepts(_ node: JSONNode, by schema: Int, _ direction: Direction = .any) -> Bool {
    var evaluation = SchemaEvaluation(self, direction, collects: false)
    var looked: LookedAt?
    return evaluation.check(schema, node, &looked)
  }

  /// The words of the schema that a value does not keep, in the order in which they are checked.
  package func violations(
    of node: JSONNode, by schema: Int, _ direction: Direction = .any
  ) -> [SchemaViolation] {
    guard !accepts(node, by: schema, direction) else { return [] }
    var evaluation = SchemaEvaluation(self, direction, collects: true)
    var looked: LookedAt?
    _ = evaluation.check(schema, node, &looked)
    return evaluation.violations
  }
}
