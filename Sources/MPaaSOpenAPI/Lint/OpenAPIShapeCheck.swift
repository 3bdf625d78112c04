import MPaaSJSON
import MPaaSSupport

/// Compares a document with the objects that the specification knows.
struct OpenAPIShapeCheck {
  let source: JSONSource
  let version: OpenAPIVersion
  private let rules: [String: OpenAPIRule]
  private(set) var findings: [OpenAPIFinding] = []

  init(_ source: JSONSource, _ version: OpenAPIVersion) {
    self.source = source
    self.version = version
    rules = OpenAPIRule.rules(for: version)
  }

  mutating func run() {
    check(source.root, .object("OpenAPI"), [])
    let root = source.root
    if version >= .v3_1, root["paths"] == nil, root["webhooks"] == nil, root["components"] == nil {
      add(.lintMissing, ["member": "paths, webhooks, components", "object": "OpenAPI"], root, [])
    }
  }

  mutating func add(
    _ code: OpenAPIError.Code, _ values: [String: String], _ node: JSONNode, _ path: [String],
    _ severity: OpenAPIFinding.Severity = .error
  ) {
    add(code, values, node.position, path, severity)
  }

  private mutating func add(
    _ code: OpenAPIError.Code, _ values: [String: String], _ position: TextPosition, _ path: [String],
    _ severity: OpenAPIFinding.Severity = .error
  ) {
    // A suggestion is told only where there is one.
    let values = values.filter { $0.key != "suggestion" || !$0.value.isEmpty }
    findings.append(
      OpenAPIFinding(
        severity: severity, error: OpenAPIError(code, values, at: source.place(position)),
        pointer: OpenAPILocation(file: 0, path: path).pointer))
  }

  private mutating func check(_ node: JSONNode, _ shape: OpenAPIShape, _ path: [String]) {
    switch shape {
    case .any: break
    case .text: if node.string == nil { wrong(node, shape, path) }
    case .flag: if node.bool == nil { wrong(node, shape, path) }
    case .number: if node.number == nil { wrong(node, shape, path) }
    case .texts: if node.string == nil { check(node, .list(.text), path) }
    case .word(let words):
      guard let text = node.string else { return wrong(node, .text, path) }
      guard !words.contains(text) else { return }
      let near = closestMatch(to: text, among: words) ?? ""
      let values = ["value": text, "choices": words.joined(separator: ", "), "suggestion": near]
      add(.lintValue, values.merging(["member": path.last ?? ""]) { $1 }, node, path)
    case .list(let inner):
      guard let elements = node.elements else { return wrong(node, shape, path) }
      for (index, element) in elements.enumerated() { check(element, inner, path + ["\(index)"]) }
    case .map(let inner):
      guard let members = node.members else { return wrong(node, shape, path) }
      for member in members { check(member.value, inner, path + [member.name]) }
    case .schema: checkSchema(node, path)
    case .object(let name): checkObject(node, name, path)
    case .referable(let name):
      guard let reference = node["$ref"] else { return checkObject(node, name, path) }
      check(reference, .text, path + ["$ref"])
      guard version >= .v3_1 else { return }
      for member in node.members ?? [] where !["$ref", "summary", "description"].contains(member.name) {
        unknown(member, "Reference", ["summary", "description"], path)
      }
    }
  }

  private mutating func wrong(_ node: JSONNode, _ shape: OpenAPIShape, _ path: [String]) {
    let values = ["member": path.last ?? "", "wanted": shape.wanted, "found": node.value.kind]
    add(.lintType, values, node, path)
  }

  private mutating func unknown(
    _ member: JSONNode.Member, _ object: String, _ known: [String], _ path: [String],
    _ severity: OpenAPIFinding.Severity = .error
  ) {
    let near = closestMatch(to: member.name, among: known.sorted()) ?? ""
    add(
      .lintUnknown, ["member": member.name, "object": object, "suggestion": near], member.position,
      path + [member.name], severity)
  }

  private mutating func checkObject(_ node: JSONNode, _ name: String, _ path: [String]) {
    guard let rule = rules[name] else { return }
    guard let members = node.members else { return wrong(node, .object(name), path) }
    for member in members {
      let inside = path + [member.name]
      if let shape = rule.members[member.name] {
        check(member.value, shape, inside)
      } else if member.name.hasPrefix("x-") {
        continue
      } else if let others = rule.others {
        checkName(member, name, path)
        check(member.value, others, inside)
      } else {
        unknown(member, name, Array(rule.members.keys), path)
      }
    }
    for required in rule.required where node[required] == nil {
      add(.lintMissing, ["member": required, "object": name], node, path)
    }
    for (first, second) in rule.exclusive where node[first] != nil && node[second] != nil {
      add(.lintExclusive, ["first": first, "second": second], node, path)
    }
    checkFurther(node, name, path)
  }

  private mutating func checkName(_ member: JSONNode.Member, _ object: String, _ path: [String]) {
    switch object {
    case "Paths" where !member.name.hasPrefix("/"):
      add(.lintPath, ["path": member.name], member.position, path + [member.name])
    case "Responses" where OpenAPIStatus(member.name) == nil:
      let values = ["member": "responses", "value": member.name, "choices": "200, 4XX, default", "suggestion": ""]
      add(.lintValue, values, member.position, path + [member.name])
    default: break
    }
  }

  // MARK: Rules beyond members

  private mutating func checkFurther(_ node: JSONNode, _ name: String, _ path: [String]) {
    switch name {
    case "Parameter": checkParameter(node, path)
    case "Header": checkStyle(node, "header", path)
    case "ServerVariable":
      if version >= .v3_1, let choices = node["enum"], choices.elements?.isEmpty == true {
        add(.lintEmpty, ["member": "enum"], choices, path)
      }
    case "Responses" where node.members?.isEmpty == true: add(.lintEmpty, ["member": "responses"], node, path)
    case "PathItem":
      checkQueries(node["parameters"], path)
      for member in node["additionalOperations"]?.members ?? [] {
        let isFixed = OpenAPIOperation.fixedMethods.contains(member.name.lowercased())
        if isFixed, member.name == member.name.uppercased() {
          add(.lintNotHere, ["member": member.name, "reason": "additionalOperations"], member.position, path)
        }
      }
    case "Operation": checkQueries(node["parameters"], path)
    case "SecurityScheme": checkScheme(node, path)
    case "Components": checkComponentNames(node, path)
    default: break
    }
  }

  private mutating func checkComponentNames(_ node: JSONNode, _ path: [String]) {
    for kind in node.members ?? [] where !kind.name.hasPrefix("x-") {
      for member in kind.value.members ?? [] {
        let isPlain = member.name.utf8.allSatisfy { PercentEncoding.isUnreserved($0) && $0 != UInt8(ascii: "~") }
        guard !isPlain || member.name.isEmpty else { continue }
        let values = ["member": kind.name, "value": member.name, "choices": "A-Z a-z 0-9 . - _", "suggestion": ""]
        // A name of the specification's own documents has blanks.
        if version == .v3_0 { add(.lintValue, values, member.position, path + [kind.name, member.name]) }
      }
    }
  }

  private mutating func checkParameter(_ node: JSONNode, _ path: [String]) {
    let place = node["in"]?.string ?? ""
    if node["schema"] == nil, node["content"] == nil, version >= .v3_1 {
      add(.lintMissing, ["member": "schema, content", "object": "Parameter"], node, path)
    }
    if let content = node["content"], content.members?.count != 1 {
      add(.lintEmpty, ["member": "content"], content, path)
    }
    if place == "querystring", node["schema"] != nil {
      add(.lintNotHere, ["member": "schema", "reason": "in: querystring"], node, path)
    }
    if node["content"] != nil || place == "querystring" {
      for member in ["style", "explode", "allowReserved"] where node[member] != nil {
        let reason = place == "querystring" ? "in: querystring" : "content"
        add(.lintNotHere, ["member": member, "reason": reason], node[member] ?? node, path + [member])
      }
    }
    if node["allowEmptyValue"] != nil, place != "query" {
      add(.lintNotHere, ["member": "allowEmptyValue", "reason": "in: \(place)"], node, path)
    }
    if place == "path", node["schema"] != nil, node["required"]?.bool != true {
      add(.lintMissing, ["member": "required: true", "object": "Parameter"], node, path)
    }
    if place == "header", version >= .v3_2, let name = node["name"]?.string, !Self.isToken(name) {
      add(
        .lintValue, ["member": "name", "value": name, "choices": "RFC 9110", "suggestion": ""], node, path + ["name"])
    }
    if node["content"] == nil { checkStyle(node, place, path) }
  }

  static func isToken(_ name: String) -> Bool {
    let others = Set("!#$%&'*+-.^_`|~".utf8)
    return !name.isEmpty && name.utf8.allSatisfy { PercentEncoding.isAlphanumeric($0) || others.contains($0) }
  }

  private mutating func checkStyle(_ node: JSONNode, _ place: String, _ path: [String]) {
    let styles: [String] =
      switch place {
      case "path": ["matrix", "label", "simple"]
      case "header": ["simple"]
      case "query": ["form", "spaceDelimited", "pipeDelimited", "deepObject"]
      case "cookie": version >= .v3_2 ? ["form", "cookie"] : ["form"]
      default: []
      }
    if let style = node["style"], !styles.isEmpty { check(style, .word(styles), path + ["style"]) }
    guard let reserved = node["allowReserved"], version >= .v3_1 else { return }
    if place == "header" || (place == "cookie" && node["style"]?.string == "cookie") {
      add(.lintNotHere, ["member": "allowReserved", "reason": "in: \(place)"], reserved, path + ["allowReserved"])
    }
  }

  private mutating func checkQueries(_ parameters: JSONNode?, _ path: [String]) {
    let elements = parameters?.elements ?? []
    let whole = elements.filter { $0["in"]?.string == "querystring" }
    guard let first = whole.first else { return }
    if whole.count > 1 { add(.lintExclusive, ["first": "querystring", "second": "querystring"], first, path) }
    if elements.contains(where: { $0["in"]?.string == "query" }) {
      add(.lintExclusive, ["first": "query", "second": "querystring"], first, path)
    }
  }

  private mutating func checkScheme(_ node: JSONNode, _ path: [String]) {
    let wanted: [String] =
      switch node["type"]?.string {
      case "apiKey": ["name", "in"]
      case "http": ["scheme"]
      case "oauth2": ["flows"]
      case "openIdConnect": ["openIdConnectUrl"]
      default: []
      }
    for member in wanted where node[member] == nil {
      add(.lintMissing, ["member": member, "object": "SecurityScheme"], node, path)
    }
  }

  // MARK: Schemas

  private static let words30: Set<String> = [
    "title", "multipleOf", "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum", "maxLength", "minLength",
    "pattern", "maxItems", "minItems", "uniqueItems", "maxProperties", "minProperties", "required", "enum", "type",
    "allOf", "oneOf", "anyOf", "not", "items", "properties", "additionalProperties", "description", "format",
    "default", "nullable", "discriminator", "readOnly", "writeOnly", "xml", "externalDocs", "example", "deprecated",
  ]

  private mutating func checkSchema(_ node: JSONNode, _ path: [String]) {
    if version >= .v3_1, node.bool != nil { return }
    guard let members = node.members else { return wrong(node, .schema, path) }
    if version == .v3_0, let reference = node["$ref"] { return check(reference, .text, path + ["$ref"]) }
    for member in members {
      let inside = path + [member.name]
      switch member.name {
      case "xml": check(member.value, .object("XML"), inside)
      case "discriminator": check(member.value, .object("Discriminator"), inside)
      case "externalDocs": check(member.value, .object("ExternalDocumentation"), inside)
      case "allOf", "anyOf", "oneOf", "prefixItems": check(member.value, .list(.schema), inside)
      case "properties", "patternProperties", "$defs", "dependentSchemas":
        check(member.value, .map(.schema), inside)
      case "items", "not", "if", "then", "else", "contains", "propertyNames", "unevaluatedItems",
        "unevaluatedProperties", "contentSchema":
        check(member.value, .schema, inside)
      case "additionalProperties": if member.value.bool == nil { checkSchema(member.value, inside) }
      case "description", "title", "format", "pattern", "$ref", "$id", "$schema", "$anchor":
        check(member.value, .text, inside)
      case "nullable", "deprecated", "readOnly", "writeOnly", "uniqueItems": check(member.value, .flag, inside)
      default: break
      }
      if version == .v3_0, !Self.words30.contains(member.name), !member.name.hasPrefix("x-") {
        unknown(member, "Schema", Array(Self.words30), path, .warning)
      }
    }
    if version == .v3_0, node["type"]?.string == "array", node["items"] == nil {
      add(.lintMissing, ["member": "items", "object": "Schema"], node, path)
    }
  }
}
