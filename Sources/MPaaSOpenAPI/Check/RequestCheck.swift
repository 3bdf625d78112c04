import MPaaSJSON
import MPaaSJSONSchema
import MPaaSSupport

/// The comparison of one request with its operation.
struct RequestCheck {
  let operation: CompiledOperation
  let request: OpenAPIRequest
  private(set) var issues: [OpenAPIIssue] = []

  init(operation: CompiledOperation, request: OpenAPIRequest) {
    self.operation = operation
    self.request = request
  }

  mutating func run(_ values: [(name: String, value: Substring)]) {
    checkBody()
    for value in operation.path {
      let text = values.first { $0.name == value.parameter.name }?.value
      take(value, text.map { .text($0) })
    }
    checkQuery()
    for value in operation.headers { take(value, request.headers[value.parameter.name].map { .text($0[...]) }) }
    guard !operation.cookies.isEmpty else { return }
    let fields = FormFields(request.headers.cookies)
    for value in operation.cookies { take(value, .fields(fields)) }
  }

  private mutating func checkQuery() {
    if let whole = operation.wholeQuery { return checkWholeQuery(whole) }
    guard !operation.query.isEmpty else { return }
    let fields = FormFields(request.query ?? "")
    for value in operation.query { take(value, .fields(fields)) }
  }

  private enum Source {
    case text(Substring)
    case fields(FormFields)
  }

  private mutating func take(_ value: CompiledOperation.Value, _ source: Source?) {
    let parameter = value.parameter
    let reading: ParameterReader.Reading
    switch source {
    case nil: reading = .missing
    case .text(let text):
      let bare = parameter.place == .header ? MediaTypeName.trimmed(text)[...] : text
      reading = read(value, text: bare)
    case .fields(let fields):
      if let content = value.content {
        reading =
          fields.values(of: parameter.name).first.map { written(FormFields.decoded($0), in: content) } ?? .missing
      } else {
        reading = value.reader.value(in: fields)
      }
    }
    finish(value, reading)
  }

  private func read(_ value: CompiledOperation.Value, text: Substring) -> ParameterReader.Reading {
    if let content = value.content { return written(ParameterReader.decoded(text), in: content) }
    return value.reader.value(ofPart: text).map { .value($0) } ?? .malformed
  }

  private func written(_ text: String, in content: MediaTypeName) -> ParameterReader.Reading {
    guard content.isJSON else { return .value(JSONNode(.string(text))) }
    return (try? JSONSource(parsing: Array(text.utf8), file: "", depth: OpenAPISource.depth)).map { .value($0.root) }
      ?? .malformed
  }

  private mutating func finish(_ value: CompiledOperation.Value, _ reading: ParameterReader.Reading) {
    let parameter = value.parameter
    let place = parameter.place.rawValue
    let name = parameter.place == .header ? parameter.name.lowercased() : parameter.name
    switch reading {
    case .missing:
      guard parameter.isRequired else { return }
      add([place], "required", "must have required property '\(name)'")
    case .malformed: add([place, name], "style", "must be written in the style \(parameter.value.style.rawValue)")
    case .value(let node):
      if parameter.isDeprecated {
        let title = place.prefix(1).uppercased() + place.dropFirst()
        issues.append(
          OpenAPIIssue(
            location: [place, name], severity: .warning, code: "deprecated",
            message: "\(title) param \(name) is deprecated"))
      }
      if parameter.allowsEmpty, node.string == "" { return }
      guard let schema = value.schema else { return }
      judge(node, schema, [place, name])
    }
  }

  private mutating func checkWholeQuery(_ value: CompiledOperation.Value) {
    guard let query = request.query, !query.isEmpty else { return finish(value, .missing) }
    guard let content = value.content else { return }
    if content.isJSON { return finish(value, written(ParameterReader.decoded(query), in: content)) }
    let fields = FormFields(query)
    finish(value, .value(BodyReader.object(fields, value.reader.shape, value.parameter.value.content)))
  }

  private mutating func judge(_ node: JSONNode, _ schema: Int, _ location: [String]) {
    guard !operation.validator.accepts(node, by: schema, .request) else { return }
    issues += operation.validator.violations(of: node, by: schema, .request).map { violation in
      OpenAPIIssue(location: location + violation.instance, code: violation.keyword, message: violation.message)
    }
  }

  private mutating func add(_ location: [String], _ code: String, _ message: String) {
    issues.append(OpenAPIIssue(location: location, code: code, message: message))
  }

  // MARK: Bodies

  private mutating func checkBody() {
    guard let body = operation.operation.requestBody else {
      guard !request.body.isEmpty, let type = request.headers["content-type"] else { return }
      return add(["body"], "content-type", "must not be there: no media type is taken, not even \(type)")
    }
    guard !request.body.isEmpty else {
      if body.isRequired { add(["body"], "required", "Body parameter is required") }
      return
    }
    guard !operation.body.isEmpty else { return }
    let header = request.headers["content-type"]
    let name = header.flatMap { MediaTypeName($0) }
    guard let media = operation.body.filter({ Self.fits($0, name) }).max(by: { exactness($0) < exactness($1) }) else {
      let known = operation.body.map(\.media.type).joined(separator: ", ")
      add(["body"], "content-type", "must be one of the media types \(known), not \(header ?? "none")")
      return
    }
    guard let schema = media.schema, request.body.count <= OpenAPIChecker.greatestBody else { return }
    switch BodyReader(media: media, type: name ?? media.name).read(request.body) {
    case .value(let node): judge(node, schema, ["body"])
    case .malformed: add(["body"], "parse", "must be written in \(media.media.type)")
    case .opaque: break
    }
  }

  private func exactness(_ media: CompiledOperation.Media) -> Int { media.name?.exactness ?? 0 }

  private static func fits(_ media: CompiledOperation.Media, _ name: MediaTypeName?) -> Bool {
    guard let own = media.name, let name else { return false }
    return own.holds(name)
  }
}
