import MPaaSJSON
import MPaaSOpenAPI

/// Says in the words of JSON Schema what OpenAPI says in its own.
struct OpenAPISchemaRewriting {
  let file: Int
  let version: OpenAPIVersion
  /// The patterns that were left out, since Swift has no such.
  private(set) var patterns: [JSONNode] = []

  init(file: Int, version: OpenAPIVersion) {
    self.file = file
    self.version = version
  }

  /// The number of the definition that a reference leads to; nil where it leads nowhere.
  typealias Targets = (JSONNode) -> Int?

  private static let dropped: Set<String> = [
    "example", "examples", "xml", "externalDocs", "discriminator", "nullable", "$id", "$schema", "$comment", "$anchor",
    "readOnly", "writeOnly",
  ]
  private static let maps: Set<String> = [
    "properties", "patternProperties", "$defs", "definitions", "dependentSchemas",
  ]
  private static let lists: Set<String> = ["allOf", "anyOf", "oneOf", "prefixItems"]
  private static let single: Set<String> = [
    "items", "additionalProperties", "contains", "propertyNames", "not", "if", "then", "else", "unevaluatedItems",
    "unevaluatedProperties",
  ]

  mutating func schema(_ node: JSONNode, depth: Int = 0, _ targets: Targets) -> JSONNode {
    guard let members = node.members, depth < 200 else {
      return node.bool == nil ? JSONNode(.bool(true), at: node.position) : node
    }
    if let reference = node["$ref"], version == .v3_0 {
      return JSONNode(.object([link(reference, targets)]), at: node.position)
    }
    var result: [JSONNode.Member] = []
    for member in members where !Self.dropped.contains(member.name) && !member.name.hasPrefix("x-") {
      if let value = self.member(member, node, depth, targets) {
        result.append(JSONNode.Member(name: name(member.name, in: node), value: value, position: member.position))
      }
    }
    result += directions(node)
    let plain = JSONNode(.object(result), at: node.position)
    return node["nullable"]?.bool == true ? nullable(plain) : plain
  }

  /// A reference to a missing schema allows anything; that it is missing has been reported.
  private func link(_ reference: JSONNode, _ targets: Targets) -> JSONNode.Member {
    guard let index = targets(reference) else {
      return JSONNode.Member(name: "title", value: JSONNode(.string("")), position: reference.position)
    }
    return JSONNode.Member(
      name: "$ref", value: JSONNode(.string("#\(index)"), at: reference.position), position: reference.position)
  }

  /// A discriminator decides alone, so that a value that fits two branches is no fault.
  private func name(_ name: String, in node: JSONNode) -> String {
    name == "oneOf" && node["discriminator"]?["propertyName"]?.string != nil ? "anyOf" : name
  }

  private mutating func member(
    _ member: JSONNode.Member, _ node: JSONNode, _ depth: Int, _ targets: Targets
  ) -> JSONNode? {
    let value = member.value
    switch member.name {
    case "$ref": return link(value, targets).name == "$ref" ? link(value, targets).value : nil
    case "$dynamicRef": return nil
    case "type": return type(value)
    case "required": return required(value, node, targets)
    case "pattern":
      if let text = value.string, PatternTranslation.swift(text) != nil { return value }
      patterns.append(value)
      return nil
    case _ where Self.maps.contains(member.name):
      var members: [JSONNode.Member] = []
      for item in value.members ?? [] {
        if member.name == "patternProperties", PatternTranslation.swift(item.name) == nil {
          patterns.append(item.value)
          continue
        }
        let value = schema(item.value, depth: depth + 1, targets)
        members.append(JSONNode.Member(name: item.name, value: value, position: item.position))
      }
      return JSONNode(.object(members), at: value.position)
    case _ where Self.lists.contains(member.name):
      var elements: [JSONNode] = []
      for item in value.elements ?? [] {
        let branch = schema(item, depth: depth + 1, targets)
        elements.append(
          member.name == "allOf" ? branch : discriminated(branch, item, node["discriminator"]))
      }
      return elements.isEmpty ? nil : JSONNode(.array(elements), at: value.position)
    case _ where Self.single.contains(member.name):
      return schema(value, depth: depth + 1, targets)
    default: return value
    }
  }

  /// A type that YAML read as null is meant as the word.
  private func type(_ node: JSONNode) -> JSONNode? {
    let elements = (node.elements ?? [node]).map { item in
      item.content == .null ? JSONNode(.string("null"), at: item.position) : item
    }
    if elements.count == 1, elements[0].string == "file" { return JSONNode(.string("string"), at: node.position) }
    return node.elements == nil ? elements[0] : JSONNode(.array(elements), at: node.position)
  }

  // MARK: What OpenAPI adds

  /// Requires members that are only read or only written on their own way alone.
  private func required(_ node: JSONNode, _ schema: JSONNode, _ targets: Targets) -> JSONNode? {
    guard let names = node.elements else { return node.bool == nil ? node : nil }
    let kept = names.filter { name in
      let property = schema["properties"]?[name.string ?? ""]
      return property?["readOnly"]?.bool != true && property?["writeOnly"]?.bool != true
    }
    return kept.isEmpty ? nil : JSONNode(.array(kept), at: node.position)
  }

  private func directions(_ node: JSONNode) -> [JSONNode.Member] {
    ModelDirection.allCases.compactMap { way in
      let mark = way == .request ? "writeOnly" : "readOnly"
      let names = (node["required"]?.elements ?? []).filter {
        node["properties"]?[$0.string ?? ""]?[mark]?.bool == true
      }
      return names.isEmpty ? nil : JSONNode.Member(name: way.keyword, value: JSONNode(.array(names)))
    }
  }

  private func nullable(_ node: JSONNode) -> JSONNode {
    let null = JSONNode(.string("null"), at: node.position)
    guard let members = node.members, node["type"]?.string != nil, node["allOf"] == nil, node["anyOf"] == nil else {
      let branches = [node, JSONNode(.object([.init(name: "type", value: null)]), at: node.position)]
      return JSONNode(.object([.init(name: "anyOf", value: JSONNode(.array(branches)))]), at: node.position)
    }
    return JSONNode(
      .object(
        members.map { member in
          var value = member.value
          if member.name == "type" { value = JSONNode(.array([value, null]), at: value.position) }
          if member.name == "enum", let list = value.elements, !list.contains(where: { $0.content == .null }) {
            value = JSONNode(.array(list + [JSONNode(.null)]), at: value.position)
          }
          return JSONNode.Member(name: member.name, value: value, position: member.position)
        }), at: node.position)
  }

  /// Marks a branch with the values of the discriminator that mean it: its name, or all that the mapping has for it.
  private func discriminated(_ branch: JSONNode, _ source: JSONNode, _ discriminator: JSONNode?) -> JSONNode {
    guard let name = discriminator?["propertyName"], let reference = source["$ref"]?.string,
      let members = branch.members
    else { return branch }
    let own = String(reference.split(separator: "/").last ?? "")
    let mapping = discriminator?["mapping"]?.members ?? []
    var values = mapping.filter { $0.value.string == reference || $0.value.string == own }
      .map { JSONNode(.string($0.name)) }
    if values.isEmpty { values = [JSONNode(.string(own))] }
    let mark = JSONNode(
      .object([.init(name: "name", value: name), .init(name: "values", value: JSONNode(.array(values)))]))
    return JSONNode(
      .object(members + [.init(name: SchemaCompiler.discriminatorValues, value: mark)]), at: branch.position)
  }
}
