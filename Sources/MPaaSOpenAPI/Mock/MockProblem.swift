import MPaaSJSON
import MPaaSSupport

/// An answer of the mock's own, as RFC 9457 has it.
///
/// The names and addresses of problems are those that Prism gives them, so that clients of either find them.
struct MockProblem {
  enum Kind: String {
    case noPath = "NO_PATH_MATCHED_ERROR"
    case noMethod = "NO_METHOD_MATCHED_ERROR"
    case unauthorized = "UNAUTHORIZED"
    case invalid = "UNPROCESSABLE_ENTITY"
    case mediaType = "INVALID_CONTENT_TYPE"
    case notAcceptable = "NOT_ACCEPTABLE"
    case notFound = "NOT_FOUND"
    case violations = "VIOLATIONS"
    case tooComplex = "SCHEMA_TOO_COMPLEX"
    case noResponse = "NO_RESPONSE_DEFINED"
  }

  let kind: Kind
  let detail: String
  var issues: [OpenAPIIssue] = []
  var headers: [(name: String, value: String)] = []
  /// `Request` or `Response`, as sentences about issues begin.
  var subject = "Request"

  private var status: Int {
    switch kind {
    case .noPath, .notFound: 404
    case .noMethod: 405
    case .unauthorized: 401
    case .invalid: 422
    case .mediaType: 415
    case .notAcceptable: 406
    case .violations, .tooComplex, .noResponse: 500
    }
  }

  private var title: String {
    switch kind {
    case .noPath: "Route not resolved, no path matched"
    case .noMethod: "Route resolved, but no path matched"
    case .unauthorized: "Invalid security scheme used"
    case .invalid: "Invalid request"
    case .mediaType: "Invalid content type"
    case .notAcceptable: "The server cannot produce a representation for your accept header"
    case .notFound: "The server cannot find the requested content"
    case .violations: "Request/Response not valid"
    case .tooComplex: "Schema too complex"
    case .noResponse: "No response defined for the selected operation"
    }
  }

  var answer: OpenAPIAnswer {
    var members = [
      JSONNode.Member(name: "type", value: JSONNode(.string("https://stoplight.io/prism/errors#" + kind.rawValue))),
      JSONNode.Member(name: "title", value: JSONNode(.string(title))),
      JSONNode.Member(name: "status", value: JSONNode(.number(JSONNumber(status)))),
      JSONNode.Member(name: "detail", value: JSONNode(.string(detail))),
    ]
    if !issues.isEmpty {
      let entries = issues.map { Self.entry($0, message: sentence($0)) }
      members.append(JSONNode.Member(name: "validation", value: JSONNode(.array(entries))))
    }
    if !headers.isEmpty {
      let fields = headers.map { JSONNode.Member(name: $0.name, value: JSONNode(.string($0.value))) }
      members.append(JSONNode.Member(name: "headers", value: JSONNode(.object(fields))))
    }
    let fields = [("content-type", "application/problem+json")] + headers.map { ($0.name.lowercased(), $0.value) }
    return OpenAPIAnswer(
      status: status, headers: OpenAPIHeaders(fields), body: Array(JSONNode(.object(members)).line.utf8))
  }

  private func sentence(_ issue: OpenAPIIssue) -> String {
    if issue.code == "required", issue.message.hasPrefix("Body") { return "\(subject) \(issue.message)" }
    let place = issue.location.first == "response" ? issue.location.dropFirst() : issue.location[...]
    guard let first = place.first else { return issue.message }
    let rest = place.dropFirst().joined(separator: ".")
    if rest.isEmpty { return "\(subject) \(first) \(issue.message)" }
    return "\(subject) \(first) \(first == "body" ? "property" : "parameter") \(rest) \(issue.message)"
  }

  static func entry(_ issue: OpenAPIIssue, message: String) -> JSONNode {
    let code: JSONNode.Content = Int(issue.code).map { .number(JSONNumber($0)) } ?? .string(issue.code)
    return JSONNode(
      .object([
        JSONNode.Member(name: "location", value: JSONNode(.array(issue.location.map { JSONNode(.string($0)) }))),
        JSONNode.Member(name: "severity", value: JSONNode(.string(issue.severity.rawValue))),
        JSONNode.Member(name: "code", value: JSONNode(code)),
        JSONNode.Member(name: "message", value: JSONNode(.string(message))),
      ]))
  }
}

extension OpenAPIIssue {
  /// The same with `request` or `response` in front of the place.
  package func inside(_ part: String) -> OpenAPIIssue {
    OpenAPIIssue(location: [part] + location, severity: severity, code: code, message: message)
  }

  /// The value of the header `sl-violations`, by which Prism tells issues; a long list is cut.
  package static func header(_ issues: [OpenAPIIssue]) -> String {
    let text = JSONNode(.array(issues.map { MockProblem.entry($0, message: $0.message) })).line
    let limit = 8 << 10
    return text.utf8.count > limit ? "Too many violations! " + text.prefix(limit) : text
  }
}
