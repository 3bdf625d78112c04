/// The values that the specification lets stand at a place.
indirect enum OpenAPIShape: Sendable {
  case text
  case flag
  case number
  case any
  case schema
  /// One of some words.
  case word([String])
  /// An object by the name of its rule.
  case object(String)
  /// A reference, or such an object.
  case referable(String)
  case list(OpenAPIShape)
  case map(OpenAPIShape)
  /// Text, or a list of text.
  case texts

  /// The kinds that are wanted, in words of JSON.
  var wanted: String {
    switch self {
    case .text: "string"
    case .flag: "boolean"
    case .number: "number"
    case .any: "any"
    case .schema: "schema"
    case .word(let words): words.joined(separator: ", ")
    case .object, .referable, .map: "object"
    case .list, .texts: "array"
    }
  }
}

/// The members of an object of the specification.
struct OpenAPIRule: Sendable {
  var members: [String: OpenAPIShape]
  var required: [String] = []
  /// The shape under all other names, where those are the author's.
  var others: OpenAPIShape?
  /// Members of which only one may be there.
  var exclusive: [(String, String)] = []
}

extension OpenAPIRule {
  /// The rules of a version, by the names of objects.
  ///
  /// - Source: The OpenAPI Specification 3.0.4, 3.1.1 and 3.2.0, section "Schema" (the objects in the order there).
  static func rules(for version: OpenAPIVersion) -> [String: OpenAPIRule] {
    var rules = common
    for (name, rule) in parameters(version) { rules[name] = rule }
    for (name, rule) in security { rules[name] = rule }
    if version >= .v3_1 { extend31(&rules) }
    if version >= .v3_2 { extend32(&rules) }
    return rules
  }

  private static let common: [String: OpenAPIRule] = [
    "OpenAPI": OpenAPIRule(
      members: [
        "openapi": .text, "info": .object("Info"), "servers": .list(.object("Server")), "paths": .object("Paths"),
        "components": .object("Components"), "security": .list(.map(.list(.text))), "tags": .list(.object("Tag")),
        "externalDocs": .object("ExternalDocumentation"),
      ], required: ["openapi", "info", "paths"]),
    "Info": OpenAPIRule(
      members: [
        "title": .text, "description": .text, "termsOfService": .text, "contact": .object("Contact"),
        "license": .object("License"), "version": .text,
      ], required: ["title", "version"]),
    "Contact": OpenAPIRule(members: ["name": .text, "url": .text, "email": .text]),
    "License": OpenAPIRule(members: ["name": .text, "url": .text], required: ["name"]),
    "Server": OpenAPIRule(
      members: ["url": .text, "description": .text, "variables": .map(.object("ServerVariable"))], required: ["url"]),
    "ServerVariable": OpenAPIRule(
      members: ["enum": .list(.text), "default": .text, "description": .text], required: ["default"]),
    "Components": OpenAPIRule(members: [
      "schemas": .map(.schema), "responses": .map(.referable("Response")), "parameters": .map(.referable("Parameter")),
      "examples": .map(.referable("Example")), "requestBodies": .map(.referable("RequestBody")),
      "headers": .map(.referable("Header")), "securitySchemes": .map(.referable("SecurityScheme")),
      "links": .map(.referable("Link")), "callbacks": .map(.referable("Callback")),
    ]),
    "Paths": OpenAPIRule(members: [:], others: .object("PathItem")),
    "PathItem": OpenAPIRule(members: [
      "$ref": .text, "summary": .text, "description": .text, "get": .object("Operation"), "put": .object("Operation"),
      "post": .object("Operation"), "delete": .object("Operation"), "options": .object("Operation"),
      "head": .object("Operation"), "patch": .object("Operation"), "trace": .object("Operation"),
      "servers": .list(.object("Server")), "parameters": .list(.referable("Parameter")),
    ]),
    "Operation": OpenAPIRule(
      members: [
        "tags": .list(.text), "summary": .text, "description": .text,
        "externalDocs": .object("ExternalDocumentation"), "operationId": .text,
        "parameters": .list(.referable("Parameter")), "requestBody": .referable("RequestBody"),
        "responses": .object("Responses"), "callbacks": .map(.referable("Callback")), "deprecated": .flag,
        "security": .list(.map(.list(.text))), "servers": .list(.object("Server")),
      ], required: ["responses"]),
    "ExternalDocumentation": OpenAPIRule(members: ["description": .text, "url": .text], required: ["url"]),
    "RequestBody": OpenAPIRule(
      members: ["description": .text, "content": .map(.object("MediaType")), "required": .flag],
      required: ["content"]),
    "Responses": OpenAPIRule(members: [:], others: .referable("Response")),
    "Response": OpenAPIRule(
      members: [
        "description": .text, "headers": .map(.referable("Header")), "content": .map(.object("MediaType")),
        "links": .map(.referable("Link")),
      ], required: ["description"]),
    "Callback": OpenAPIRule(members: [:], others: .object("PathItem")),
    "Example": OpenAPIRule(
      members: ["summary": .text, "description": .text, "value": .any, "externalValue": .text],
      exclusive: [("value", "externalValue")]),
    "Link": OpenAPIRule(
      members: [
        "operationRef": .text, "operationId": .text, "parameters": .map(.any), "requestBody": .any,
        "description": .text, "server": .object("Server"),
      ], exclusive: [("operationRef", "operationId")]),
    "Tag": OpenAPIRule(
      members: ["name": .text, "description": .text, "externalDocs": .object("ExternalDocumentation")],
      required: ["name"]),
    "Discriminator": OpenAPIRule(
      members: ["propertyName": .text, "mapping": .map(.text)], required: ["propertyName"]),
    "XML": OpenAPIRule(members: [
      "name": .text, "namespace": .text, "prefix": .text, "attribute": .flag, "wrapped": .flag,
    ]),
  ]

  private static func parameters(_ version: OpenAPIVersion) -> [String: OpenAPIRule] {
    let value: [String: OpenAPIShape] = [
      "description": .text, "required": .flag, "deprecated": .flag, "style": .text, "explode": .flag,
      "schema": .schema, "example": .any, "examples": .map(.referable("Example")),
      "content": .map(.object("MediaType")),
    ]
    let exclusive = [("example", "examples"), ("schema", "content")]
    let places = ["query", "header", "path", "cookie"] + (version >= .v3_2 ? ["querystring"] : [])
    let own: [String: OpenAPIShape] = [
      "name": .text, "in": .word(places), "allowEmptyValue": .flag, "allowReserved": .flag,
    ]
    return [
      "Parameter": OpenAPIRule(
        members: value.merging(own) { $1 }, required: ["name", "in"], exclusive: exclusive),
      "Header": OpenAPIRule(members: value, exclusive: exclusive),
      "MediaType": OpenAPIRule(
        members: [
          "schema": .schema, "example": .any, "examples": .map(.referable("Example")),
          "encoding": .map(.object("Encoding")),
        ], exclusive: [("example", "examples")]),
      "Encoding": OpenAPIRule(members: [
        "contentType": .text, "headers": .map(.referable("Header")),
        "style": .word(["form", "spaceDelimited", "pipeDelimited", "deepObject"]), "explode": .flag,
        "allowReserved": .flag,
      ]),
    ]
  }

  private static let security: [String: OpenAPIRule] = [
    "SecurityScheme": OpenAPIRule(
      members: [
        "type": .word(["apiKey", "http", "oauth2", "openIdConnect"]), "description": .text, "name": .text,
        "in": .word(["query", "header", "cookie"]), "scheme": .text, "bearerFormat": .text,
        "flows": .object("OAuthFlows"), "openIdConnectUrl": .text,
      ], required: ["type"]),
    "OAuthFlows": OpenAPIRule(members: [
      "implicit": .object("ImplicitFlow"), "password": .object("TokenFlow"),
      "clientCredentials": .object("TokenFlow"), "authorizationCode": .object("CodeFlow"),
    ]),
    "ImplicitFlow": flow(["authorizationUrl"]), "TokenFlow": flow(["tokenUrl"]),
    "CodeFlow": flow(["authorizationUrl", "tokenUrl"]),
    "DeviceFlow": flow(["deviceAuthorizationUrl", "tokenUrl"]),
  ]

  private static func flow(_ addresses: [String]) -> OpenAPIRule {
    var members: [String: OpenAPIShape] = ["refreshUrl": .text, "scopes": .map(.text)]
    for address in addresses { members[address] = .text }
    return OpenAPIRule(members: members, required: addresses + ["scopes"])
  }

  private static func extend31(_ rules: inout [String: OpenAPIRule]) {
    rules["OpenAPI"]?.required = ["openapi", "info"]
    rules["OpenAPI"]?.members["webhooks"] = .map(.object("PathItem"))
    rules["OpenAPI"]?.members["jsonSchemaDialect"] = .text
    rules["Info"]?.members["summary"] = .text
    rules["License"]?.members["identifier"] = .text
    rules["License"]?.exclusive = [("identifier", "url")]
    rules["Components"]?.members["pathItems"] = .map(.object("PathItem"))
    rules["Operation"]?.required = []
    rules["SecurityScheme"]?.members["type"] = .word(["apiKey", "http", "mutualTLS", "oauth2", "openIdConnect"])
  }

  private static func extend32(_ rules: inout [String: OpenAPIRule]) {
    rules["OpenAPI"]?.members["$self"] = .text
    rules["Server"]?.members["name"] = .text
    rules["Components"]?.members["mediaTypes"] = .map(.referable("MediaType"))
    rules["PathItem"]?.members["query"] = .object("Operation")
    rules["PathItem"]?.members["additionalOperations"] = .map(.object("Operation"))
    for name in ["RequestBody", "Response", "Parameter", "Header"] {
      rules[name]?.members["content"] = .map(.referable("MediaType"))
    }
    for name in ["MediaType", "Encoding"] {
      rules[name]?.members["encoding"] = .map(.object("Encoding"))
      rules[name]?.members["prefixEncoding"] = .list(.object("Encoding"))
      rules[name]?.members["itemEncoding"] = .object("Encoding")
      rules[name]?.exclusive += [("encoding", "prefixEncoding"), ("encoding", "itemEncoding")]
    }
    rules["MediaType"]?.members["description"] = .text
    rules["MediaType"]?.members["itemSchema"] = .schema
    rules["Response"]?.members["summary"] = .text
    rules["Response"]?.required = []
    rules["Example"]?.members["dataValue"] = .any
    rules["Example"]?.members["serializedValue"] = .text
    rules["Example"]?.exclusive += [
      ("value", "dataValue"), ("value", "serializedValue"), ("serializedValue", "externalValue"),
    ]
    for (name, shape) in ["summary": OpenAPIShape.text, "parent": .text, "kind": .text] {
      rules["Tag"]?.members[name] = shape
    }
    rules["Discriminator"]?.members["defaultMapping"] = .text
    rules["XML"]?.members["nodeType"] = .word(["element", "attribute", "text", "cdata", "none"])
    rules["XML"]?.exclusive = [("attribute", "nodeType"), ("wrapped", "nodeType")]
    rules["OAuthFlows"]?.members["deviceAuthorization"] = .object("DeviceFlow")
    rules["SecurityScheme"]?.members["deprecated"] = .flag
    rules["SecurityScheme"]?.members["oauth2MetadataUrl"] = .text
  }
}
