import MPaaSMock
import MPaaSOpenAPI

/// An OpenAPI document as a source of answers, which remembers what was posted.
struct OpenAPISource: MockSource {
  let name = "openapi"
  private let state: OpenAPIStateMock

  init(_ document: OpenAPIDocument, options: OpenAPIMock.Options) {
    state = OpenAPIStateMock(OpenAPIMock(document, options: options))
  }

  var document: OpenAPIDocument { state.mock.checker.document }

  func answer(_ request: MockRequest, at time: Double) -> MockOutcome {
    let asked = OpenAPIRequest(request)
    var origin = MockOrigin(name, id: asked.path)
    switch state.mock.checker.router.route(asked.method, asked.path) {
    case .nothing: return .none([])
    case .otherMethods: break
    case .operation(let operation, _): origin = MockOrigin(name, id: operation.id ?? asked.path, name: operation.path)
    }
    return .answer(MockAnswer(state.answer(asked)), by: origin)
  }
}
