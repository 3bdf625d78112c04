import MPaaSJSON
import MPaaSJSONSchema
import MPaaSSupport

/// Answers requests as a description says that a server would.
///
/// A function of the description and the request: the same request gets the same answer, and nothing is kept.
package struct OpenAPIMock: Sendable {
  package struct Options: Sendable {
    /// Samples are drawn rather than the plainest ones, and examples are passed over.
    package var isDynamic = false
    /// Answers of the description that it refuses itself are told as faults.
    package var tellsErrors = false
    package var seed: UInt64 = 1
    /// Answers carry the headers by which browsers let pages of all addresses read them.
    package var allowsOrigins = true

    package init() {}
  }

  package let checker: OpenAPIChecker
  package let options: Options

  package init(_ checker: OpenAPIChecker, options: Options = Options()) {
    self.checker = checker
    self.options = options
  }

  package init(_ document: OpenAPIDocument, options: Options = Options()) {
    self.init(OpenAPIChecker(document), options: options)
  }

  /// The answer to a request.
  package func answer(_ request: OpenAPIRequest) -> OpenAPIAnswer {
    if options.allowsOrigins, let answer = preflight(request) { return answer }
    var answer = answered(request)
    if options.allowsOrigins { Self.allowOrigins(&answer, request) }
    return answer
  }

  private func answered(_ request: OpenAPIRequest) -> OpenAPIAnswer {
    switch checker.router.route(request.method, request.path) {
    case .nothing:
      let detail = "No path of the description is like \(request.path)."
      return MockProblem(kind: .noPath, detail: detail).answer
    case .otherMethods(let methods):
      let allowed = methods.sorted().joined(separator: ", ")
      let detail = "The path \(request.path) has no \(request.method), only \(allowed)."
      var answer = MockProblem(kind: .noMethod, detail: detail).answer
      answer.headers.append("allow", allowed)
      return answer
    case .operation(let operation, let values): return self.answer(request, operation, values)
    }
  }

  /// The answer of an operation, whichever way it was found.
  package func answer(
    _ request: OpenAPIRequest, _ operation: OpenAPIOperation, _ values: [(name: String, value: Substring)]
  ) -> OpenAPIAnswer {
    let choice = MockChoice(mock: self, request: request, operation: operation)
    let security = SecurityCheck(document: checker.document).check(request, operation)
    let issues = checker.check(request, for: operation, values)
    let errors = issues.filter { $0.severity == .error }
    var told = issues.map { $0.inside("request") }
    var answer: OpenAPIAnswer
    if case .refused(let challenges) = security {
      told.insert(
        OpenAPIIssue(location: ["request"], code: "401", message: "Invalid security scheme used"), at: 0)
      answer = choice.refused(challenges)
    } else if !errors.isEmpty {
      answer = choice.invalid(errors)
    } else {
      answer = choice.valid()
    }
    if answer.headers["content-type"] != "application/problem+json" {
      let wrong = checker.check(answer, for: operation).filter { $0.code != "status" }.map { $0.inside("response") }
      told = wrong + told
      if options.tellsErrors, !wrong.isEmpty {
        let detail = "The answer that the description gives is not as it says that answers are."
        answer = MockProblem(kind: .violations, detail: detail, issues: wrong, subject: "Response").answer
      }
    }
    if !told.isEmpty { answer.headers.append("sl-violations", OpenAPIIssue.header(told)) }
    if operation.isDeprecated { answer.headers.append("deprecation", "true") }
    return answer
  }

  /// The answer to a request that the description refuses, and what is wrong with it; for a gateway that hands all other
  /// requests on.
  package func refusal(of request: OpenAPIRequest) -> (answer: OpenAPIAnswer?, issues: [OpenAPIIssue]) {
    guard case .operation(let operation, let values) = checker.router.route(request.method, request.path) else {
      return (answered(request), [])
    }
    let choice = MockChoice(mock: self, request: request, operation: operation)
    if case .refused(let challenges) = SecurityCheck(document: checker.document).check(request, operation) {
      let issue = OpenAPIIssue(location: ["request"], code: "401", message: "Invalid security scheme used")
      return (choice.refused(challenges), [issue])
    }
    let issues = checker.check(request, for: operation, values)
    let errors = issues.filter { $0.severity == .error }
    return (errors.isEmpty ? nil : choice.invalid(errors), issues.map { $0.inside("request") })
  }

  /// The faults of another server's answer to a request.
  package func issues(of answer: OpenAPIAnswer, to request: OpenAPIRequest) -> [OpenAPIIssue] {
    guard case .operation(let operation, _) = checker.router.route(request.method, request.path) else { return [] }
    return checker.check(answer, for: operation).map { $0.inside("response") }
  }

  /// The seed for a request: another one for another request.
  func seed(_ request: OpenAPIRequest) -> UInt64 {
    var sum: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in (request.method + " " + request.path + "?" + (request.query ?? "")).utf8 {
      sum = (sum ^ UInt64(byte)) &* 0x100_0000_01b3
    }
    return sum ^ options.seed
  }
}

// MARK: Pages of other addresses

extension OpenAPIMock {
  private func preflight(_ request: OpenAPIRequest) -> OpenAPIAnswer? {
    guard request.method == "OPTIONS", request.headers["origin"] != nil,
      let method = request.headers["access-control-request-method"]
    else { return nil }
    var answer = OpenAPIAnswer(status: 204)
    Self.allowOrigins(&answer, request)
    answer.headers.append("access-control-allow-methods", method)
    answer.headers.append("vary", "Origin")
    return answer
  }

  private static func allowOrigins(_ answer: inout OpenAPIAnswer, _ request: OpenAPIRequest) {
    guard answer.headers["access-control-allow-origin"] == nil else { return }
    answer.headers.append("access-control-allow-origin", "*")
    answer.headers.append("access-control-allow-headers", request.headers["access-control-request-headers"] ?? "*")
    answer.headers.append("access-control-allow-credentials", "true")
    answer.headers.append("access-control-expose-headers", "*")
  }
}
