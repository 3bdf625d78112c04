import MPaaSJSON

/// The form that a schema gives to a value, as far as text must be read by it.
struct ValueShape: Sendable {
  enum Kind: Sendable { case scalar, array, object }

  let kind: Kind
  var takesNumber = false
  var takesBoolean = false
  var takesNull = false
  var takesString = false
  /// The form of an array's elements.
  var elements: [ValueShape] = []
  /// The forms of an object's members.
  var members: [String: ValueShape] = [:]
  /// The form of an object's other members; none where there may be none.
  var others: [ValueShape] = []
  var isBinary = false

  static let text = ValueShape(kind: .scalar, takesString: true)

  init(
    kind: Kind, takesNumber: Bool = false, takesBoolean: Bool = false, takesNull: Bool = false,
    takesString: Bool = false
  ) {
    self.kind = kind
    self.takesNumber = takesNumber
    self.takesBoolean = takesBoolean
    self.takesNull = takesNull
    self.takesString = takesString
  }

  init(_ schema: OpenAPISchema?, in document: OpenAPIDocument, depth: Int = 0) {
    var found = ShapeParts()
    if let schema { found.collect(schema, document, 0) }
    let isObject = found.types.contains("object") || (found.types.isEmpty && !found.properties.isEmpty)
    let isArray = found.types.contains("array") || (found.types.isEmpty && found.items != nil)
    kind = isObject ? .object : isArray ? .array : .scalar
    takesNumber = found.types.contains("integer") || found.types.contains("number")
    takesBoolean = found.types.contains("boolean")
    takesNull = found.types.contains("null")
    takesString = found.types.contains("string") || found.types.isEmpty
    isBinary = found.format == "binary"
    guard depth < 4 else { return }
    if isArray { elements = [ValueShape(found.items, in: document, depth: depth + 1)] }
    guard isObject else { return }
    for (name, schema) in found.properties where members[name] == nil {
      members[name] = ValueShape(schema, in: document, depth: depth + 1)
    }
    if let additional = found.additional { others = [ValueShape(additional, in: document, depth: depth + 1)] }
  }

  /// The value that a text without parts stands for.
  func scalar(_ text: String) -> JSONNode {
    if takesNumber, let number = JSONNumber(text) { return JSONNode(.number(number)) }
    if takesBoolean, text == "true" || text == "false" { return JSONNode(.bool(text == "true")) }
    if takesNull, !takesString, text == "null" || text.isEmpty { return JSONNode(.null) }
    return JSONNode(.string(text))
  }

  /// The value of a text that may stand for a list of one.
  func value(_ text: String) -> JSONNode {
    kind == .array ? JSONNode(.array([(elements.first ?? .text).scalar(text)])) : scalar(text)
  }

  func member(_ name: String) -> ValueShape { members[name] ?? others.first ?? .text }
}

/// The form that several schemas describe together.
private struct ShapeParts {
  var types: Set<String> = []
  var items: OpenAPISchema?
  var properties: [(String, OpenAPISchema)] = []
  var additional: OpenAPISchema?
  var format: String?

  mutating func collect(_ schema: OpenAPISchema, _ document: OpenAPIDocument, _ depth: Int) {
    guard depth < 8 else { return }
    if let target = document.target(of: schema) { collect(target, document, depth + 1) }
    let node = schema.node
    for type in node["type"]?.elements ?? [node["type"]].compactMap({ $0 }) {
      if let name = type.string { types.insert(name) }
    }
    if node["nullable"]?.bool == true { types.insert("null") }
    format = format ?? node["format"]?.string
    items = items ?? schema["items"]
    properties += schema.map("properties").map { ($0.name, $0.schema) }
    if let more = schema["additionalProperties"], more.node.bool == nil { additional = more }
    for list in ["allOf", "oneOf", "anyOf"] {
      for part in schema.list(list) { collect(part, document, depth + 1) }
    }
  }
}
