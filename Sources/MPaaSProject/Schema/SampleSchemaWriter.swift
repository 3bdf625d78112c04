import MPaaSJSON

/// The places in samples where somebody says whether an object is a map or a structure.
///
/// A place is a JSON pointer in which `*` stands for any member and for the elements of an array; `/` is the document.
package struct SampleMaps: Sendable, Equatable {
  /// Objects whose names are data.
  package var maps: [String]
  /// Objects whose names are members, whatever they look like.
  package var structures: [String]

  package init(maps: [String] = [], structures: [String] = []) {
    self.maps = maps
    self.structures = structures
  }

  var all: [String] { maps + structures }

  /// Tells whether a place is a map, and the pointer that says so; nil where none speaks of it.
  func decision(at path: [String]) -> (isMap: Bool, pointer: String)? {
    if let pointer = maps.first(where: { Self.covers($0, path) }) { return (true, pointer) }
    return structures.first { Self.covers($0, path) }.map { (false, $0) }
  }

  private static func covers(_ pointer: String, _ path: [String]) -> Bool {
    let parts = pointer == "/" ? [] : pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    guard parts.count == path.count, pointer.isEmpty || pointer.hasPrefix("/") else { return false }
    return zip(parts, path).allSatisfy { part, step in
      part == "*" || part.replacing("~1", with: "/").replacing("~0", with: "~") == step
    }
  }
}

/// Writes what samples have in common as a JSON Schema.
struct SampleSchemaWriter {
  let dates: Bool
  let maps: SampleMaps
  /// The pointers of `maps` that have met an object.
  private(set) var used: Set<String> = []

  init(dates: Bool, maps: SampleMaps) {
    self.dates = dates
    self.maps = maps
  }

  /// The schema of a shape.
  ///
  /// - Parameter path: The names that lead to it, with `*` for the elements of arrays and the values of maps.
  mutating func schema(of shape: SampleShape, at path: [String]) -> JSONNode {
    var schemas: [JSONNode] = []
    let others = shape.kinds.subtracting([.null])
    for kind in others.sorted() where kind != .integer || !others.contains(.number) {
      schemas.append(schema(of: kind, in: shape, at: path))
    }
    // Nothing is known of a value that was only ever null.
    if schemas.isEmpty { return JSONNode(.object([])) }
    if shape.kinds.contains(.null) { schemas.append(Self.object([("type", Self.text("null"))])) }
    return schemas.count == 1 ? schemas[0] : Self.object([("anyOf", JSONNode(.array(schemas)))])
  }

  private mutating func schema(of kind: ModelKind, in shape: SampleShape, at path: [String]) -> JSONNode {
    switch kind {
    case .object: return objectSchema(shape, at: path)
    case .array:
      let items = shape.element.map { schema(of: $0, at: path + ["*"]) } ?? JSONNode(.object([]))
      return Self.object([("type", Self.text("array")), ("items", items)])
    case .string:
      let format = !dates ? nil : shape.isDateTime ? "date-time" : shape.isDate ? "date" : nil
      return Self.object([("type", Self.text("string"))] + (format.map { [("format", Self.text($0))] } ?? []))
    case .integer where !shape.fitsInteger: return Self.object([("type", Self.text("number"))])
    default: return Self.object([("type", Self.text(kind.rawValue))])
    }
  }

  private mutating func objectSchema(_ shape: SampleShape, at path: [String]) -> JSONNode {
    let decision = maps.decision(at: path)
    if let decision { used.insert(decision.pointer) }
    if decision?.isMap ?? SampleKeys.areData(shape) {
      let value = schema(of: shape.value, at: path + ["*"])
      return Self.object([("type", Self.text("object")), ("additionalProperties", value)])
    }
    var properties: [JSONNode.Member] = []
    for name in shape.order {
      guard let member = shape.members[name] else { continue }
      properties.append(JSONNode.Member(name: name, value: schema(of: member, at: path + [name])))
    }
    let required = shape.order.filter { shape.counts[$0] == shape.objects }.map { Self.text($0) }
    return Self.object(
      [("type", Self.text("object")), ("properties", JSONNode(.object(properties)))]
        + (required.isEmpty ? [] : [("required", JSONNode(.array(required)))]))
  }

  private static func text(_ text: String) -> JSONNode { JSONNode(.string(text)) }

  private static func object(_ members: [(String, JSONNode)]) -> JSONNode {
    JSONNode(.object(members.map { JSONNode.Member(name: $0.0, value: $0.1) }))
  }
}
