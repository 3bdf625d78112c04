import MPaaSJSON
import MPaaSJSONSchema
import MPaaSSupport

/// A schema inside a document.
struct Schema {
  let document: Int
  /// The steps from the document's root.
  let path: [String]
  /// The address that relative references in it are relative to.
  let base: String
  let isDraft7: Bool
  let node: JSONNode
  /// By name, those that count: of a reference before draft 2019-09 nothing else does.
  let keywords: [String: JSONNode]

  subscript(_ keyword: String) -> JSONNode? { keywords[keyword] }

  /// The last step that is no keyword: what it was called where it stands.
  var givenName: String? {
    path.last { Int($0) == nil && !Schema.applicators.contains($0) }
  }

  static let single = [
    "additionalProperties", "additionalItems", "items", "contains", "propertyNames", "not", "if", "then", "else",
    "unevaluatedItems", "unevaluatedProperties",
  ]
  static let lists = ["allOf", "anyOf", "oneOf", "prefixItems", "items"]
  static let maps = ["properties", "patternProperties", "definitions", "$defs", "dependentSchemas", "dependencies"]
  static let applicators = Set(single + lists + maps)
}

/// All schemas of the given documents, found by address.
struct SchemaLibrary {
  let documents: [JSONSource]
  private(set) var schemas: [Schema] = []
  private var indexes: [Location: Int] = [:]
  private var addresses: [String: Int] = [:]
  private var anchors: [String: Int] = [:]
  /// The index of the root of each document.
  private(set) var roots: [Int] = []

  private struct Location: Hashable {
    let document: Int
    let path: [String]
  }

  init(_ documents: [JSONSource]) throws(GenerationError) {
    self.documents = documents
    for (index, document) in documents.enumerated() {
      let address = Self.address(document.file)
      let isDraft7 = Self.isDraft7(document.root)
      let root = try register(document.root, index, [], base: address, isDraft7)
      roots.append(root)
      addresses[address] = root
    }
  }

  private static func address(_ file: String) -> String {
    "file://" + (file.hasPrefix("/") ? "" : "/") + file
  }

  /// Without `$schema`, by whether it uses words that only later drafts know.
  private static func isDraft7(_ root: JSONNode) -> Bool {
    if let name = root["$schema"]?.string { return name.contains("draft-0") }
    let later: Set = ["$defs", "prefixItems", "dependentRequired", "dependentSchemas", "$anchor"]
    func uses(_ node: JSONNode) -> Bool {
      if let members = node.members { return members.contains { later.contains($0.name) || uses($0.value) } }
      return node.elements?.contains(where: uses) ?? false
    }
    return !uses(root)
  }

  func place(_ node: JSONNode, of schema: Schema) -> Place {
    documents[schema.document].place(node)
  }
}

// MARK: Registering

extension SchemaLibrary {
  /// Adds a schema and all that are in it; the index of the first.
  @discardableResult
  private mutating func register(
    _ node: JSONNode, _ document: Int, _ path: [String], base: String, _ isDraft7: Bool
  ) throws(GenerationError) -> Int {
    let location = Location(document: document, path: path)
    if let known = indexes[location] { return known }
    guard node.bool != nil || node.members != nil else {
      throw GenerationError(
        .schemaNotSchema, ["kind": node.kind.rawValue], at: documents[document].place(node))
    }
    let isDraft7 = node["$schema"]?.string.map { $0.contains("draft-0") } ?? isDraft7
    var base = base
    let index = schemas.count
    var names: [String] = []
    if let id = node["$id"]?.string {
      if id.hasPrefix("#") {
        names.append(String(id.dropFirst()))
      } else if !(isDraft7 && node["$ref"] != nil) || path.isEmpty {
        base = SchemaAddress.resolve(id, base)
        addresses[SchemaAddress.withoutFragment(base)] = addresses[SchemaAddress.withoutFragment(base)] ?? index
      }
    }
    names += ["$anchor", "$dynamicAnchor"].compactMap { node[$0]?.string }
    for name in names { anchors[SchemaAddress.withoutFragment(base) + "#" + name] = index }
    schemas.append(
      Schema(
        document: document, path: path, base: base, isDraft7: isDraft7, node: node,
        keywords: Self.keywords(node, isDraft7)))
    indexes[location] = index
    for (step, child) in Self.children(node) {
      try register(child, document, path + step, base: base, isDraft7)
    }
    return index
  }

  private static func keywords(_ node: JSONNode, _ isDraft7: Bool) -> [String: JSONNode] {
    if isDraft7, let reference = node["$ref"], reference.string != nil { return ["$ref": reference] }
    return Dictionary((node.members ?? []).map { ($0.name, $0.value) }) { $1 }
  }

  /// The schemas right inside one, with the steps that lead to them.
  private static func children(_ node: JSONNode) -> [([String], JSONNode)] {
    var children: [([String], JSONNode)] = []
    for name in Schema.single {
      if let child = node[name], child.elements == nil { children.append(([name], child)) }
    }
    for name in Schema.lists {
      for (index, child) in (node[name]?.elements ?? []).enumerated() {
        children.append(([name, String(index)], child))
      }
    }
    for name in Schema.maps {
      for member in node[name]?.members ?? [] where name != "dependencies" || member.value.elements == nil {
        children.append(([name, member.name], member.value))
      }
    }
    return children
  }

  /// The schema at some steps inside another; it must have been registered, as all that keywords lead to are.
  func child(_ index: Int, _ steps: String...) -> Int? {
    indexes[Location(document: schemas[index].document, path: schemas[index].path + steps)]
  }
}

// MARK: References

extension SchemaLibrary {
  /// The schema that a reference means.
  ///
  /// - Throws: `GenerationError` at the reference where nothing given has that address.
  mutating func resolve(_ reference: JSONNode, from index: Int) throws(GenerationError) -> Int {
    let schema = schemas[index]
    guard let text = reference.string else {
      throw GenerationError(
        .schemaKeyword, ["keyword": "$ref", "wanted": "string"], at: place(reference, of: schema))
    }
    let address = SchemaAddress.resolve(text, schema.base)
    if let found = try find(address) { return found }
    throw GenerationError(.schemaRefMissing, ["ref": text, "address": address], at: place(reference, of: schema))
  }

  private mutating func find(_ address: String) throws(GenerationError) -> Int? {
    let resource = SchemaAddress.withoutFragment(address)
    let fragment = SchemaAddress.fragment(address) ?? ""
    guard let root = addresses[resource] ?? fileNamed(resource) else { return nil }
    if fragment.isEmpty { return root }
    if let anchor = anchors[SchemaAddress.withoutFragment(schemas[root].base) + "#" + fragment] { return anchor }
    guard fragment.hasPrefix("/") else { return nil }
    return try follow(SchemaAddress.steps(fragment), from: root)
  }

  /// The document whose path ends as the address does, where just one is the nearest.
  private func fileNamed(_ address: String) -> Int? {
    let wanted = address.split(separator: "/").map(String.init)
    var best: (score: Int, root: Int, count: Int) = (0, 0, 0)
    for (index, document) in documents.enumerated() {
      let path = document.file.split(separator: "/").map(String.init)
      let score = zip(wanted.reversed(), path.reversed()).prefix { $0 == $1 }.count
      if score > best.score {
        best = (score, roots.indices.contains(index) ? roots[index] : 0, 1)
      } else if score == best.score {
        best.count += 1
      }
    }
    return best.score > 0 && best.count == 1 ? best.root : nil
  }

  private mutating func follow(_ steps: [String], from root: Int) throws(GenerationError) -> Int? {
    let start = schemas[root]
    var node = start.node
    var base = start.base
    var path = start.path
    for step in steps {
      if let child = node[step] {
        node = child
      } else if let elements = node.elements, let place = Int(step), elements.indices.contains(place) {
        node = elements[place]
      } else {
        return nil
      }
      path.append(step)
      if let known = indexes[Location(document: start.document, path: path)] { base = schemas[known].base }
    }
    return try register(node, start.document, path, base: base, start.isDraft7)
  }
}
