import MPaaSJSON
import MPaaSSupport

extension SchemaLibrary {
  /// Members of schemas that are no keywords and nearly are, such as a `minimun`.
  ///
  /// All others are remarks, as the specification says.
  var misspellings: [GenerationError] {
    schemas.flatMap { schema in
      (schema.node.members ?? []).compactMap { member in
        guard member.name.count > 4, !Schema.vocabulary.contains(member.name),
          let near = closestMatch(to: member.name, among: Schema.vocabulary.sorted())
        else { return nil }
        let position = member.position
        return GenerationError(
          .schemaUnknownKeyword, ["keyword": member.name, "suggestion": near],
          at: .text(file: documents[schema.document].file, line: position.line, column: position.column))
      }
    }
  }
}

extension Schema {
  /// The keywords of drafts 7 and 2020-12, and words of other drafts and of OpenAPI that are no slips.
  fileprivate static let vocabulary = applicators.union([
    "$schema", "$id", "$ref", "$anchor", "$dynamicRef", "$dynamicAnchor", "$vocabulary", "$comment", "title",
    "description", "default", "examples", "deprecated", "readOnly", "writeOnly", "type", "enum", "const", "multipleOf",
    "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum", "maxLength", "minLength", "pattern", "maxItems",
    "minItems", "uniqueItems", "maxContains", "minContains", "maxProperties", "minProperties", "required",
    "dependentRequired", "format", "contentMediaType", "contentEncoding", "contentSchema", "id", "example", "nullable",
    "divisibleBy", "extends", "disallow", "$recursiveRef", "$recursiveAnchor", "discriminator", "externalDocs",
    "version",
  ])
}
