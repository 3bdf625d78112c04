package import MPaaSJSON

/// The documents that schemas stand in, and the addresses that they give to their parts.
///
/// References are looked up here only; nothing is fetched.
package struct SchemaRegistry: Sendable {
  struct Document: Sendable {
    let address: String
    let root: JSONNode
    let dialect: SchemaDialect
  }

  /// A schema with an address of its own, and what it names.
  struct Resource: Sendable {
    let base: String
    let document: Int
    let path: [String]
    let node: JSONNode
    let dialect: SchemaDialect
    /// False where the dialect's own schema leaves out the words that check values.
    var checksValues = true
    var anchors: [String: [String]] = [:]
    var dynamicAnchors: [String: [String]] = [:]
    var isRecursiveAnchor = false
  }

  /// A schema in a document.
  struct Location: Hashable, Sendable {
    let document: Int
    let path: [String]
  }

  private(set) var documents: [Document] = []
  private(set) var resources: [Resource] = []
  private(set) var addresses: [String: Int] = [:]
  private(set) var resourceAt: [Location: Int] = [:]

  package init() {}

  /// Adds a document.
  ///
  /// - Parameters:
  ///   - address: The address or the path that references name it by.
  ///   - dialect: The dialect of schemas that do not name theirs.
  ///   - roots: The paths of the schemas in it; the document as a whole, if none are given.
  package mutating func add(
    _ root: JSONNode, at address: String, dialect: SchemaDialect, schemas roots: [[String]] = [[]]
  ) {
    let document = documents.count
    let address = SchemaAddress.withoutFragment(address)
    documents.append(Document(address: address, root: root, dialect: dialect))
    let named = root["$schema"]?.string.flatMap { SchemaDialect(address: $0) } ?? dialect
    let resource = addResource(
      Resource(base: address, document: document, path: [], node: root, dialect: roots == [[]] ? named : dialect))
    if roots == [[]], let schema = root["$schema"]?.string { readVocabulary(schema, for: resource) }
    for path in roots {
      guard let node = Self.node(at: path, in: root) else { continue }
      walk(node, document, path, resource)
    }
  }

  /// Makes a document known by a further address.
  package mutating func alias(_ address: String, of known: String) {
    guard let resource = addresses[SchemaAddress.withoutFragment(known)] else { return }
    addresses[SchemaAddress.withoutFragment(address)] = resource
  }

  private mutating func addResource(_ resource: Resource) -> Int {
    resources.append(resource)
    let index = resources.count - 1
    addresses[resource.base] = index
    resourceAt[Location(document: resource.document, path: resource.path)] = index
    return index
  }

  /// A schema of schemas may leave out the words that check values.
  private mutating func readVocabulary(_ address: String, for resource: Int) {
    guard SchemaDialect(address: address) == nil,
      let meta = addresses[SchemaAddress.withoutFragment(address)],
      let vocabulary = resources[meta].node["$vocabulary"]?.members
    else { return }
    resources[resource].checksValues = vocabulary.contains { $0.name.hasSuffix("/vocab/validation") }
  }

  static func node(at path: [String], in root: JSONNode) -> JSONNode? {
    var node = root
    for step in path {
      guard let child = child(step, of: node) else { return nil }
      node = child
    }
    return node
  }

  static func child(_ step: String, of node: JSONNode) -> JSONNode? {
    if let member = node[step] { return member }
    guard let elements = node.elements, let index = Int(step), elements.indices.contains(index) else { return nil }
    return elements[index]
  }
}

// MARK: Names that schemas give

extension SchemaRegistry {
  private mutating func walk(_ root: JSONNode, _ document: Int, _ path: [String], _ resource: Int) {
    var open: [(node: JSONNode, path: [String], resource: Int)] = [(root, path, resource)]
    while let (node, path, outer) = open.popLast() {
      guard node.members != nil else { continue }
      let resource = identify(node, document, path, outer)
      for (steps, child) in SchemaWords.children(node) { open.append((child, path + steps, resource)) }
    }
  }

  /// Reads the names that a schema gives to itself, and returns the resource that it is part of.
  private mutating func identify(_ node: JSONNode, _ document: Int, _ path: [String], _ outer: Int) -> Int {
    var resource = outer
    let named = node["$schema"]?.string
    let dialect = named.flatMap { SchemaDialect(address: $0) } ?? resources[outer].dialect
    guard !dialect.refStandsAlone || node["$ref"]?.string == nil else { return resource }
    if let word = dialect.identifier, let id = node[word]?.string {
      let address = SchemaAddress.resolve(id, resources[outer].base)
      let fragment = SchemaAddress.fragment(address) ?? ""
      let bare = SchemaAddress.withoutFragment(address)
      if !id.hasPrefix("#") {
        resource = addResource(Resource(base: bare, document: document, path: path, node: node, dialect: dialect))
        resources[resource].checksValues = resources[outer].checksValues
        if let named { readVocabulary(named, for: resource) }
      }
      if !fragment.isEmpty, !dialect.hasAnchors { resources[resource].anchors[fragment] = path }
    }
    guard dialect.hasAnchors else { return resource }
    if let anchor = node["$anchor"]?.string { resources[resource].anchors[anchor] = path }
    if dialect == .draft2020, let anchor = node["$dynamicAnchor"]?.string {
      resources[resource].anchors[anchor] = path
      resources[resource].dynamicAnchors[anchor] = path
    }
    if dialect == .draft2019, node["$recursiveAnchor"]?.bool == true, resources[resource].path == path {
      resources[resource].isRecursiveAnchor = true
    }
    return resource
  }
}

/// The words whose values are schemas.
enum SchemaWords {
  static let single: Set<String> = [
    "additionalItems", "additionalProperties", "contains", "contentSchema", "else", "if", "items", "not",
    "propertyNames", "then", "unevaluatedItems", "unevaluatedProperties",
  ]
  static let lists: Set<String> = ["allOf", "anyOf", "oneOf", "prefixItems", "items"]
  static let maps: Set<String> = [
    "$defs", "definitions", "dependentSchemas", "patternProperties", "properties", "dependencies",
  ]

  /// The schemas right inside one, with the steps that lead to them.
  static func children(_ node: JSONNode) -> [(steps: [String], node: JSONNode)] {
    var children: [(steps: [String], node: JSONNode)] = []
    for member in node.members ?? [] {
      if let elements = member.value.elements {
        guard lists.contains(member.name) else { continue }
        for (index, element) in elements.enumerated() { children.append(([member.name, String(index)], element)) }
      } else if single.contains(member.name) {
        children.append(([member.name], member.value))
      } else if maps.contains(member.name) {
        for inner in member.value.members ?? [] where inner.value.elements == nil {
          children.append(([member.name, inner.name], inner.value))
        }
      }
    }
    return children
  }
}
