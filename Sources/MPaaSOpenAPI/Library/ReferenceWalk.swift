import MPaaSJSON

/// Finds the references of a description, and the schemas in it, and leaves out what only looks like them: the data of
/// examples, defaults and enumerations.
enum ReferenceWalk {
  /// Calls `body` with the value of each `$ref`.
  static func references(in root: JSONNode, _ body: (JSONNode) -> Void) {
    var open: [(node: JSONNode, isMap: Bool)] = [(root, false)]
    while let (node, isMap) = open.popLast() {
      if let elements = node.elements {
        open += elements.map { ($0, false) }
        continue
      }
      for member in node.members ?? [] {
        if !isMap, member.name == "$ref" || member.name == "operationRef", member.value.string != nil {
          body(member.value)
        } else if isMap || !isData(member) {
          open.append((member.value, !isMap && maps.contains(member.name)))
        }
      }
    }
  }

  /// Calls `body` with each schema that is not part of another one, and the path that leads to it.
  static func schemas(in root: JSONNode, _ body: ([String], JSONNode) -> Void) {
    var open: [(node: JSONNode, path: [String], isMap: Bool)] = [(root, [], false)]
    while let (node, path, isMap) = open.popLast() {
      if let elements = node.elements {
        for (index, element) in elements.enumerated() { open.append((element, path + [String(index)], false)) }
        continue
      }
      for member in node.members ?? [] {
        let inside = path + [member.name]
        if !isMap, member.name == "schema" || member.name == "itemSchema" {
          body(inside, member.value)
        } else if !isMap, member.name == "schemas", path == ["components"] {
          for schema in member.value.members ?? [] { body(inside + [schema.name], schema.value) }
        } else if isMap || !isData(member) {
          open.append((member.value, inside, !isMap && maps.contains(member.name)))
        }
      }
    }
  }

  private static func isData(_ member: JSONNode.Member) -> Bool {
    switch member.name {
    case "example", "default", "enum", "const", "value", "dataValue", "scopes", "mapping": true
    case "examples": member.value.elements != nil
    default: member.name.hasPrefix("x-")
    }
  }

  /// The members whose own members are names of the author's.
  private static let maps: Set<String> = [
    "properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies", "schemas",
    "responses", "parameters", "examples", "requestBodies", "headers", "securitySchemes", "links", "callbacks",
    "pathItems", "mediaTypes", "paths", "webhooks", "content", "encoding", "variables", "additionalOperations",
  ]
}
