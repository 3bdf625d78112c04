import MPaaSJSON
import MPaaSOpenAPI
import MPaaSSupport

/// Writes an operation: its input, its outputs, and how both travel.
struct SwiftOperationWriter {
  let plan: OpenAPIPlan
  let compiled: SchemaCompiler.Compiled
  let checks: SwiftCheckWriter
  let options: SwiftModelWriter.Options
  let shapes: OpenAPIShapeReader
  var text = SwiftText()

  var access: String { options.access == .internal ? "" : options.access.rawValue + " " }

  init(
    _ plan: OpenAPIPlan, _ compiled: SchemaCompiler.Compiled, _ checks: SwiftCheckWriter,
    _ options: SwiftModelWriter.Options
  ) {
    self.plan = plan
    self.compiled = compiled
    self.checks = checks
    self.options = options
    shapes = OpenAPIShapeReader(plan.document)
  }

  // MARK: Types and checks

  func type(_ root: Int?) -> String {
    root.map { SwiftModelWriter.name(compiled.uses[$0].type, options.dates) } ?? "JSONValue"
  }

  /// The type of a value that may be missing.
  func optional(_ root: Int?) -> String {
    let type = type(root)
    return type.hasSuffix("?") ? type : type + "?"
  }

  /// The argument that checks a value beyond its type: a reference to a function, or a closure.
  func check(_ root: Int?, each isList: Bool = false) -> String {
    guard let root else { return "" }
    let list = compiled.uses[root].checks
    guard !list.isEmpty else { return "" }
    let wanted: [ModelCheck] = isList ? [.elements(first: [], rest: list)] : list
    if let reference = checks.reference(wanted) { return ", check: " + reference }
    var inner = SwiftText()
    checks.statements(wanted, to: &inner)
    return ", check: { json, report in\n" + inner.lines.map { "    " + $0 }.joined(separator: "\n") + "\n  }"
  }

  mutating func lines(_ source: String) {
    for line in source.split(separator: "\n" as Character, omittingEmptySubsequences: false) { text.line(String(line)) }
  }

  // MARK: The operation

  mutating func operation(_ operation: OpenAPIPlan.PlannedOperation) {
    let source = operation.source
    var paragraphs = Self.paragraphs([source.summary, source.description])
    paragraphs.append("`\(source.method) \(Self.line(source.path))`")
    if source.isDeprecated { paragraphs.append("Deprecated.") }
    text.documentation(paragraphs)
    block("enum \(operation.type)") { writer in
      writer.description(operation)
      writer.parameters(operation)
      writer.input(operation)
      if let body = operation.body { writer.contents(body.contents, "Body", operation.type, isRequest: true) }
      writer.output(operation)
    }
    text.blank()
    text.line("extension \(operation.type) {")
    indented { writer in
      writer.requestWriting(operation)
      writer.requestReading(operation)
      writer.responseReading(operation)
      writer.responseWriting(operation)
    }
    text.line("}")
  }

  mutating func block(_ head: String, _ body: (inout SwiftOperationWriter) -> Void) {
    text.line(access + head + " {")
    var inner = self
    text.indented { text in
      inner.text = text
      body(&inner)
      text = inner.text
    }
    text.line("}")
  }

  static func paragraphs(_ texts: [String?]) -> [String] {
    var seen: [String] = []
    for text in texts.compactMap(\.self) {
      for paragraph in text.split(separator: "\n\n" as String).map(String.init)
      where !paragraph.allSatisfy(\.isWhitespace) && !seen.contains(paragraph) {
        seen.append(paragraph)
      }
    }
    return seen
  }

  static func line(_ text: String) -> String { text.split(whereSeparator: \.isNewline).joined(separator: " ") }

  private mutating func description(_ operation: OpenAPIPlan.PlannedOperation) {
    let security = operation.source.security ?? plan.document.security ?? []
    // A group without schemes lets anyone in, so that nothing is wanted.
    let isOpen = security.contains { $0.schemes.isEmpty }
    let known = Set(plan.document.components.securitySchemes.map(\.name))
    let groups = isOpen ? [] : security.map { $0.schemes.map(\.name) }.filter { known.isSuperset(of: $0) }
    var arguments = [operation.id, operation.source.method, path(operation)].map(SwiftSpelling.literal)
    if !groups.isEmpty {
      let lists = groups.map { "[" + $0.map(SwiftSpelling.literal).joined(separator: ", ") + "]" }
      arguments.append("security: [\(lists.joined(separator: ", "))]")
    }
    text.list("\(access)static let operation = APIOperation(", arguments, end: ")")
    let links = operation.responses.flatMap { response in
      response.source.links.map { link in
        let parameters = link.parameters.map {
          SwiftSpelling.literal($0.name) + ": " + SwiftCheckWriter.literal($0.value.value)
        }
        var words = [link.name, link.operationID ?? link.operationRef ?? ""].map(SwiftSpelling.literal)
        if !parameters.isEmpty { words.append("[\(parameters.joined(separator: ", "))]") }
        if let body = link.requestBody { words.append("body: \(SwiftCheckWriter.literal(body.value))") }
        return "APILink(\(words.joined(separator: ", ")))"
      }
    }
    guard !links.isEmpty else { return }
    text.documentation(["The operations that its answers make possible."])
    text.list("\(access)static let links: [APILink] = [", links, end: "]", comma: true)
  }

  /// The path as a router knows it; calls from the other side have no path of their own.
  private func path(_ operation: OpenAPIPlan.PlannedOperation) -> String {
    switch operation.side {
    case .path: operation.source.path
    case .webhook: "/" + operation.source.path
    case .callback: "/"
    }
  }

  // MARK: Parameters

  private mutating func parameters(_ operation: OpenAPIPlan.PlannedOperation) {
    guard !operation.parameters.isEmpty else { return }
    text.blank()
    text.line("private enum Parameters {")
    for parameter in operation.parameters {
      let source = parameter.source
      let line = Self.parameter(
        source.name, ".\(source.place.rawValue)", parameter.value, isReserved: source.allowsReserved,
        shapes.expression(parameter.value.schema), check(parameter.value.root))
      lines("  static let \(SwiftSpelling.plain(parameter.name)) = \(line)")
    }
    text.line("}")
  }

  static func parameter(
    _ name: String, _ place: String, _ value: OpenAPIPlan.PlannedValue, isReserved: Bool, _ shape: String,
    _ check: String
  ) -> String {
    var words = [SwiftSpelling.literal(name), place, ".\(value.style.rawValue)"]
    if value.explodes { words.append("explodes: true") }
    if isReserved { words.append("keepsReserved: true") }
    if let type = value.contentType, OpenAPIPlan.PlannedContent.Kind(type) == .json { words.append("isJSON: true") }
    return "APIParameter(" + (words + [shape]).joined(separator: ", ") + check + ")"
  }

  // MARK: Input

  /// A property with its type and, where it may be left out, the value that it has then.
  struct Property {
    let name: String
    let type: String
    let fallback: String?
    let documentation: [String]
  }

  private func properties(_ operation: OpenAPIPlan.PlannedOperation) -> [Property] {
    var properties = operation.parameters.map { parameter -> Property in
      var documentation = Self.paragraphs([parameter.source.description])
      if parameter.source.isDeprecated { documentation.append("Deprecated.") }
      if parameter.isRequired {
        return Property(
          name: parameter.name, type: type(parameter.value.root), fallback: nil, documentation: documentation)
      }
      let literal = fallback(parameter)
      let type = literal == nil ? optional(parameter.value.root) : type(parameter.value.root)
      return Property(name: parameter.name, type: type, fallback: literal ?? "nil", documentation: documentation)
    }
    if let body = operation.body, !body.contents.isEmpty {
      let type = bodyType(body.contents, "Body")
      properties.append(
        Property(
          name: bodyName(operation), type: body.isRequired ? type : type + "?", fallback: body.isRequired ? nil : "nil",
          documentation: Self.paragraphs([body.documentation])))
    }
    return properties
  }

  func bodyName(_ operation: OpenAPIPlan.PlannedOperation) -> String {
    operation.parameters.contains { $0.name == "body" } ? "requestBody" : "body"
  }

  /// The literal of a default that has the type of its parameter.
  func fallback(_ parameter: OpenAPIPlan.PlannedParameter) -> String? {
    guard let node = parameter.fallback, let root = parameter.value.root else { return nil }
    switch (compiled.uses[root].type, node.content) {
    case (.boolean, .bool(let value)): return value ? "true" : "false"
    case (.integer, .number(let number)): return number.integer(Int.self).map { String($0) }
    case (.number, .number(let number)): return "\(number.double)"
    case (.string(.plain), .string(let text)): return SwiftSpelling.literal(text)
    case (.named(let name), .string(let text)):
      guard case .enumeration(let constants)? = declarations[name]?.kind,
        let found = constants.first(where: { $0.value.string == text })
      else { return nil }
      return ".\(SwiftSpelling.member(found.name))"
    default: return nil
    }
  }

  private var declarations: [String: ModelDeclaration] {
    Dictionary(compiled.set.declarations.map { ($0.name, $0) }) { first, _ in first }
  }

  private mutating func input(_ operation: OpenAPIPlan.PlannedOperation) {
    text.blank()
    structure("Input", properties(operation))
  }

  mutating func structure(
    _ name: String, _ properties: [Property], more: (inout SwiftOperationWriter) -> Void = { _ in }
  ) {
    block("struct \(name): Sendable, Hashable") { writer in
      for property in properties {
        writer.text.documentation(property.documentation)
        writer.text.line("\(writer.access)var \(SwiftSpelling.plain(property.name)): \(property.type)")
      }
      writer.text.blank()
      defer { more(&writer) }
      guard !properties.isEmpty else { return writer.text.line("\(writer.access)init() {}") }
      let ordered = properties.filter { $0.fallback == nil } + properties.filter { $0.fallback != nil }
      let parameters = ordered.map { property in
        "\(SwiftSpelling.plain(property.name)): \(property.type)" + (property.fallback.map { " = " + $0 } ?? "")
      }
      writer.text.signature("\(writer.access)init(", parameters, end: ") {")
      writer.text.indented { text in
        for property in properties {
          let name = SwiftSpelling.plain(property.name)
          text.line("self.\(name) = \(name)")
        }
      }
      writer.text.line("}")
    }
  }
}
