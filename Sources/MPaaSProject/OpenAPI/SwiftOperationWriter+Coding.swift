import MPaaSOpenAPI

// MARK: Requests

extension SwiftOperationWriter {
  mutating func requestWriting(_ operation: OpenAPIPlan.PlannedOperation) {
    let contents = operation.body?.contents ?? []
    let accepted = operation.responses.flatMap { $0.contents.map(\.source.type) }
    var seen: Set<String> = []
    let types = accepted.filter { seen.insert($0).inserted }.map(SwiftSpelling.literal)
    let isChanged = !operation.parameters.isEmpty || !contents.isEmpty || !types.isEmpty
    text.documentation(["The request of an input."])
    text.line("static func request(_ input: Input) throws -> APIRequest {")
    indented { writer in
      writer.text.line("\(isChanged ? "var" : "let") writer = APIRequestWriter(operation)")
      if !types.isEmpty { writer.text.list("writer.accept([", types, end: "])") }
      for parameter in operation.parameters {
        let name = SwiftSpelling.plain(parameter.name)
        writer.text.line("try writer.set(Parameters.\(name), input.\(name))")
      }
      if let body = operation.body, !contents.isEmpty {
        let name = writer.bodyName(operation)
        if body.isRequired {
          writer.bodyWriting(contents, "Body", value: "input.\(name)")
        } else {
          writer.text.line("if let body = input.\(name) {")
          writer.indented { $0.bodyWriting(contents, "Body", value: "body") }
          writer.text.line("}")
        }
      }
      writer.text.line("return try writer.finished()")
    }
    text.line("}")
  }

  mutating func requestReading(_ operation: OpenAPIPlan.PlannedOperation) {
    let contents = operation.body?.contents ?? []
    text.blank()
    text.documentation(["The input of a request, once a router has found the operation."])
    text.line("static func input(_ request: APIRequest) throws -> Input {")
    indented { writer in
      if operation.parameters.isEmpty, contents.isEmpty { return writer.text.line("Input()") }
      writer.text.line("let reader = APIRequestReader(request)")
      if let body = operation.body, !contents.isEmpty { writer.bodyReading(body) }
      let required = operation.parameters.filter { $0.isRequired }
      let optional = operation.parameters.filter { !$0.isRequired }
      var arguments = required.map { parameter -> String in
        let name = SwiftSpelling.plain(parameter.name)
        return "\(name): try reader.required(Parameters.\(name))"
      }
      let body = operation.body.flatMap { body in
        contents.isEmpty ? nil : "\(writer.bodyName(operation)): body"
      }
      if operation.body?.isRequired == true, let body { arguments.append(body) }
      arguments += optional.map { parameter -> String in
        let name = SwiftSpelling.plain(parameter.name)
        let fallback = writer.fallback(parameter).map { " ?? " + $0 } ?? ""
        return "\(name): try reader.optional(Parameters.\(name))\(fallback)"
      }
      if operation.body?.isRequired == false, let body { arguments.append(body) }
      writer.text.list("return Input(", arguments, end: ")")
    }
    text.line("}")
  }

  private mutating func bodyReading(_ body: OpenAPIPlan.PlannedBody) {
    let contents = body.contents
    let type = bodyType(contents, "Body")
    text.line("let body: \(type)\(body.isRequired || type.hasSuffix("?") ? "" : "?")")
    text.line("switch try reader.content(BodyContents.types) {")
    for (index, content) in contents.enumerated() {
      let value = reading(content, "Body", from: "reader")
      let isLast = index == contents.count - 1
      let wrapped = contents.count == 1 ? value : ".\(SwiftSpelling.plain(content.name))(\(value))"
      if isLast, body.isRequired {
        if contents.count > 1 { text.line("case nil: throw APIFault(.badRequest, \"the body is missing\")") }
        text.line("case _?: body = \(wrapped)")
        if contents.count == 1 { text.line("case nil: throw APIFault(.badRequest, \"the body is missing\")") }
      } else {
        text.line("case \(isLast ? "_?" : "\(index)"): body = \(wrapped)")
      }
    }
    if !body.isRequired { text.line("case nil: body = nil") }
    text.line("}")
  }

  mutating func indented(_ body: (inout SwiftOperationWriter) -> Void) {
    var inner = self
    text.indented { text in
      inner.text = text
      body(&inner)
      text = inner.text
    }
  }
}

// MARK: Answers

extension SwiftOperationWriter {
  private func typeName(_ response: OpenAPIPlan.PlannedResponse) -> String { ModelName.type(response.name) }

  private func isEmpty(_ response: OpenAPIPlan.PlannedResponse) -> Bool {
    response.headers.isEmpty && response.contents.isEmpty
  }

  private func caseLine(_ response: OpenAPIPlan.PlannedResponse) -> String {
    var values: [String] = []
    if case .code = response.source.status {} else { values.append("status: Int") }
    if !isEmpty(response) { values.append(typeName(response)) }
    let name = SwiftSpelling.plain(response.name)
    return values.isEmpty ? name : "\(name)(\(values.joined(separator: ", ")))"
  }

  /// The enumeration of all answers.
  mutating func output(_ operation: OpenAPIPlan.PlannedOperation) {
    text.blank()
    block("enum Output: Sendable, Hashable") { writer in
      for response in operation.responses {
        writer.text.documentation(Self.paragraphs([response.source.summary, response.source.description]))
        writer.text.line("case " + writer.caseLine(response))
      }
      writer.text.documentation(["An answer that is not described."])
      writer.text.line("case undocumented(APIResponse)")
      for response in operation.responses where !writer.isEmpty(response) { writer.wanted(response) }
    }
    for response in operation.responses where !isEmpty(response) {
      self.response(response, operation)
    }
  }

  /// A way to the answer that is meant, which throws where it is another.
  private mutating func wanted(_ response: OpenAPIPlan.PlannedResponse) {
    let name = SwiftSpelling.plain(response.name)
    let isCode = if case .code = response.source.status { true } else { false }
    text.blank()
    text.documentation(["The answer `\(response.source.status)`; throws where it is another."])
    text.block("\(access)func require\(typeName(response))() throws -> \(typeName(response))") { text in
      text.line("guard case .\(name)(\(isCode ? "" : "_, ")let value) = self else {")
      text.indented {
        $0.line(
          "throw APIFault(.unexpectedStatus, \"the answer is not the one for \(response.source.status): \\(self)\")")
      }
      text.line("}")
      text.line("return value")
    }
  }

  private mutating func response(_ response: OpenAPIPlan.PlannedResponse, _ operation: OpenAPIPlan.PlannedOperation) {
    let name = typeName(response)
    contents(response.contents, name + "Body", operation.type, isRequest: false)
    if !response.headers.isEmpty {
      text.blank()
      text.line("fileprivate enum \(name)Headers {")
      for header in response.headers {
        let value = Self.parameter(
          header.source.name, ".header", header.value, isReserved: false, shapes.expression(header.value.schema),
          check(header.value.root))
        lines("  static let \(SwiftSpelling.plain(header.name)) = \(value)")
      }
      text.line("}")
    }
    var properties = response.headers.map { header in
      Property(
        name: header.name, type: header.source.isRequired ? type(header.value.root) : optional(header.value.root),
        fallback: header.source.isRequired ? nil : "nil", documentation: Self.paragraphs([header.source.description]))
    }
    if !response.contents.isEmpty {
      properties.append(
        Property(name: "body", type: bodyType(response.contents, name + "Body"), fallback: nil, documentation: []))
    }
    text.blank()
    text.documentation(Self.paragraphs([response.source.description]))
    structure(name, properties)
  }

  mutating func responseReading(_ operation: OpenAPIPlan.PlannedOperation) {
    text.blank()
    text.documentation(["The output of an answer."])
    text.line("static func output(_ response: APIResponse) throws -> Output {")
    indented { writer in
      let hasValues = operation.responses.contains { !writer.isEmpty($0) }
      if hasValues { writer.text.line("let reader = APIResponseReader(response)") }
      writer.text.line("switch response.status {")
      let ordered = operation.responses.sorted { Self.rank($0.source.status) < Self.rank($1.source.status) }
      for response in ordered { writer.answerReading(response) }
      if !operation.responses.contains(where: { $0.source.status == .other }) {
        writer.text.line("default: return .undocumented(response)")
      }
      writer.text.line("}")
    }
    text.line("}")
  }

  private static func rank(_ status: OpenAPIStatus) -> Int {
    switch status {
    case .code: 0
    case .range: 1
    case .other: 2
    }
  }

  private mutating func answerReading(_ response: OpenAPIPlan.PlannedResponse) {
    var arguments: [String] = []
    switch response.source.status {
    case .code(let code): text.line("case \(code):")
    case .range(let hundred): text.line("case \(hundred)00..<\(hundred + 1)00:")
    case .other: text.line("default:")
    }
    if case .code = response.source.status {} else { arguments.append("status: response.status") }
    let name = SwiftSpelling.plain(response.name)
    indented { writer in
      guard !writer.isEmpty(response) else {
        let list = arguments.isEmpty ? "" : "(\(arguments.joined(separator: ", ")))"
        return writer.text.line("return .\(name)\(list)")
      }
      let type = writer.typeName(response)
      var values: [String] = []
      for isRequired in [true, false] {
        for header in response.headers where header.source.isRequired == isRequired {
          let name = SwiftSpelling.plain(header.name)
          values.append("\(name): try reader.\(isRequired ? "required" : "optional")(\(type)Headers.\(name))")
        }
        if isRequired, !response.contents.isEmpty { values.append("body: body") }
      }
      if !response.contents.isEmpty { writer.answerBody(response.contents, type + "Body") }
      writer.text.list("let value = \(type)(", values, end: ")")
      writer.text.line("return .\(name)(\((arguments + ["value"]).joined(separator: ", ")))")
    }
  }

  private mutating func answerBody(_ contents: [OpenAPIPlan.PlannedContent], _ name: String) {
    guard contents.count > 1 else {
      text.line("_ = try reader.content(\(name)Contents.types)")
      return text.line(
        "let body: \(bodyType(contents, name)) = \(reading(contents[0], name, from: "reader"))")
    }
    text.line("let body: \(name)")
    text.line("switch try reader.content(\(name)Contents.types) {")
    for (index, content) in contents.enumerated() {
      let label = index == contents.count - 1 ? "default" : "case \(index)"
      text.line("\(label): body = .\(SwiftSpelling.plain(content.name))(\(reading(content, name, from: "reader")))")
    }
    text.line("}")
  }

  mutating func responseWriting(_ operation: OpenAPIPlan.PlannedOperation) {
    text.blank()
    text.documentation(["The answer of an output."])
    text.line("static func response(_ output: Output) throws -> APIResponse {")
    indented { writer in
      writer.text.line("switch output {")
      for response in operation.responses { writer.answerWriting(response) }
      writer.text.line("case .undocumented(let response): return response")
      writer.text.line("}")
    }
    text.line("}")
  }

  private mutating func answerWriting(_ response: OpenAPIPlan.PlannedResponse) {
    let name = SwiftSpelling.plain(response.name)
    var bindings: [String] = []
    var status = "status"
    if case .code(let code) = response.source.status { status = "\(code)" } else { bindings.append("let status") }
    if !isEmpty(response) { bindings.append("let value") }
    text.line("case .\(name)\(bindings.isEmpty ? "" : "(\(bindings.joined(separator: ", ")))"):")
    indented { writer in
      guard !writer.isEmpty(response) else { return writer.text.line("return APIResponse(\(status))") }
      let type = writer.typeName(response)
      writer.text.line("var writer = APIResponseWriter(\(status))")
      for header in response.headers {
        let name = SwiftSpelling.plain(header.name)
        writer.text.line("try writer.set(\(type)Headers.\(name), value.\(name))")
      }
      if !response.contents.isEmpty { writer.bodyWriting(response.contents, type + "Body", value: "value.body") }
      writer.text.line("return writer.response")
    }
  }
}
