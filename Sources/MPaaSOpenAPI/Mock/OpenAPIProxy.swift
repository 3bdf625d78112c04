import MPaaSSupport

/// Checks that stand between clients and a server: requests before they go there, answers when they come back.
///
/// Where the mock tells errors, what the description does not allow is answered in the server's place; else it goes
/// through, and the header `sl-violations` tells of it.
package struct OpenAPIProxy: Sendable {
  /// The fate of a request.
  package enum Step: Sendable {
    /// It is answered here.
    case answer(OpenAPIAnswer)
    /// It goes to the server.
    case pass
  }

  package let mock: OpenAPIMock

  package init(_ mock: OpenAPIMock) {
    self.mock = mock
  }

  package func step(_ request: OpenAPIRequest) -> Step {
    guard mock.options.tellsErrors, let answer = mock.refusal(of: request).answer else { return .pass }
    return .answer(answer)
  }

  /// The answer for the client, made of the server's.
  ///
  /// A server that answers 501 has not made the operation yet: the description answers for it.
  package func answer(_ answer: OpenAPIAnswer, to request: OpenAPIRequest) -> OpenAPIAnswer {
    if answer.status == 501, mock.describes(request) { return mock.answer(request) }
    guard mock.describes(request) else { return answer }
    let wrong = mock.issues(of: answer, to: request)
    if mock.options.tellsErrors, !wrong.isEmpty {
      let detail = "The server's answer is not as the description says that answers are."
      return MockProblem(kind: .violations, detail: detail, issues: wrong, subject: "Response").answer
    }
    let told = wrong + mock.refusal(of: request).issues
    guard !told.isEmpty else { return answer }
    var answer = answer
    answer.headers.append("sl-violations", OpenAPIIssue.header(told))
    return answer
  }
}

extension OpenAPIMock {
  /// Tells whether an operation of the description is for a request.
  fileprivate func describes(_ request: OpenAPIRequest) -> Bool {
    if case .operation = checker.router.route(request.method, request.path) { true } else { false }
  }
}
