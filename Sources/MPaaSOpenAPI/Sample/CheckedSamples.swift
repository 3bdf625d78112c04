package import MPaaSJSON
import MPaaSJSONSchema

/// Samples of schemas, each of which its schema takes.
package struct CheckedSamples {
  /// The number of values that are drawn where the plainest is not taken.
  private static let mostDrawn: UInt64 = 8

  private let document: OpenAPIDocument
  private var schemas: OpenAPISchemas

  package init(_ document: OpenAPIDocument) {
    self.document = document
    schemas = OpenAPISchemas(document.library, document.version)
  }

  /// The example of a schema, or the plainest value that it takes; nil where none was found.
  ///
  /// It is the same each time.
  package mutating func sample(of schema: OpenAPISchema) -> JSONNode? {
    guard let index = schemas.index(of: schema) else { return nil }
    let validator = schemas.validator
    let seeds = [nil] + (0..<Self.mostDrawn).map { Optional($0) }
    for seed in seeds {
      var sampler = OpenAPISampler(document, .any, seed: seed)
      sampler.leavesOutCircles = true
      guard let value = try? sampler.sample(schema) else { continue }
      if validator.accepts(value, by: index, .any) { return value }
    }
    return nil
  }
}
