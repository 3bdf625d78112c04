import MPaaSJSON

/// Makes OpenAPI 3.0 of Swagger 2.0.
///
/// - Source: https://spec.openapis.org/oas/v2.0.
struct SwaggerConversion {
  private let root: JSONNode

  init(_ root: JSONNode) {
    self.root = root
  }

  func document() -> JSONNode {
    let parameters = root["parameters"] ?? JSONNode(.object([]))
    let components = JSONNode.made([
      ("schemas", root["definitions"].map { $0.mapping { schema($0.value) } }),
      ("parameters", parameters.mapping { isBody($0.value) ? nil : parameter($0.value) }),
      (
        "requestBodies",
        parameters.mapping { $0.value["in"]?.string == "body" ? body($0.value, root["consumes"]) : nil }
      ),
      ("responses", root["responses"].map { $0.mapping { response($0.value, root["produces"]) } }),
      ("securitySchemes", root["securityDefinitions"].map { $0.mapping { scheme($0.value) } }),
    ])
    return .made(
      [
        ("openapi", .text("3.0.3")), ("info", root["info"]), ("servers", servers),
        ("paths", root["paths"].map { $0.mapping { pathItem($0.value) } }), ("components", components),
        ("security", root["security"]), ("tags", root["tags"]), ("externalDocs", root["externalDocs"]),
      ], at: root.position)
  }

  private var servers: JSONNode? {
    let base = root["basePath"]?.string ?? ""
    guard let host = root["host"]?.string else {
      return base.isEmpty || base == "/" ? nil : JSONNode(.array([.made([("url", .text(base))])]))
    }
    let schemes = (root["schemes"]?.elements ?? [.text("https")]).compactMap(\.string)
    return JSONNode(.array(schemes.map { .made([("url", .text($0 + "://" + host + base))]) }))
  }

  private func isBody(_ node: JSONNode) -> Bool { ["body", "formData"].contains(node["in"]?.string) }

  // MARK: Operations

  private func pathItem(_ node: JSONNode) -> JSONNode {
    let shared = (node["parameters"]?.elements ?? []).map { resolved($0) }
    return node.mapping { member in
      if member.name == "parameters" { return JSONNode(.array(shared.filter { !isBody($0) }.map { parameter($0) })) }
      guard OpenAPIOperation.fixedMethods.contains(member.name) else { return member.value }
      return operation(member.value, shared.filter { isBody($0) })
    }
  }

  /// A parameter past a reference, since those of bodies become something else.
  private func resolved(_ node: JSONNode) -> JSONNode {
    guard let name = node["$ref"]?.string?.split(separator: "/").last else { return node }
    return root["parameters"]?[String(name)] ?? node
  }

  private func operation(_ node: JSONNode, _ shared: [JSONNode]) -> JSONNode {
    let own = (node["parameters"]?.elements ?? []).map { resolved($0) }
    let all = own + shared
    let consumes = node["consumes"] ?? root["consumes"]
    var converted = node.mapping { member in
      switch member.name {
      case "parameters": JSONNode(.array(own.filter { !isBody($0) }.map { parameter($0) }))
      case "responses":
        member.value.mapping {
          $0.name.hasPrefix("x-") ? $0.value : response($0.value, node["produces"] ?? root["produces"])
        }
      case "consumes", "produces", "schemes": nil
      default: member.value
      }
    }
    if let body = all.first(where: { $0["in"]?.string == "body" }) {
      converted = converted.setting("requestBody", self.body(body, consumes))
    } else if all.contains(where: { $0["in"]?.string == "formData" }) {
      converted = converted.setting("requestBody", form(all.filter { $0["in"]?.string == "formData" }, consumes))
    }
    return converted
  }

  // MARK: Parameters and bodies

  private static let schemaWords = [
    "type", "format", "items", "default", "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum", "maxLength",
    "minLength", "pattern", "maxItems", "minItems", "uniqueItems", "enum", "multipleOf",
  ]

  private func parameter(_ node: JSONNode) -> JSONNode {
    if node["$ref"] != nil { return reference(node) }
    var members = (node.members ?? []).filter { !Self.schemaWords.contains($0.name) && $0.name != "collectionFormat" }
    members.append(JSONNode.Member(name: "schema", value: ownSchema(node), position: node.position))
    let place = node["in"]?.string
    switch node["collectionFormat"]?.string {
    case "multi": members += style("form", true)
    case "ssv": members += style("spaceDelimited", false)
    case "pipes": members += style("pipeDelimited", false)
    default: if node["type"]?.string == "array", place == "query" { members += style("form", false) }
    }
    return JSONNode(.object(members), at: node.position)
  }

  private func style(_ name: String, _ explodes: Bool) -> [JSONNode.Member] {
    [
      JSONNode.Member(name: "style", value: .text(name)),
      JSONNode.Member(name: "explode", value: JSONNode(.bool(explodes))),
    ]
  }

  private func ownSchema(_ node: JSONNode) -> JSONNode {
    let words = (node.members ?? []).filter { Self.schemaWords.contains($0.name) }
    let own = schema(JSONNode(.object(words), at: node.position))
    guard own["format"]?.string == "byte", own["pattern"] == nil else { return own }
    return own.setting("pattern", .text("^[\\w\\d+\\/=]*$"))
  }

  private func body(_ node: JSONNode, _ consumes: JSONNode?) -> JSONNode {
    let types = (consumes?.elements ?? []).compactMap(\.string)
    let media = JSONNode.made([("schema", node["schema"].map { schema($0) })])
    return .made(
      [
        ("description", node["description"]), ("required", node["required"]),
        ("content", .made((types.isEmpty ? ["application/json"] : types).map { ($0, media) })),
      ], at: node.position)
  }

  private func form(_ fields: [JSONNode], _ consumes: JSONNode?) -> JSONNode {
    let hasFile = fields.contains { $0["type"]?.string == "file" }
    let usual = hasFile ? "multipart/form-data" : "application/x-www-form-urlencoded"
    let types = (consumes?.elements ?? []).compactMap(\.string)
    let required = fields.filter { $0["required"]?.bool == true }.compactMap { $0["name"] }
    let properties = fields.map { field -> (String, JSONNode?) in
      var property = ownSchema(field)
      if field["allowEmptyValue"]?.bool == false, property["minLength"] == nil {
        property = property.setting("minLength", JSONNode(.number(JSONNumber(1))))
      }
      return (field["name"]?.string ?? "", property)
    }
    let encodings = fields.compactMap { field -> (String, JSONNode?)? in
      guard field["type"]?.string == "array", let name = field["name"]?.string else { return nil }
      let isMulti = field["collectionFormat"]?.string == "multi"
      return (name, JSONNode(.object(style("form", isMulti))))
    }
    let media = JSONNode.made([
      (
        "schema",
        .made([
          ("type", .text("object")), ("properties", .made(properties)),
          ("required", required.isEmpty ? nil : JSONNode(.array(required))),
        ])
      ),
      ("encoding", encodings.isEmpty ? nil : .made(encodings)),
    ])
    return .made([
      ("required", required.isEmpty ? nil : JSONNode(.bool(true))),
      ("content", .made((types.isEmpty ? [usual] : types).map { ($0, media) })),
    ])
  }

  // MARK: Responses

  private func response(_ node: JSONNode, _ produces: JSONNode?) -> JSONNode {
    if node["$ref"] != nil { return reference(node) }
    var types = (produces?.elements ?? []).compactMap(\.string)
    let examples = (node["examples"]?.members ?? []).filter { $0.name.contains("/") }
    for example in examples where !types.contains(example.name) && (example.name != "*/*" || types.isEmpty) {
      types.append(example.name)
    }
    if types.isEmpty, node["schema"] != nil { types = ["application/json"] }
    let schema = node["schema"].map { self.schema($0) }
    var content: [(String, JSONNode?)] = []
    if schema != nil || !examples.isEmpty {
      content = types.map { type in
        let example = examples.first { $0.name == type } ?? examples.first { $0.name == "*/*" }
        return (type, .made([("schema", schema), ("example", example?.value)]))
      }
    }
    return .made(
      [
        ("description", node["description"]),
        ("headers", node["headers"].map { $0.mapping { header($0.value) } }),
        ("content", content.isEmpty ? nil : .made(content)),
      ], at: node.position)
  }

  private func header(_ node: JSONNode) -> JSONNode {
    .made([("schema", ownSchema(node)), ("description", node["description"])], at: node.position)
  }

  private func reference(_ node: JSONNode) -> JSONNode {
    node.mapping { member in
      guard member.name == "$ref", let text = member.value.string else { return member.value }
      return JSONNode(.string(Self.moved(text)), at: member.value.position)
    }
  }

  private static func moved(_ reference: String) -> String {
    for name in ["parameters", "responses"] where reference.hasPrefix("#/\(name)/") {
      return "#/components/" + reference.dropFirst(2)
    }
    guard reference.hasPrefix("#/definitions/") else { return reference }
    return "#/components/schemas/" + reference.dropFirst("#/definitions/".count)
  }

  private func scheme(_ node: JSONNode) -> JSONNode {
    switch node["type"]?.string {
    case "basic": return .made([("type", .text("http")), ("scheme", .text("basic"))], at: node.position)
    case "oauth2":
      let names = ["accessCode": "authorizationCode", "application": "clientCredentials"]
      let flow = node["flow"]?.string ?? "implicit"
      let content = JSONNode.made([
        ("authorizationUrl", node["authorizationUrl"]), ("tokenUrl", node["tokenUrl"]), ("scopes", node["scopes"]),
      ])
      return .made([("type", .text("oauth2")), ("flows", .made([(names[flow] ?? flow, content)]))], at: node.position)
    default: return node
    }
  }

  // MARK: Schemas

  private func schema(_ node: JSONNode, depth: Int = 0) -> JSONNode {
    guard depth < 256 else { return node }
    switch node.content {
    case .array(let elements): return JSONNode(.array(elements.map { schema($0, depth: depth + 1) }), at: node.position)
    case .object: break
    default: return node
    }
    var converted = node.mapping { member in keyword(member, depth) }
    if let isNullable = node["x-nullable"] { converted = converted.setting("nullable", isNullable) }
    if node["type"]?.string == "file" { converted = converted.setting("format", .text("binary")) }
    return converted
  }

  private func keyword(_ member: JSONNode.Member, _ depth: Int) -> JSONNode {
    switch member.name {
    case "$ref":
      return JSONNode(.string(Self.moved(member.value.string ?? "")), at: member.value.position)
    case "discriminator" where member.value.string != nil: return .made([("propertyName", member.value)])
    case "type" where member.value.string == "file": return .text("string")
    case "properties": return member.value.mapping { schema($0.value, depth: depth + 1) }
    case "items", "additionalProperties", "allOf", "not": return schema(member.value, depth: depth + 1)
    default: return member.value
    }
  }
}
