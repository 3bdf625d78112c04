import MPaaSJSON
import MPaaSJSONSchema
import MPaaSSupport

/// The choice of an answer among those that an operation has.
struct MockChoice {
  let mock: OpenAPIMock
  let request: OpenAPIRequest
  let operation: OpenAPIOperation
  let preference: MockPreference

  init(mock: OpenAPIMock, request: OpenAPIRequest, operation: OpenAPIOperation) {
    self.mock = mock
    self.request = request
    self.operation = operation
    preference = MockPreference(request)
  }

  // MARK: Statuses

  func valid() -> OpenAPIAnswer {
    if let code = preference.code {
      guard let response = operation.response(for: code) else {
        return MockProblem(kind: .notFound, detail: "The description has no status \(code) for this operation.").answer
      }
      return answer(response, status: code, example: preference.example)
    }
    guard let (response, status) = usual else {
      return MockProblem(kind: .noResponse, detail: "The description has no answer for this operation.").answer
    }
    return answer(response, status: status, example: preference.example)
  }

  /// The success with the lowest number, else the default, else what comes first.
  private var usual: (OpenAPIResponse, Int)? {
    let successes = operation.responses.compactMap { response -> (OpenAPIResponse, Int)? in
      switch response.status {
      case .code(let code) where code / 100 == 2: (response, code)
      // A range comes after each status that is named.
      case .range(2): (response, 1_000)
      default: nil
      }
    }
    if let (least, code) = successes.min(by: { $0.1 < $1.1 }) { return (least, code < 1_000 ? code : 200) }
    if let other = operation.responses.first(where: { $0.status == .other }) { return (other, 200) }
    guard let first = operation.responses.first else { return nil }
    switch first.status {
    case .code(let code): return (first, code)
    case .range(let hundred): return (first, hundred * 100)
    case .other: return (first, 200)
    }
  }

  func refused(_ challenges: [String]) -> OpenAPIAnswer {
    let headers = challenges.map { (name: "WWW-Authenticate", value: $0) }
    if let response = operation.response(for: 401) {
      var answer = answer(response, status: 401, example: preference.code == 401 ? preference.example : nil)
      for header in headers where answer.headers[header.name] == nil {
        answer.headers.append("www-authenticate", header.value)
      }
      return answer
    }
    let detail = "The request does not show who calls as the description wants it, which has no answer for that."
    let joined = challenges.isEmpty ? [] : [(name: "WWW-Authenticate", value: challenges.joined(separator: ", "))]
    return MockProblem(kind: .unauthorized, detail: detail, headers: joined).answer
  }

  func invalid(_ issues: [OpenAPIIssue]) -> OpenAPIAnswer {
    let isMediaType = issues.first?.code == "content-type"
    for code in isMediaType ? [415, 422, 400] : [422, 400] {
      guard let response = operation.response(for: code) else { continue }
      // An example that was asked for belongs to the status that was asked for.
      let example = preference.code == nil || preference.code == code ? preference.example : nil
      return answer(response, status: code, example: example)
    }
    let detail = "The request is not as the description says, which has no answer for that."
    return MockProblem(kind: isMediaType ? .mediaType : .invalid, detail: detail, issues: issues).answer
  }

  // MARK: Contents

  private func answer(_ response: OpenAPIResponse, status: Int, example: String?) -> OpenAPIAnswer {
    var answer = OpenAPIAnswer(status: status)
    for header in response.headers where header.name.lowercased() != "content-type" {
      if let text = text(of: header) { answer.headers.append(header.name.lowercased(), text) }
    }
    guard !response.content.isEmpty, status != 204, status != 304 else { return answer }
    let accepted = AcceptedTypes(request.headers["accept"])
    let known = response.content.compactMap { media in MediaTypeName(media.type).map { (media, $0) } }
    guard let best = accepted.best(of: known.map(\.1)) else {
      let wanted = request.headers["accept"] ?? ""
      return MockProblem(kind: .notAcceptable, detail: "The answer has no content in \(wanted).").answer
    }
    let (media, name) = known[best]
    if let example, !media.examples.contains(where: { $0.name == example }) {
      let detail = "The content in \(media.type) has no example \(example)."
      return MockProblem(kind: .notFound, detail: detail).answer
    }
    do {
      guard let body = try body(media, name, example) else { return answer }
      answer.headers.append("content-type", Self.type(media, name, accepted))
      answer.body = body
      return answer
    } catch {
      let detail = "A sample of the schema would have too many values."
      return MockProblem(kind: .tooComplex, detail: detail).answer
    }
  }

  /// The type itself; for a range, what was asked for.
  private static func type(_ media: OpenAPIMediaType, _ name: MediaTypeName, _ accepted: AcceptedTypes) -> String {
    guard name.exactness < 2 else { return media.type }
    return accepted.ranges.first { name.holds($0) && $0.exactness == 2 }?.name ?? "application/json"
  }

  private func body(
    _ media: OpenAPIMediaType, _ name: MediaTypeName, _ wanted: String?
  ) throws(OpenAPISampler.TooComplex) -> [UInt8]? {
    let isDynamic = preference.isDynamic ?? mock.options.isDynamic
    let example = wanted.map { name in media.examples.first { $0.name == name } } ?? media.examples.first
    if let example, wanted != nil || !isDynamic || media.schema == nil {
      if let text = example.text { return Array(text.utf8) }
      if let value = example.value { return Self.written(value, name, media.schema) }
      if example.externalValue != nil { return [] }
    }
    guard let schema = media.schema ?? media.itemSchema else { return nil }
    let value = try sample(schema, isDynamic ? mock.seed(request) : nil)
    return Self.written(value, name, media.schema)
  }

  /// A value that the schema takes, where one is found in some tries; else the plainest.
  private func sample(_ schema: OpenAPISchema, _ seed: UInt64?) throws(OpenAPISampler.TooComplex) -> JSONNode {
    var plainest = OpenAPISampler(mock.checker.document, .response)
    guard let seed else { return try plainest.sample(schema) }
    let compiled = mock.checker.compiled(operation)
    let index = compiled.responses.flatMap(\.content).first { $0.media.schema?.location == schema.location }?.schema
    for attempt in 0..<8 {
      var sampler = OpenAPISampler(mock.checker.document, .response, seed: seed &+ UInt64(attempt))
      let value = try sampler.sample(schema)
      guard let index, !compiled.validator.accepts(value, by: index, .response) else { return value }
    }
    return try plainest.sample(schema)
  }

  private static func written(_ value: JSONNode, _ name: MediaTypeName, _ schema: OpenAPISchema?) -> [UInt8] {
    if name.isXML { return Array((value.string ?? SampleXML.text(value, schema)).utf8) }
    if !name.isJSON, let text = value.string { return Array(text.utf8) }
    return Array(value.line.utf8)
  }

  private func text(of header: OpenAPIHeader) -> String? {
    let value: JSONNode?
    if let example = header.value.examples.first?.value {
      value = example
    } else if let schema = header.value.schema ?? header.value.content?.schema {
      var sampler = OpenAPISampler(mock.checker.document, .response)
      value = try? sampler.sample(schema)
    } else {
      value = nil
    }
    guard let value else { return nil }
    switch value.content {
    case .string(let text): return text
    case .array(let elements): return elements.map { $0.string ?? $0.line }.joined(separator: ",")
    case .null: return nil
    default: return value.line
    }
  }
}
