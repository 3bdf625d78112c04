import MPaaSJSON

/// Schemas that lead to themselves for the same value: a parent whose choice has its children, who build on it.
///
/// Of such a parent children take all but the choice. A choice that is one of its own branches has nothing of that branch.
extension OpenAPISchemaBundle {
  private enum Link { case choice, part }

  /// Cuts circles, and gives all references their addresses.
  mutating func cutCircles() {
    var links: [[(target: Int, kind: Link)]] = []
    for definition in definitions {
      var found: [(Int, Link)] = []
      Self.collect(definition.node, .part, &found)
      links.append(found.map { (target: $0.0, kind: $0.1) })
    }
    let groups = StrongComponents(links.map { $0.map(\.target) }).groups
    /// The groups in which something other than a choice leads on.
    var building: Set<Int> = []
    for (index, list) in links.enumerated() {
      for link in list where groups[link.target] == groups[index] && link.kind == .part {
        building.insert(groups[index])
      }
    }
    var bases: [Int: Int] = [:]
    let haveChoices = definitions.map { Self.hasChoice($0.node) }
    for index in definitions.indices {
      let group = groups[index]
      let node = rewritten(definitions[index].node, .part, inPlace: true) { target, kind in
        guard groups[target] == group else { return .kept }
        if kind == .choice { return building.contains(group) ? .kept : .nothing }
        return haveChoices[target] ? .base : .anything
      } base: { bundle, target in
        if let known = bases[target] { return known }
        let members = (bundle.definitions[target].node.members ?? []).filter { !["oneOf", "anyOf"].contains($0.name) }
        let base = bundle.derive(from: target, JSONNode(.object(members)))
        bases[target] = base
        return base
      }
      definitions[index].node = node
    }
    for base in bases.values.sorted() {
      let node = rewritten(definitions[base].node, .part, inPlace: true) { target, _ in
        bases[target] == nil ? .kept : .anything
      } base: { _, target in
        target
      }
      definitions[base].node = node
    }
  }

  private enum Cut { case kept, nothing, anything, base }

  private static func hasChoice(_ node: JSONNode) -> Bool { node["oneOf"] != nil || node["anyOf"] != nil }

  /// The references that hold for the same value, with the way in which they do.
  private static func collect(_ node: JSONNode, _ kind: Link, _ found: inout [(Int, Link)]) {
    if let target = target(node["$ref"]) { found.append((target, kind)) }
    for keyword in ["not", "if", "then", "else"] {
      if let inner = node[keyword] { collect(inner, kind, &found) }
    }
    for inner in node["allOf"]?.elements ?? [] { collect(inner, .part, &found) }
    for keyword in ["anyOf", "oneOf"] {
      for inner in node[keyword]?.elements ?? [] { collect(inner, .choice, &found) }
    }
    for member in node["dependentSchemas"]?.members ?? [] { collect(member.value, kind, &found) }
  }

  /// References that have no address yet are numbers.
  private static func target(_ node: JSONNode?) -> Int? {
    guard let text = node?.string, text.hasPrefix("#") else { return nil }
    return Int(text.dropFirst())
  }

  private mutating func rewritten(
    _ node: JSONNode, _ kind: Link, inPlace: Bool, _ cut: (Int, Link) -> Cut,
    base: (inout OpenAPISchemaBundle, Int) -> Int
  ) -> JSONNode {
    guard let members = node.members else {
      guard let elements = node.elements else { return node }
      let items = elements.map { rewritten($0, kind, inPlace: inPlace, cut, base: base) }
      return JSONNode(.array(items), at: node.position)
    }
    var result: [JSONNode.Member] = []
    for member in members {
      var value = member.value
      switch member.name {
      case "$ref":
        if let target = Self.target(value) {
          switch inPlace ? cut(target, kind) : .kept {
          case .kept: value = JSONNode(.string(reference(to: target)), at: value.position)
          case .base:
            let index = base(&self, target)
            value = JSONNode(.string(reference(to: index)), at: value.position)
          case .nothing: return JSONNode(.bool(false), at: node.position)
          case .anything: continue
          }
        }
      case "enum", "const", "default", SchemaCompiler.discriminatorValues: break
      case "properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies":
        let isSame = inPlace && member.name == "dependentSchemas"
        let inner = (value.members ?? []).map { item in
          JSONNode.Member(
            name: item.name, value: rewritten(item.value, kind, inPlace: isSame, cut, base: base),
            position: item.position)
        }
        value = JSONNode(.object(inner), at: value.position)
      case "not", "if", "then", "else":
        value = rewritten(value, kind, inPlace: inPlace, cut, base: base)
      case "allOf": value = rewritten(value, .part, inPlace: inPlace, cut, base: base)
      case "anyOf", "oneOf": value = rewritten(value, .choice, inPlace: inPlace, cut, base: base)
      default: value = rewritten(value, kind, inPlace: false, cut, base: base)
      }
      result.append(JSONNode.Member(name: member.name, value: value, position: member.position))
    }
    return JSONNode(.object(result), at: node.position)
  }
}
