import MPaaSMock
import MPaaSOpenAPI

/// A server behind the mock, whose requests and answers are checked against an OpenAPI document.
struct CheckedProxySource: MockSource {
  let name = "proxy"
  private let proxy: OpenAPIProxy
  private let url: String

  init(_ document: OpenAPIDocument, options: OpenAPIMock.Options, url: String) {
    proxy = OpenAPIProxy(OpenAPIMock(document, options: options))
    self.url = url
  }

  func answer(_ request: MockRequest, at time: Double) -> MockOutcome {
    var answer = MockAnswer(200)
    switch proxy.step(OpenAPIRequest(request)) {
    case .answer(let refusal): answer = MockAnswer(refusal)
    case .pass: answer.proxying = ResponseDefinition.Proxying(baseURL: url)
    }
    return .answer(answer, by: MockOrigin(name, id: url))
  }

  /// The answer for the client, made of the server's.
  func checked(_ answer: MockAnswer, to request: MockRequest) -> MockAnswer {
    let given = OpenAPIAnswer(status: answer.status, headers: OpenAPIHeaders(answer.headers), body: answer.body)
    return MockAnswer(proxy.answer(given, to: OpenAPIRequest(request)))
  }

  /// Tells whether a stub or this source has sent a request on to the server.
  func isMeant(by proxying: ResponseDefinition.Proxying) -> Bool { proxying.baseURL == url }
}

extension OpenAPIRequest {
  init(_ request: MockRequest) {
    self.init(
      method: request.method, target: request.target, headers: OpenAPIHeaders(request.headers), body: request.body)
  }
}

extension MockAnswer {
  init(_ answer: OpenAPIAnswer) {
    self.init(answer.status, headers: answer.headers.fields, body: answer.body)
  }
}
