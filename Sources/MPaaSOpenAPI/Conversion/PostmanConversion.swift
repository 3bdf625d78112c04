import MPaaSJSON

/// Makes OpenAPI 3.0 of a collection of Postman's (version 2): its saved answers become examples, its bodies schemas.
struct PostmanConversion {
  private let root: JSONNode

  init(_ root: JSONNode) {
    self.root = root
  }

  private struct Call {
    let path: String
    let method: String
    var operation: JSONNode
    var bodies: [(type: String, schema: JSONNode)]
    var responses: [JSONNode]
  }

  func document() -> JSONNode {
    var calls: [Call] = []
    var schemes: [(String, JSONNode?)] = []
    collect(root, auth: root["auth"], &calls, &schemes, depth: 0)
    var paths: [(String, [(String, JSONNode?)])] = []
    for call in calls {
      let operation = finished(call)
      if let index = paths.firstIndex(where: { $0.0 == call.path }) {
        paths[index].1.append((call.method, operation))
      } else {
        paths.append((call.path, [(call.method, operation)]))
      }
    }
    let info = JSONNode.made([("title", root["info"]?["name"] ?? .text("")), ("version", .text("1"))])
    return .made([
      ("openapi", .text("3.0.3")), ("info", info), ("paths", .made(paths.map { ($0.0, .made($0.1)) })),
      ("components", .made([("securitySchemes", .made(schemes))])),
    ])
  }

  private func collect(
    _ folder: JSONNode, auth: JSONNode?, _ calls: inout [Call], _ schemes: inout [(String, JSONNode?)], depth: Int
  ) {
    guard depth < 64 else { return }
    for item in folder["item"]?.elements ?? [] {
      let own = item["auth"] ?? auth
      if item["item"] != nil { collect(item, auth: own, &calls, &schemes, depth: depth + 1) }
      guard let request = item["request"] else { continue }
      let (path, query) = Self.address(request["url"] ?? (request.string.map { .text($0) }) ?? .text("/"))
      let method = (request["method"]?.string ?? "GET").lowercased()
      let bodies = Self.body(request).map { [$0] } ?? []
      let responses = item["response"]?.elements ?? []
      if let index = calls.firstIndex(where: { $0.path == path && $0.method == method }) {
        calls[index].bodies += bodies
        calls[index].responses += responses
        continue
      }
      var operation = JSONNode.made([
        ("summary", item["name"]), ("description", item["description"] ?? request["description"]),
        ("parameters", JSONNode(.array(Self.parameters(path, query)))),
      ])
      if let security = Self.security(request["auth"] ?? own, &schemes) {
        operation = operation.setting("security", security)
      }
      calls.append(
        Call(path: path, method: method, operation: operation, bodies: bodies, responses: responses))
    }
  }

  private func finished(_ call: Call) -> JSONNode {
    var operation = call.operation
    var content: [(String, [JSONNode])] = []
    for (type, schema) in call.bodies {
      if let index = content.firstIndex(where: { $0.0 == type }) {
        content[index].1.append(schema)
      } else {
        content.append((type, [schema]))
      }
    }
    if !content.isEmpty {
      let media = content.map { type, schemas -> (String, JSONNode?) in
        let schema = schemas.count == 1 ? schemas[0] : JSONNode.made([("anyOf", JSONNode(.array(schemas)))])
        return (type, .made([("schema", schema)]))
      }
      operation = operation.setting("requestBody", .made([("content", .made(media))]))
    }
    return operation.setting("responses", Self.responses(call.responses))
  }

  // MARK: Requests

  /// The path with parameters in braces, and the fields of the query.
  private static func address(_ url: JSONNode) -> (path: String, query: [String]) {
    var segments = (url["path"]?.elements ?? []).map { $0["value"]?.text ?? $0.text }
    var query = (url["query"]?.elements ?? []).compactMap { $0["key"]?.string }
    if url["path"] == nil {
      let text = url["raw"]?.string ?? url.string ?? ""
      var rest = text[...]
      if let scheme = rest.firstRange(of: "://") { rest = rest[scheme.upperBound...] }
      let parts = rest.split(separator: "?", maxSplits: 1)
      segments = (parts.first ?? "").split(separator: "/").dropFirst().map(String.init)
      if parts.count > 1 { query = FormFields(String(parts[1])).fields.map { String($0.name) } }
    }
    let path = segments.map { segment in
      if segment.hasPrefix(":") { return "{\(segment.dropFirst())}" }
      if segment.hasPrefix("{{"), segment.hasSuffix("}}") { return "{\(segment.dropFirst(2).dropLast(2))}" }
      return segment
    }
    return ("/" + path.joined(separator: "/"), query)
  }

  private static func parameters(_ path: String, _ query: [String]) -> [JSONNode] {
    let names = PathTemplate(path).names.map { ($0, "path") } + query.map { ($0, "query") }
    return names.map { name, place in
      .made([
        ("name", .text(name)), ("in", .text(place)), ("required", JSONNode(.bool(place == "path"))),
        ("schema", .made([("type", .text("string"))])),
      ])
    }
  }

  private static func header(_ name: String, of node: JSONNode) -> String? {
    (node["header"]?.elements ?? []).first { $0["key"]?.string?.lowercased() == name }?["value"]?.string
  }

  private static func body(_ request: JSONNode) -> (type: String, schema: JSONNode)? {
    guard let body = request["body"] else { return nil }
    let type = header("content-type", of: request)
    if let fields = body["urlencoded"]?.elements ?? body["formdata"]?.elements {
      let usual = body["formdata"] == nil ? "application/x-www-form-urlencoded" : "multipart/form-data"
      let properties = fields.compactMap { field -> (String, JSONNode?)? in
        field["key"]?.string.map { ($0, .made([("type", .text("string"))])) }
      }
      return (type ?? usual, .made([("type", .text("object")), ("properties", .made(properties))]))
    }
    guard let text = body["raw"]?.string ?? body.string, !text.isEmpty else { return nil }
    guard let value = try? JSONSource(parsing: Array(text.utf8), file: "", depth: OpenAPISource.depth).root else {
      return (type ?? "text/plain", .made([("type", .text("string"))]))
    }
    return (type ?? "application/json", schema(of: value, depth: 0))
  }

  /// The schema that a value shows, in which nothing is required.
  private static func schema(of value: JSONNode, depth: Int) -> JSONNode {
    guard depth < 64 else { return .made([]) }
    switch value.content {
    case .null: return .made([("nullable", JSONNode(.bool(true)))])
    case .bool: return .made([("type", .text("boolean"))])
    case .number(let number): return .made([("type", .text(number.isWhole ? "integer" : "number"))])
    case .string: return .made([("type", .text("string"))])
    case .array(let elements):
      let items = elements.first.map { schema(of: $0, depth: depth + 1) } ?? .made([])
      return .made([("type", .text("array")), ("items", items)])
    case .object(let members):
      let properties = members.map { ($0.name, Optional(schema(of: $0.value, depth: depth + 1))) }
      return .made([("type", .text("object")), ("properties", .made(properties))])
    }
  }

  private static func security(_ auth: JSONNode?, _ schemes: inout [(String, JSONNode?)]) -> JSONNode? {
    guard let auth, let type = auth["type"]?.string else { return nil }
    func value(_ key: String) -> String? {
      (auth[type]?.elements ?? []).first { $0["key"]?.string == key }?["value"]?.string
    }
    let scheme: JSONNode
    switch type {
    case "noauth": return JSONNode(.array([]))
    case "basic", "bearer", "digest": scheme = .made([("type", .text("http")), ("scheme", .text(type))])
    case "apikey":
      scheme = .made([
        ("type", .text("apiKey")), ("in", .text(value("in") ?? "header")), ("name", .text(value("key") ?? "X-API-Key")),
      ])
    // Its tokens come in any of the flows; what is seen is a bearer's.
    case "oauth2", "jwt": scheme = .made([("type", .text("http")), ("scheme", .text("bearer"))])
    default: return nil
    }
    let name = type + (value("in") ?? "") + (value("key") ?? "")
    if !schemes.contains(where: { $0.0 == name }) { schemes.append((name, scheme)) }
    return JSONNode(.array([.made([(name, JSONNode(.array([])))])]))
  }

  // MARK: Responses

  private static func responses(_ saved: [JSONNode]) -> JSONNode {
    var codes: [(String, [JSONNode])] = []
    for response in saved {
      let code = response["code"]?.text ?? "default"
      if let index = codes.firstIndex(where: { $0.0 == code }) {
        codes[index].1.append(response)
      } else {
        codes.append((code, [response]))
      }
    }
    return .made(codes.map { ($0.0, response($0.1)) })
  }

  private static func response(_ saved: [JSONNode]) -> JSONNode {
    var content: [(String, [(String, JSONNode?)])] = []
    var headers: [(String, JSONNode?)] = []
    for (index, response) in saved.enumerated() {
      for header in response["header"]?.elements ?? [] {
        guard let name = header["key"]?.string, name.lowercased() != "content-type" else { continue }
        headers.append((name, .made([("schema", .made([("type", .text("string"))])), ("example", header["value"])])))
      }
      guard let body = response["body"]?.string else { continue }
      let type = header("content-type", of: response) ?? "text/plain"
      let name = response["name"]?.string ?? response["id"]?.string ?? "\(index)"
      let isJSON = MediaTypeName(type)?.isJSON ?? false
      let value = isJSON ? try? JSONSource(parsing: Array(body.utf8), file: "", depth: OpenAPISource.depth).root : nil
      let example = JSONNode.made([("value", value ?? .text(body))])
      if let known = content.firstIndex(where: { $0.0 == type }) {
        content[known].1.append((name, example))
      } else {
        content.append((type, [(name, example)]))
      }
    }
    return .made([
      ("description", saved.first?["description"] ?? .text("")), ("headers", headers.isEmpty ? nil : .made(headers)),
      ("content", content.isEmpty ? nil : .made(content.map { ($0.0, .made([("examples", .made($0.1))])) })),
    ])
  }
}
