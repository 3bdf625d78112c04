import MPaaSJSON
import MPaaSSupport

extension PactGeneration {
  /// The request with generated values in the places of its examples.
  package mutating func applied(to request: PactRequest) throws(PactError) -> PactRequest {
    var made = request
    for entry in request.generators[.path] {
      if let value = try value(entry.generator, example: .text(made.path)) { made.path = value.plain }
    }
    for entry in request.generators[.method] {
      if let value = try value(entry.generator, example: .text(made.method)) { made.method = value.plain }
    }
    made.query = try fields(made.query, request.generators[.query], isHeader: false)
    made.headers = try fields(made.headers, request.generators[.header], isHeader: true)
    let type = made.body.mediaType(headers: made.headers)
    made.body = try body(made.body, type, request.generators[.body])
    return made
  }

  /// The response with generated values in the places of its examples.
  package mutating func applied(to response: PactResponse) throws(PactError) -> PactResponse {
    var made = response
    for entry in response.generators[.status] {
      if let value = try value(entry.generator, example: nil), let status = value.count { made.status = status }
    }
    made.headers = try fields(made.headers, response.generators[.header], isHeader: true)
    let type = made.body.mediaType(headers: made.headers)
    made.body = try body(made.body, type, response.generators[.body])
    return made
  }

  /// The message with generated values in the places of its examples.
  package mutating func applied(to message: PactMessage) throws(PactError) -> PactMessage {
    var made = message
    for entry in message.generators[.metadata] {
      guard case .field(let name)? = entry.path.tokens.first else { continue }
      let place = made.metadata.firstIndex { $0.name == name }
      let example = place.map { made.metadata[$0].value }
      guard let value = try value(entry.generator, example: example) else { continue }
      let member = JSONNode.Member(name: name, value: value)
      if let place { made.metadata[place] = member } else { made.metadata.append(member) }
    }
    made.body = try body(made.body, made.mediaType, message.generators[.body])
    return made
  }

  private mutating func fields(
    _ fields: [PactField], _ entries: [PactGenerators.Entry], isHeader: Bool
  ) throws(PactError) -> [PactField] {
    var made = fields
    for entry in entries {
      guard case .field(let name)? = entry.path.tokens.first, let value = try value(entry.generator, example: nil)
      else { continue }
      let place = made.firstIndex { isHeader ? $0.name.lowercased() == name.lowercased() : $0.name == name }
      guard let place else {
        made.append(PactField(name, [value.plain]))
        continue
      }
      if case .index(let index)? = entry.path.tokens.dropFirst().first {
        if index < made[place].values.count { made[place].values[index] = value.plain }
      } else {
        made[place].values = made[place].values.map { _ in value.plain }
      }
    }
    return made
  }

  // MARK: Bodies

  private mutating func body(
    _ body: PactBody, _ type: MediaType, _ entries: [PactGenerators.Entry]
  ) throws(PactError) -> PactBody {
    guard body.isPresent, !entries.isEmpty else { return body }
    var made = body
    if type.isJSON, var root = PactJSON.body(body.bytes) {
      for entry in entries { root = try replaced(root, entry.path.tokens[...], entry.generator) }
      made.content = .bytes(Array(root.line.utf8))
    } else if type.isForm {
      let fields = QueryText.fields(String(decoding: body.bytes, as: UTF8.self))
      made.content = .bytes(Array(QueryText.text(try self.fields(fields, entries, isHeader: false)).utf8))
    } else if let entry = entries.first(where: { $0.path == .root }) {
      let example = JSONNode.text(String(decoding: body.bytes, as: UTF8.self))
      if let value = try value(entry.generator, example: example) { made.content = .bytes(Array(value.plain.utf8)) }
    }
    return made
  }

  /// The value with a generated one at each place of a path.
  private mutating func replaced(
    _ node: JSONNode, _ tokens: ArraySlice<PactPath.Token>, _ generator: PactGenerator
  ) throws(PactError) -> JSONNode {
    guard let token = tokens.first else { return try value(generator, example: node) ?? node }
    let rest = tokens.dropFirst()
    switch (node.content, token) {
    case (.object(let members), .field), (.object(let members), .star), (.object(let members), .index):
      var made: [JSONNode.Member] = []
      for member in members {
        let value = token.names(member.name) ? try replaced(member.value, rest, generator) : member.value
        made.append(JSONNode.Member(name: member.name, value: value))
      }
      return JSONNode(.object(made))
    case (.array(let elements), .index), (.array(let elements), .star), (.array(let elements), .starIndex):
      var made: [JSONNode] = []
      for (index, element) in elements.enumerated() {
        made.append(token.reaches(index) ? try replaced(element, rest, generator) : element)
      }
      return JSONNode(.array(made))
    default: return node
    }
  }
}

extension PactPath.Token {
  fileprivate func names(_ name: String) -> Bool {
    switch self {
    case .field(let own): own == name
    case .index(let index): String(index) == name
    case .star: true
    case .starIndex: false
    }
  }

  fileprivate func reaches(_ index: Int) -> Bool {
    switch self {
    case .index(let own): own == index
    case .star, .starIndex: true
    case .field: false
    }
  }
}
