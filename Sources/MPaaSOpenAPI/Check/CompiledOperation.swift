import MPaaSJSON
import MPaaSJSONSchema

/// An operation with all that checks of its requests and answers need.
struct CompiledOperation: Sendable {
  struct Value: Sendable {
    let parameter: OpenAPIParameter
    let reader: ParameterReader
    let schema: Int?
    /// The media type of a value that is written in one.
    let content: MediaTypeName?
  }

  struct Media: Sendable {
    let name: MediaTypeName?
    let media: OpenAPIMediaType
    let shape: ValueShape
    let schema: Int?
  }

  struct Response: Sendable {
    let response: OpenAPIResponse
    let content: [Media]
    let headers: [(header: OpenAPIHeader, reader: ParameterReader, schema: Int?)]
  }

  let operation: OpenAPIOperation
  let validator: SchemaValidator
  let path: [Value]
  let query: [Value]
  let headers: [Value]
  let cookies: [Value]
  let wholeQuery: Value?
  let body: [Media]
  let responses: [Response]

  init(_ operation: OpenAPIOperation, _ document: OpenAPIDocument, _ base: OpenAPISchemas) {
    var schemas = base.fresh()
    self.operation = operation
    let values = operation.parameters.map { Self.value($0, document, &schemas) }
    path = values.filter { $0.parameter.place == .path }
    query = values.filter { $0.parameter.place == .query }
    headers = values.filter { value in
      // These are told by security and by bodies.
      value.parameter.place == .header
        && !["accept", "content-type", "authorization"].contains(value.parameter.name.lowercased())
    }
    cookies = values.filter { $0.parameter.place == .cookie }
    wholeQuery = values.first { $0.parameter.place == .querystring }
    body = (operation.requestBody?.content ?? []).map { Self.media($0, document, &schemas) }
    responses = operation.responses.map { response in
      Response(
        response: response, content: response.content.map { Self.media($0, document, &schemas) },
        headers: response.headers.map { header in
          let schema = header.value.schema
          let reader = ParameterReader(
            name: header.name, style: .simple, explodes: header.value.explodes,
            shape: ValueShape(schema, in: document))
          return (header, reader, schema.flatMap { schemas.index(of: $0) })
        })
    }
    validator = schemas.validator
  }

  private static func value(
    _ parameter: OpenAPIParameter, _ document: OpenAPIDocument, _ schemas: inout OpenAPISchemas
  ) -> Value {
    let encoded = parameter.value
    let schema = encoded.schema ?? encoded.content?.schema
    let reader = ParameterReader(
      name: parameter.name, style: encoded.style, explodes: encoded.explodes,
      shape: ValueShape(schema, in: document))
    return Value(
      parameter: parameter, reader: reader, schema: schema.flatMap { schemas.index(of: $0) },
      content: encoded.content.flatMap { MediaTypeName($0.type) })
  }

  private static func media(
    _ media: OpenAPIMediaType, _ document: OpenAPIDocument, _ schemas: inout OpenAPISchemas
  ) -> Media {
    Media(
      name: MediaTypeName(media.type), media: media, shape: ValueShape(media.schema, in: document),
      schema: media.schema.flatMap { schemas.index(of: $0) })
  }
}
