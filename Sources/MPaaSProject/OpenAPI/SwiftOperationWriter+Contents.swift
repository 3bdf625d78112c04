import MPaaSJSON
import MPaaSOpenAPI

extension SwiftOperationWriter {
  /// The type of a body: that of its only media type, or an enumeration of several.
  func bodyType(_ contents: [OpenAPIPlan.PlannedContent], _ name: String) -> String {
    contents.count == 1 ? contentType(contents[0], name) : name
  }

  private func contentType(_ content: OpenAPIPlan.PlannedContent, _ name: String) -> String {
    switch content.kind {
    case .bytes, .events: "[UInt8]"
    case .multipart: content.parts.isEmpty ? "[APIPart]" : partsName(content, name)
    case .jsonLines: "[\(type(content.root))]"
    case .text: content.root == nil ? "String" : type(content.root)
    case .json, .form, .xml: type(content.root)
    }
  }

  private func partsName(_ content: OpenAPIPlan.PlannedContent, _ name: String) -> String {
    (name == "Body" ? "" : name) + ModelName.type(content.name) + "Parts"
  }

  /// The types of a body, and the descriptions of its media types.
  mutating func contents(
    _ contents: [OpenAPIPlan.PlannedContent], _ name: String, _ owner: String, isRequest: Bool
  ) {
    guard !contents.isEmpty else { return }
    for content in contents where content.kind == .multipart && !content.parts.isEmpty {
      parts(content, partsName(content, name), isRequest: isRequest)
    }
    if contents.count > 1 {
      text.blank()
      block("enum \(name): Sendable, Hashable") { writer in
        for content in contents {
          writer.text.documentation(["`\(Self.line(content.source.type))`"])
          writer.text.line("case \(SwiftSpelling.plain(content.name))(\(writer.contentType(content, name)))")
        }
      }
    }
    text.blank()
    text.line("fileprivate enum \(name)Contents {")
    let types = contents.map { SwiftSpelling.literal($0.source.type) }
    text.indented { $0.list("static let types = [", types, end: "]") }
    for content in contents {
      if let value = value(content) { lines("  static let \(SwiftSpelling.plain(content.name)) = \(value)") }
    }
    text.line("}")
  }

  /// The description of a media type whose values have a type; nil for bytes and for parts.
  private func value(_ content: OpenAPIPlan.PlannedContent) -> String? {
    let type = SwiftSpelling.literal(content.source.type)
    switch content.kind {
    case .json: return "APIContent(\(type), .json\(check(content.root)))"
    case .jsonLines: return "APIContent(\(type), .jsonLines\(check(content.root, each: true)))"
    case .text:
      let shape = content.root == nil ? ".string" : shapes.expression(content.schema)
      return "APIContent(\(type), .text, \(shape)\(check(content.root)))"
    case .form:
      let fields = content.source.encodings.compactMap { field($0, content) }
      let shape = shapes.expression(content.schema)
      return "APIContent(\(type), form: [\(fields.joined(separator: ", "))], \(shape)\(check(content.root)))"
    case .xml:
      let name = SwiftSpelling.literal(shapes.rootName(content.schema))
      let space = content.schema.flatMap { plan.document.resolved($0) ?? $0 }?.node["xml"]?["namespace"]?.string
      let namespace = space.map { ", namespace: " + SwiftSpelling.literal($0) } ?? ""
      let shape = shapes.expression(content.schema, xml: true)
      return "APIContent(\(type), xml: \(name)\(namespace), \(shape)\(check(content.root)))"
    case .bytes, .events, .multipart: return nil
    }
  }

  /// A field of a form with a style or a media type of its own.
  private func field(_ encoding: OpenAPIEncoding, _ content: OpenAPIPlan.PlannedContent) -> String? {
    guard let schema = content.schema,
      let property = shapes.properties(schema).first(where: { $0.name == encoding.name })
    else { return nil }
    let isJSON = encoding.contentType.map { OpenAPIPlan.PlannedContent.Kind($0) == .json } ?? false
    guard encoding.style != nil || isJSON else { return nil }
    let value = OpenAPIPlan.PlannedValue(
      root: nil, schema: nil, style: encoding.style ?? .form,
      explodes: encoding.style == nil ? true : encoding.explodes,
      contentType: encoding.style == nil ? encoding.contentType : nil)
    return Self.parameter(
      encoding.name, ".query", value, isReserved: encoding.allowsReserved, shapes.expression(property.schema), "")
  }

  // MARK: Parts

  private mutating func parts(_ content: OpenAPIPlan.PlannedContent, _ name: String, isRequest: Bool) {
    text.blank()
    let type = SwiftSpelling.literal(content.source.type.prefix { $0 != ";" }.lowercased())
    var properties: [Property] = []
    for part in content.parts {
      let base = part.isFile ? "APIFile" : self.type(part.root)
      let type = part.isList ? "[\(base)]" : part.isRequired ? base : base.hasSuffix("?") ? base : base + "?"
      properties.append(
        Property(
          name: part.name, type: type, fallback: part.isList && !part.isRequired ? "[]" : part.isRequired ? nil : "nil",
          documentation: Self.paragraphs([part.documentation])))
      if part.encoding?.headers.isEmpty == false {
        properties.append(
          Property(
            name: part.name + "Headers", type: "[APIHeader]", fallback: "[]",
            documentation: ["Fields of the header of that part."]))
      }
    }
    properties.append(
      Property(
        name: "additional", type: "[APIPart]", fallback: "[]",
        documentation: ["Parts that the description does not name."]))
    structure(name, properties) { writer in
      writer.rules(content)
      writer.partWriting(content, type, isRequest ? ".request" : ".response")
      writer.partReading(content, isRequest ? ".request" : ".response")
    }
  }

  private mutating func rules(_ content: OpenAPIPlan.PlannedContent) {
    let plain = content.parts.filter { !$0.isFile }
    guard !plain.isEmpty else { return }
    text.blank()
    text.line("private enum Rules {")
    for part in plain {
      let (type, form) = partType(part)
      lines(
        "  static let \(SwiftSpelling.plain(part.name)) = APIPartRule(\(SwiftSpelling.literal(part.jsonName)), "
          + "APIContent(\(SwiftSpelling.literal(type)), .\(form), \(shapes.expression(part.schema))\(check(part.root))))"
      )
    }
    text.line("}")
  }

  /// The media type of a part: the one given, else by its schema.
  private func partType(_ part: OpenAPIPlan.PlannedPart) -> (type: String, form: String) {
    if let given = part.encoding?.contentType?.split(separator: "," as Character).first.map(String.init) {
      return (given, OpenAPIPlan.PlannedContent.Kind(given) == .json ? "json" : "text")
    }
    let shape = shapes.expression(part.schema)
    let isPlain = [".string", ".integer", ".number", ".boolean"].contains(shape)
    return isPlain ? ("text/plain", "text") : ("application/json", "json")
  }

  private mutating func partWriting(_ content: OpenAPIPlan.PlannedContent, _ type: String, _ direction: String) {
    text.blank()
    text.line("func multipart() throws -> APIMultipart {")
    text.indented { text in
      text.line("\(content.parts.isEmpty ? "let" : "var") writer = APIPartWriter(\(type), additional, \(direction))")
      for part in content.parts {
        let name = SwiftSpelling.plain(part.name)
        let headers = part.encoding?.headers.isEmpty == false ? ", headers: \(part.name)Headers" : ""
        let value = part.isList ? "element" : name
        let call =
          part.isFile
          ? "writer.set(\(SwiftSpelling.literal(part.jsonName)), file: \(value)\(headers))"
          : "try writer.set(Rules.\(name), \(value)\(headers))"
        if part.isList {
          text.block("for element in \(name)") { $0.line(call) }
        } else {
          text.line(call)
        }
      }
      text.line("return writer.multipart")
    }
    text.line("}")
  }

  private mutating func partReading(_ content: OpenAPIPlan.PlannedContent, _ direction: String) {
    text.blank()
    text.line("init(_ multipart: APIMultipart) throws {")
    text.indented { text in
      text.line("\(content.parts.isEmpty ? "let" : "var") reader = APIPartReader(multipart, \(direction))")
      for part in content.parts {
        let name = SwiftSpelling.plain(part.name)
        let key = SwiftSpelling.literal(part.jsonName)
        if part.encoding?.headers.isEmpty == false { text.line("\(part.name)Headers = reader.headers(\(key))") }
        switch (part.isFile, part.isList) {
        case (true, true): text.line("\(name) = reader.files(\(key))")
        case (true, false):
          text.line("\(name) = " + (part.isRequired ? "try reader.requiredFile(\(key))" : "reader.files(\(key)).first"))
        case (false, true): text.line("\(name) = try reader.all(Rules.\(name))")
        case (false, false):
          text.line("\(name) = try reader.\(part.isRequired ? "required" : "optional")(Rules.\(name))")
        }
      }
      text.line("additional = reader.rest")
    }
    text.line("}")
  }
}

// MARK: Writing and reading bodies

extension SwiftOperationWriter {
  /// Statements that put a body into a writer.
  mutating func bodyWriting(
    _ contents: [OpenAPIPlan.PlannedContent], _ name: String, value: String
  ) {
    if contents.count == 1 { return text.line(writing(contents[0], name, value)) }
    text.line("switch \(value) {")
    for content in contents {
      text.line("case .\(SwiftSpelling.plain(content.name))(let value): \(writing(content, name, "value"))")
    }
    text.line("}")
  }

  private func writing(_ content: OpenAPIPlan.PlannedContent, _ name: String, _ value: String) -> String {
    let type = SwiftSpelling.literal(content.source.type)
    switch content.kind {
    case .bytes, .events: return "writer.body(\(type), \(value))"
    case .multipart:
      return content.parts.isEmpty
        ? "writer.body(APIMultipart(type: \(type), parts: \(value)))" : "writer.body(try \(value).multipart())"
    case .json, .form, .xml, .text, .jsonLines:
      return "try writer.body(\(name)Contents.\(SwiftSpelling.plain(content.name)), \(value))"
    }
  }

  /// The expression of a body in a reader.
  func reading(_ content: OpenAPIPlan.PlannedContent, _ name: String, from reader: String) -> String {
    switch content.kind {
    case .bytes, .events: return "\(reader).\(reader == "reader" ? "bytes" : "body")"
    case .multipart:
      return content.parts.isEmpty ? "try reader.parts().parts" : "try \(partsName(content, name))(try reader.parts())"
    case .json, .form, .xml, .text, .jsonLines:
      return "try reader.body(\(name)Contents.\(SwiftSpelling.plain(content.name)))"
    }
  }
}
