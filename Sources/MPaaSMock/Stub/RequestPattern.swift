package import MPaaSJSON

/// The requests that a stub is for.
package struct RequestPattern: Sendable {
  package struct Credentials: Sendable, Equatable {
    package let user: String
    package let password: String

    package init(user: String, password: String) {
      self.user = user
      self.password = password
    }
  }

  /// A pattern for the parts of a body of several.
  package struct Multipart: Sendable {
    package var name: String?
    package var fileName: String?
    /// True where all parts must be as it says, and not one only.
    package var isForAll = false
    package var headers: [NamedPattern] = []
    package var bodies: [ContentPattern] = []
  }

  package var method: MethodPattern = .any
  package var url: URLPattern = .any
  package var scheme: String?
  package var host: ContentPattern?
  package var port: Int?
  package var clientAddress: ContentPattern?
  package var pathParameters: [NamedPattern] = []
  package var queryParameters: [NamedPattern] = []
  package var formParameters: [NamedPattern] = []
  package var headers: [NamedPattern] = []
  package var cookies: [NamedPattern] = []
  package var credentials: Credentials?
  package var bodies: [ContentPattern] = []
  package var multiparts: [Multipart] = []
  /// Members that are not known, as they were read.
  package var others: [JSONNode.Member] = []

  package init(_ method: MethodPattern = .any, _ url: URLPattern = .any) {
    self.method = method
    self.url = url
  }

  private static let known: Set<String> = [
    "method", "url", "urlPattern", "urlPath", "urlPathPattern", "urlPathTemplate", "scheme", "host", "port", "clientIp",
    "pathParameters", "queryParameters", "formParameters", "headers", "cookies", "basicAuthCredentials", "basicAuth",
    "bodyPatterns", "multipartPatterns",
  ]

  package init(_ reader: StubReader) throws(StubProblem) {
    others = try reader.others(than: Self.known)
    if let custom = reader["customMatcher"] {
      throw custom.problem("matchers that are code of another program cannot be run here")
    }
    method = try MethodPattern(reader["method"])
    url = try URLPattern(reader)
    scheme = try reader.text("scheme")
    host = try Self.pattern(reader["host"])
    port = try reader["port"]?.whole(1...65535)
    clientAddress = try Self.pattern(reader["clientIp"])
    pathParameters = try NamedPattern.list(reader["pathParameters"])
    try checkPathParameters(reader)
    queryParameters = try NamedPattern.list(reader["queryParameters"])
    formParameters = try NamedPattern.list(reader["formParameters"])
    headers = try NamedPattern.list(reader["headers"])
    cookies = try NamedPattern.list(reader["cookies"])
    if let given = reader["basicAuthCredentials"] ?? reader["basicAuth"] {
      credentials = Credentials(user: try given.text("username") ?? "", password: try given.text("password") ?? "")
    }
    bodies = try reader["bodyPatterns"].map { list throws(StubProblem) in try ContentPattern.list(list) } ?? []
    multiparts =
      try reader["multipartPatterns"]?.array().map { part throws(StubProblem) in try Multipart(part) } ?? []
  }

  /// Reads a pattern that may be written as a text alone.
  private static func pattern(_ reader: StubReader?) throws(StubProblem) -> ContentPattern? {
    guard let reader else { return nil }
    if let text = reader.node.string { return .equalTo(text) }
    return try ContentPattern(reader)
  }

  private func checkPathParameters(_ reader: StubReader) throws(StubProblem) {
    guard !pathParameters.isEmpty, let given = reader["pathParameters"] else { return }
    guard case .pathTemplate(let template) = url else { throw given.problem("needs a urlPathTemplate") }
    for parameter in pathParameters where !template.names.contains(parameter.name) {
      throw StubProblem(
        StubReader.pointer(given.pointer, parameter.name), "is no variable of \(template.text)",
        at: given.node.position)
    }
  }

  /// The pattern as a stub writes it.
  package var document: JSONNode {
    let known: [(String, JSONNode?)] = [
      ("scheme", scheme.map { .text($0) }), ("host", host?.document), ("port", port.map { .whole($0) }), url.member,
      ("method", method.document), ("clientIp", clientAddress.map { Self.document($0) }),
      ("pathParameters", NamedPattern.document(pathParameters)),
      ("queryParameters", NamedPattern.document(queryParameters)),
      ("formParameters", NamedPattern.document(formParameters)), ("headers", NamedPattern.document(headers)),
      ("cookies", NamedPattern.document(cookies)),
      (
        "basicAuthCredentials",
        credentials.map { .members([("username", .text($0.user)), ("password", .text($0.password))]) }
      ), ("bodyPatterns", bodies.isEmpty ? nil : .list(bodies.map(\.document))),
      ("multipartPatterns", multiparts.isEmpty ? nil : .list(multiparts.map(\.document))),
    ]
    return .members(known + others.map { ($0.name, $0.value) })
  }

  private static func document(_ pattern: ContentPattern) -> JSONNode {
    if case .equalTo(let text, ignoresCase: false) = pattern { .text(text) } else { pattern.document }
  }
}

extension RequestPattern.Multipart {
  init(_ reader: StubReader) throws(StubProblem) {
    name = try reader.text("name")
    fileName = try reader.text("fileName")
    isForAll = try reader.text("matchingType") == "ALL"
    headers = try NamedPattern.list(reader["headers"])
    bodies = try reader["bodyPatterns"].map { list throws(StubProblem) in try ContentPattern.list(list) } ?? []
  }

  var document: JSONNode {
    .members([
      ("name", name.map { .text($0) }), ("fileName", fileName.map { .text($0) }),
      ("matchingType", .text(isForAll ? "ALL" : "ANY")), ("headers", NamedPattern.document(headers)),
      ("bodyPatterns", bodies.isEmpty ? nil : .list(bodies.map(\.document))),
    ])
  }
}
