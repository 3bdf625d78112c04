package import MPaaSJSON
import MPaaSJSONSchema

/// A JSON Schema that a document must hold to.
package struct JSONSchemaPattern: Sendable {
  private let validator: SchemaValidator
  private let index: Int
  private let source: JSONNode

  /// The versions by WireMock's names; the last one counts where none is named.
  private static let dialects: [String: SchemaDialect] = [
    "V4": .draft4, "V6": .draft6, "V7": .draft7, "V201909": .draft2019, "V202012": .draft2020,
  ]
  private static let address = "stub:schema"

  init(_ value: StubReader, _ reader: StubReader) throws(StubProblem) {
    var schema = value
    if let text = value.node.string {
      guard let node = JSONNode.reading(Array(text.utf8)) else { throw value.problem("is no JSON") }
      schema = StubReader(node, pointer: value.pointer)
    }
    guard schema.node.members != nil || schema.node.bool != nil else { throw value.problem("is no JSON Schema") }
    for name in ["id", "$id"] {
      if let identity = schema[name], identity.node.string == nil { throw identity.problem("is no string") }
    }
    let version = try reader.text("schemaVersion") ?? "V202012"
    guard let dialect = Self.dialects[version] else {
      throw reader["schemaVersion"]?.problem("is none of \(Self.dialects.keys.sorted().joined(separator: ", "))")
        ?? reader.problem("has an unknown schemaVersion")
    }
    var registry = SchemaRegistry()
    registry.add(schema.node, at: Self.address, dialect: dialect)
    var compiler = SchemaCompiler(registry)
    guard let index = compiler.compile(Self.address) else { throw value.problem("is no JSON Schema") }
    // A word that is left out would let documents through that the schema forbids.
    if let fault = compiler.faults.first { throw schema.problem(of: fault) }
    self.index = index
    validator = compiler.validator
    source = reader.node
  }

  package var document: JSONNode { source }

  /// Tells whether a document holds to the schema.
  func matches(_ value: JSONNode) -> Bool { validator.accepts(value, by: index) }
}

extension StubReader {
  /// The problem that a schema has, at the member that is at fault.
  fileprivate func problem(of fault: SchemaFault) -> StubProblem {
    let detail =
      switch fault.code {
      case .notSchema: "is no JSON Schema"
      case .keyword: "is no value that \(fault.detail) may have"
      case .referenceMissing: "refers to what is not in the schema: \(fault.detail)"
      case .patternMalformed: "is no regular expression: \(fault.detail)"
      case .patternUnsupported: "is a regular expression that needs what linear time cannot do: \(fault.detail)"
      }
    return (inner(at: fault.position) ?? self).problem(detail)
  }

  /// The value at a position of the text that this one was read from.
  private func inner(at position: TextPosition) -> StubReader? {
    var open = [self]
    while let reader = open.popLast() {
      if reader.node.position == position { return reader }
      for member in reader.node.members ?? [] {
        open.append(StubReader(member.value, pointer: Self.pointer(reader.pointer, member.name)))
      }
      for (index, element) in (reader.node.elements ?? []).enumerated() {
        open.append(StubReader(element, pointer: "\(reader.pointer)/\(index)"))
      }
    }
    return nil
  }
}
