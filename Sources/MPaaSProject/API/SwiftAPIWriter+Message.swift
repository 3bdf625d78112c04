// One call: its message, its input and the request that is made of it.

extension SwiftAPIWriter {
  mutating func message(_ named: NamedCall) {
    let call = named.call
    text.documentation(ScaffoldModels.lines(call.comment) + ["`\(call.title)`"])
    declaration("enum \(named.type): CallMessage") { writer in
      let input = writer.input(call)
      writer.inputStructure(input)
      writer.text.blank()
      let output = call.response.map { SwiftModelWriter.name(writer.models.type($0), writer.options.models.dates) }
      writer.text.line("\(writer.access)typealias Output = \(output ?? "Void")")
      let name = writer.prefix + "." + ModelName.property(named.type)
      writer.text.line("\(writer.access)static let name = \(SwiftSpelling.literal(name))")
      writer.text.blank()
      writer.request(call, input)
    }
  }

  /// A property of a message's input.
  struct InputProperty {
    enum Kind { case parameter, header, file, request }
    let kind: Kind
    let jsonName: String
    let name: String
    let type: String
    let isOptional: Bool
    let isEnumeration: Bool
    /// The value of a parameter that is left out.
    let fallback: String?
    let documentation: [String]
  }

  private func input(_ call: Scaffold.Call) -> [InputProperty] {
    var taken: Set<String> = []
    func unique(_ name: String) -> String {
      let name = ModelName.unique(ModelName.property(name), among: taken)
      taken.insert(name)
      return SwiftSpelling.identifier(name)
    }
    let request = call.request.map { type in
      let name = SwiftModelWriter.name(models.type(type), options.models.dates)
      return InputProperty(
        kind: .request, jsonName: "", name: unique("request"), type: name, isOptional: false, isEnumeration: false,
        fallback: canBeLeftOut(type) ? name + "()" : nil, documentation: [])
    }
    let parameters = call.parameters.map { property($0, .parameter, unique($0.name), isRequired: true) }
    let headers = call.headers.map { property($0, .header, unique($0.name), isRequired: $0.isRequired) }
    let files = call.files.map { file in
      InputProperty(
        kind: .file, jsonName: file.name, name: unique(file.name), type: "CallFile", isOptional: !file.isRequired,
        isEnumeration: false, fallback: file.isRequired ? nil : "nil",
        documentation: ScaffoldModels.lines(file.comment))
    }
    return parameters + headers + files + (request.map { [$0] } ?? [])
  }

  private func property(
    _ field: Scaffold.Field, _ kind: InputProperty.Kind, _ name: String, isRequired: Bool
  ) -> InputProperty {
    let isEnumeration = if case .enumeration = field.type { true } else { false }
    let documentation = ScaffoldModels.lines(field.comment) + (kind == .header ? ["`\(field.name)`"] : [])
    return InputProperty(
      kind: kind, jsonName: field.name, name: name,
      type: SwiftModelWriter.name(models.type(field.type), options.models.dates), isOptional: !isRequired,
      isEnumeration: isEnumeration, fallback: isRequired ? nil : "nil", documentation: documentation)
  }

  /// Tells whether a request has no field that must be there.
  private func canBeLeftOut(_ type: Scaffold.FieldType) -> Bool {
    fields(of: type)?.allSatisfy { !$0.isRequired } ?? false
  }

  /// The fields of a model; nil for what is none.
  private func fields(of type: Scaffold.FieldType) -> [Scaffold.Field]? {
    guard case .model(let name) = type, let model = scaffold.models.first(where: { $0.name == name }),
      case .fields = model.shape
    else { return nil }
    return models.allFields(of: model)
  }

  private mutating func inputStructure(_ properties: [InputProperty]) {
    declaration("struct Input: Sendable") { writer in
      for property in properties {
        writer.text.documentation(property.documentation)
        writer.text.line("\(writer.access)var \(property.name): \(property.type)\(property.isOptional ? "?" : "")")
      }
      writer.memberwise(properties)
    }
  }

  private mutating func memberwise(_ properties: [InputProperty]) {
    guard !properties.isEmpty else { return text.line("\(access)init() {}") }
    let ordered = properties.filter { $0.fallback == nil } + properties.filter { $0.fallback != nil }
    let parameters = ordered.map { property in
      let fallback = property.fallback.map { " = " + $0 } ?? ""
      return "\(property.name): \(property.type)\(property.isOptional ? "?" : "")" + fallback
    }
    text.blank()
    let single = "\(access)init(" + parameters.joined(separator: ", ") + ") {"
    if text.indentation + single.count <= SwiftText.width {
      text.line(single)
    } else {
      text.line("\(access)init(")
      text.indented { text in
        for parameter in parameters { text.line(parameter == parameters.last ? parameter : parameter + ",") }
      }
      text.line(") {")
    }
    text.indented { text in
      for property in properties { text.line("self.\(property.name) = \(property.name)") }
    }
    text.line("}")
  }
}

// MARK: The request

extension SwiftAPIWriter {
  private mutating func request(_ call: Scaffold.Call, _ input: [InputProperty]) {
    text.list(
      "\(access)static func request(", ["_ input: Input", "server: String"], end: ") throws -> CallRequest {")
    indented { writer in
      writer.text.list(
        "var request = CallRequest(",
        [SwiftSpelling.literal(call.method), SwiftSpelling.literal(call.url.text), "of: name"], end: ")")
      writer.path(call, input)
      for header in input where header.kind == .header {
        writer.text.line("try request.header(\(SwiftSpelling.literal(header.jsonName)), \(writer.value(header)))")
      }
      if let type = call.request { writer.payload(type, call) }
      for file in input where file.kind == .file {
        writer.text.line("request.file(\(SwiftSpelling.literal(file.jsonName)), input.\(file.name))")
      }
      writer.text.line("return request")
    }
    text.line("}")
  }

  private func value(_ property: InputProperty) -> String {
    "input.\(property.name)" + (property.isEnumeration ? (property.isOptional ? "?" : "") + ".rawValue" : "")
  }

  private mutating func path(_ call: Scaffold.Call, _ input: [InputProperty]) {
    if !call.url.isAbsolute { text.line("request.server(server)") }
    for part in call.url.parts {
      switch part {
      case .literal(let literal): text.line("request.path(\(SwiftSpelling.literal(literal)))")
      case .parameter(let name):
        guard let property = input.first(where: { $0.kind == .parameter && $0.jsonName == name }) else { continue }
        text.list("try request.path(", [SwiftSpelling.literal(name), value(property)], end: ")")
      }
    }
  }

  private mutating func payload(_ type: Scaffold.FieldType, _ call: Scaffold.Call) {
    switch call.body {
    case .json: text.line("try request.json(input.request)")
    case .jsonField: text.line("try request.field(\"json\", json: input.request)")
    case .query: pairs("query", type)
    case .form: pairs("field", type)
    }
  }

  /// Each field of a request by itself, in a query or a form.
  private mutating func pairs(_ function: String, _ type: Scaffold.FieldType) {
    guard case .model(let owner) = type, let fields = fields(of: type) else {
      return text.line("try request.\(function)(\"json\", json: input.request)")
    }
    for (field, property) in zip(fields, models.properties(fields, of: owner)) {
      let name = "input.request." + SwiftSpelling.member(property.name)
      let chain = field.isRequired ? name : name + "?"
      let isPlain = !isComplex(field.type)
      let value =
        switch field.type {
        case .enumeration: chain + ".rawValue"
        case .list(.enumeration): chain + ".map(\\.rawValue)"
        default: name
        }
      text.list(
        (isPlain ? "" : "try ") + "request.\(function)(",
        [SwiftSpelling.literal(field.name), (isPlain ? "" : "json: ") + value], end: ")")
    }
  }

  /// Tells whether a value travels as JSON where a text is expected.
  private func isComplex(_ type: Scaffold.FieldType) -> Bool {
    switch type {
    case .bool, .whole, .number, .text, .enumeration: false
    case .list(let element): element.isList || isComplex(element)
    case .any, .object, .model: true
    }
  }
}

extension Scaffold.FieldType {
  fileprivate var isList: Bool {
    if case .list = self { true } else { false }
  }
}
