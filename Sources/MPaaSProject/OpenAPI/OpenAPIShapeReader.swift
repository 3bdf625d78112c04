import MPaaSJSON
import MPaaSOpenAPI

/// Tells what a schema says of the form of its values, as far as writing them in text, in forms and in XML needs it.
struct OpenAPIShapeReader {
  let document: OpenAPIDocument

  init(_ document: OpenAPIDocument) { self.document = document }

  /// The properties of an object with what it is composed of, in their order.
  func properties(_ schema: OpenAPISchema, depth: Int = 0) -> [(name: String, schema: OpenAPISchema, isRequired: Bool)]
  {
    guard depth < 20 else { return [] }
    var found: [(name: String, schema: OpenAPISchema, isRequired: Bool)] = []
    func add(_ name: String, _ schema: OpenAPISchema, _ isRequired: Bool) {
      if let known = found.firstIndex(where: { $0.name == name }) {
        found[known].isRequired = found[known].isRequired || isRequired
      } else {
        found.append((name, schema, isRequired))
      }
    }
    if let target = document.target(of: schema) {
      for item in properties(target, depth: depth + 1) { add(item.name, item.schema, item.isRequired) }
    }
    for part in schema.list("allOf") {
      for item in properties(part, depth: depth + 1) { add(item.name, item.schema, item.isRequired) }
    }
    let required = Set((schema.node["required"]?.elements ?? []).compactMap(\.string))
    for item in schema.map("properties") { add(item.name, item.schema, required.contains(item.name)) }
    for index in found.indices where required.contains(found[index].name) { found[index].isRequired = true }
    return found
  }

  func isList(_ schema: OpenAPISchema) -> Bool {
    types(schema).contains("array") || schema.node["items"] != nil
  }

  /// Tells whether values are bytes rather than text.
  func isFile(_ schema: OpenAPISchema, _ contentType: String?) -> Bool {
    let node = schema.node
    if node["format"]?.string == "binary" || node["contentEncoding"]?.string == "binary" { return true }
    if let type = contentType ?? node["contentMediaType"]?.string, node["contentEncoding"] == nil {
      let first = type.split(separator: ",").first.map(String.init) ?? type
      return OpenAPIPlan.PlannedContent.Kind(first.filter { $0 != " " }) == .bytes
    }
    // In 3.1 a part without a type is bytes.
    return document.version > .v3_0 && (node.members?.isEmpty ?? true)
  }

  private func types(_ schema: OpenAPISchema) -> [String] {
    guard let node = schema.node["type"] else { return [] }
    return (node.elements ?? [node]).compactMap(\.string)
  }

  // MARK: Shapes in Swift

  /// The expression of `APIShape` for a schema.
  func expression(_ schema: OpenAPISchema?, xml isXML: Bool = false, depth: Int = 0) -> String {
    guard depth < 8, let schema else { return ".any" }
    let resolved = document.resolved(schema) ?? schema
    let composed = alternatives(resolved)
    if !composed.isEmpty {
      let shapes = composed.map { expression($0, xml: isXML, depth: depth + 1) }
      let unique = shapes.enumerated().filter { shapes.firstIndex(of: $1) == $0 }.map(\.element)
      return unique.count == 1 ? unique[0] : ".oneOf([\(unique.joined(separator: ", "))])"
    }
    let types = types(resolved).filter { $0 != "null" }
    let members = properties(resolved)
    if types == ["array"] || types.isEmpty && resolved.node["items"] != nil {
      let item = expression(resolved["items"], xml: isXML, depth: depth + 1)
      let marks = isXML ? xmlMarks(resolved, item: resolved["items"].flatMap { document.resolved($0) }) : ""
      return ".array(\(item)\(marks))"
    }
    if types == ["object"] || types.isEmpty && !members.isEmpty || resolved.node["allOf"] != nil && !members.isEmpty {
      let list = members.map { member in
        let inner = expression(member.schema, xml: isXML, depth: depth + 1)
        let schema = document.resolved(member.schema) ?? member.schema
        let marks = isXML ? xmlName(schema, list: inner.hasPrefix(".array")) : ""
        return ".init(\(SwiftSpelling.literal(member.name)), \(inner)\(marks))"
      }
      return ".object([\(list.joined(separator: ", "))])"
    }
    if let part = resolved.list("allOf").first, types.isEmpty { return expression(part, xml: isXML, depth: depth + 1) }
    return scalar(types, resolved)
  }

  private func alternatives(_ schema: OpenAPISchema) -> [OpenAPISchema] {
    let list = schema.list("anyOf") + schema.list("oneOf")
    return list.filter { types(document.resolved($0) ?? $0) != ["null"] }
  }

  private func scalar(_ types: [String], _ schema: OpenAPISchema) -> String {
    let words = ["boolean", "integer", "number", "string"].filter(types.contains)
    if words.count > 1 { return ".oneOf([\(words.map { "." + $0 }.joined(separator: ", "))])" }
    if let word = words.first { return "." + word }
    let values = (schema.node["enum"]?.elements ?? []) + [schema.node["const"]].compactMap(\.self)
    if !values.isEmpty, values.allSatisfy({ $0.string != nil }) { return ".string" }
    return ".any"
  }

  // MARK: XML

  /// The name of the root element of a value.
  func rootName(_ schema: OpenAPISchema?) -> String {
    guard let schema else { return "value" }
    let resolved = document.resolved(schema) ?? schema
    return resolved.node["xml"]?["name"]?.string ?? resolved.location.componentName ?? "value"
  }

  private func xmlName(_ schema: OpenAPISchema, list: Bool) -> String {
    guard let xml = schema.node["xml"] else { return "" }
    var marks: [String] = []
    if let name = xml["name"]?.string, !list || xml["wrapped"]?.bool == true {
      let prefix = xml["prefix"]?.string.map { $0 + ":" } ?? ""
      marks.append("element: \(SwiftSpelling.literal(prefix + name))")
    } else if let prefix = xml["prefix"]?.string {
      marks.append("prefix: \(SwiftSpelling.literal(prefix))")
    }
    if let space = xml["namespace"]?.string { marks.append("namespace: \(SwiftSpelling.literal(space))") }
    let node = xml["nodeType"]?.string
    if xml["attribute"]?.bool == true || node == "attribute" { marks.append("node: .attribute") }
    if node == "text" || node == "cdata" { marks.append("node: .text") }
    return marks.isEmpty ? "" : ", " + marks.joined(separator: ", ")
  }

  private func xmlMarks(_ schema: OpenAPISchema, item: OpenAPISchema?) -> String {
    var marks = ""
    if let name = item?.node["xml"]?["name"]?.string { marks += ", item: \(SwiftSpelling.literal(name))" }
    let xml = schema.node["xml"]
    if xml?["wrapped"]?.bool == true || xml?["nodeType"]?.string == "element" { marks += ", isWrapped: true" }
    return marks
  }
}
