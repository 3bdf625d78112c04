import MPaaSJSON
import MPaaSPattern

/// Makes validators of the schemas of a registry.
package struct SchemaCompiler: Sendable {
  let registry: SchemaRegistry
  /// True where formats are checked; else they are remarks.
  let assertsFormats: Bool
  var schemas: [CompiledSchema] = []
  /// The faults that keep schemas from being used as they are meant; `isRemark` marks those that leave something out only.
  package private(set) var faults: [SchemaFault] = []
  private var known: [SchemaRegistry.Location: Int] = [:]
  private var waiting: [Waiting] = []
  private var patterns: [String: Pattern?] = [:]
  private var budget = 4_000_000
  /// The schemas with the dynamic anchors of each resource, in which names outside of a schema are looked up.
  private var dynamic: [[String: Int]] = []
  private var recursive: [Int?] = []

  private struct Waiting {
    let index: Int
    let location: SchemaRegistry.Location
    let node: JSONNode
    let resource: Int
  }

  package init(_ registry: SchemaRegistry, assertsFormats: Bool = false) {
    self.registry = registry
    self.assertsFormats = assertsFormats
  }

  /// The index of the schema at a path of a document, by which the validator knows it; nil where there is none.
  package mutating func compile(_ address: String, path: [String] = []) -> Int? {
    guard let root = registry.addresses[SchemaAddress.withoutFragment(address)],
      let (location, node, resource) = follow(path, from: root)
    else { return nil }
    let index = schema(location, node, resource)
    finish()
    return index
  }

  /// The validator of all that was compiled.
  package var validator: SchemaValidator {
    SchemaValidator(schemas: schemas, dynamic: dynamic, recursive: recursive)
  }

  private mutating func finish() {
    while let next = waiting.popLast() { fill(next) }
    if dynamic.isEmpty { nameAnchors() }
    while let next = waiting.popLast() { fill(next) }
  }

  /// Compiles what dynamic references may lead to from anywhere.
  private mutating func nameAnchors() {
    dynamic = Array(repeating: [:], count: registry.resources.count)
    recursive = Array(repeating: nil, count: registry.resources.count)
    for (index, resource) in registry.resources.enumerated() {
      for (name, path) in resource.dynamicAnchors {
        guard let (location, node, inner) = follow(path, in: resource.document) else { continue }
        dynamic[index][name] = schema(location, node, inner)
      }
      if resource.isRecursiveAnchor, let (location, node, inner) = follow(resource.path, in: resource.document) {
        recursive[index] = schema(location, node, inner)
      }
    }
  }

  private func follow(_ path: [String], in document: Int) -> (SchemaRegistry.Location, JSONNode, Int)? {
    guard let root = registry.resourceAt[SchemaRegistry.Location(document: document, path: [])] else { return nil }
    return follow(path, from: root)
  }

  /// The schema at a path inside a resource, and the resource that it is part of.
  private func follow(_ path: [String], from root: Int) -> (SchemaRegistry.Location, JSONNode, Int)? {
    let start = registry.resources[root]
    var node = start.node
    // A document that names itself is the resource of that name.
    var resource = registry.resourceAt[SchemaRegistry.Location(document: start.document, path: start.path)] ?? root
    var steps = start.path
    for step in path {
      guard let child = SchemaRegistry.child(step, of: node) else { return nil }
      node = child
      steps.append(step)
      let location = SchemaRegistry.Location(document: start.document, path: steps)
      if let inner = registry.resourceAt[location] { resource = inner }
    }
    return (SchemaRegistry.Location(document: start.document, path: steps), node, resource)
  }

  private mutating func schema(_ location: SchemaRegistry.Location, _ node: JSONNode, _ resource: Int) -> Int {
    if let index = known[location] { return index }
    let index = schemas.count
    known[location] = index
    var schema = CompiledSchema()
    schema.resource = resource
    let pointer = location.path.map { "/" + $0.replacing("~", with: "~0").replacing("/", with: "~1") }.joined()
    schema.address = registry.documents[location.document].address + "#" + pointer
    schemas.append(schema)
    waiting.append(Waiting(index: index, location: location, node: node, resource: resource))
    return index
  }

  // MARK: Words

  private mutating func fill(_ next: Waiting) {
    let resource = registry.resources[next.resource]
    switch next.node.content {
    case .bool(let value): schemas[next.index].refuses = !value
    case .object(let members):
      var reading = SchemaReading(
        node: next.node, location: next.location, resource: next.resource, dialect: resource.dialect,
        checksValues: resource.checksValues)
      if let named = next.node["$schema"]?.string, let dialect = SchemaDialect(address: named) {
        reading.dialect = dialect
      }
      if reading.dialect.refStandsAlone, let reference = next.node["$ref"], reference.string != nil {
        if let target = resolve(reference, reading) { schemas[next.index].words = [.reference(target)] }
        return
      }
      var words: [SchemaWord] = []
      for member in members { add(member, reading, to: &words) }
      schemas[next.index].words = Self.ordered(words)
      schemas[next.index].tracks = words.contains(where: Self.isAboutRest)
    default: fault(.notSchema, "", next.node, in: next.location.document)
    }
  }

  private static func isAboutRest(_ word: SchemaWord) -> Bool {
    switch word {
    case .unevaluatedItems, .unevaluatedProperties: true
    default: false
    }
  }

  /// Types first, since other words say little about a value of another type, then words about the value, then those
  /// about its parts; what looks at the rest comes last.
  private static func ordered(_ words: [SchemaWord]) -> [SchemaWord] {
    func rank(_ word: SchemaWord) -> Int {
      switch word {
      case .types: 0
      case .unevaluatedItems, .unevaluatedProperties: 3
      case .allOf, .anyOf, .oneOf, .not, .condition, .items, .contains, .dependentSchemas, .propertyNames, .properties,
        .format:
        2
      default: 1
      }
    }
    return (0...3).flatMap { wanted in words.filter { rank($0) == wanted } }
  }

  mutating func child(_ node: JSONNode, _ reading: SchemaReading, _ steps: String...) -> Int {
    let location = SchemaRegistry.Location(
      document: reading.location.document, path: reading.location.path + steps)
    return schema(location, node, registry.resourceAt[location] ?? reading.resource)
  }

  mutating func fault(_ code: SchemaFault.Code, _ detail: String, _ node: JSONNode, in document: Int) {
    let address = registry.documents[document].address
    faults.append(SchemaFault(code: code, detail: detail, document: address, position: node.position))
  }

  /// Reads a pattern once; nil where it is none, or none that is taken.
  mutating func pattern(_ text: String, _ node: JSONNode, in document: Int) -> Pattern? {
    if let pattern = patterns[text] { return pattern }
    var found: Pattern?
    switch ECMAPattern(text) {
    case .translated(let translated):
      do {
        found = try Pattern(translated, budget: &budget)
      } catch {
        fault(.patternUnsupported, text, node, in: document)
      }
    case .unsupported: fault(.patternUnsupported, text, node, in: document)
    case .malformed: fault(.patternMalformed, text, node, in: document)
    }
    patterns[text] = .some(found)
    return found
  }

  // MARK: References

  mutating func resolve(_ reference: JSONNode, _ reading: SchemaReading) -> Int? {
    guard let text = reference.string else { return nil }
    let resource = registry.resources[reading.resource]
    let address = SchemaAddress.resolve(text, resource.base)
    let fragment = SchemaAddress.fragment(address) ?? ""
    guard let root = registry.addresses[SchemaAddress.withoutFragment(address)] else {
      fault(.referenceMissing, text, reference, in: reading.location.document)
      return nil
    }
    var found: (SchemaRegistry.Location, JSONNode, Int)?
    if fragment.isEmpty || fragment.hasPrefix("/") {
      found = follow(fragment.isEmpty ? [] : SchemaAddress.steps(fragment), from: root)
    } else if let path = registry.resources[root].anchors[fragment] {
      found = follow(path, in: registry.resources[root].document)
    }
    guard let (location, node, inner) = found else {
      fault(.referenceMissing, text, reference, in: reading.location.document)
      return nil
    }
    return schema(location, node, inner)
  }

  /// The name of the dynamic anchor that a reference names where its target has one.
  func dynamicName(_ reference: String, _ reading: SchemaReading) -> String? {
    let address = SchemaAddress.resolve(reference, registry.resources[reading.resource].base)
    guard let name = SchemaAddress.fragment(address), !name.isEmpty, !name.hasPrefix("/"),
      let root = registry.addresses[SchemaAddress.withoutFragment(address)],
      registry.resources[root].dynamicAnchors[name] != nil
    else { return nil }
    return name
  }

  /// Tells whether the resource that a recursive reference stands in says so of itself.
  func isRecursive(_ reading: SchemaReading) -> Bool { registry.resources[reading.resource].isRecursiveAnchor }
}

/// A schema that is being compiled.
struct SchemaReading {
  let node: JSONNode
  let location: SchemaRegistry.Location
  let resource: Int
  var dialect: SchemaDialect
  let checksValues: Bool
}
