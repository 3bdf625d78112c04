import MPaaSJSON
import MPaaSJSONSchema
import MPaaSLock
import MPaaSSupport

/// Compares requests and answers with a description.
///
/// An operation is made ready when it is called first.
package final class OpenAPIChecker: Sendable {
  /// The most bytes of a body that is looked into.
  package static let greatestBody = 16 << 20

  package let document: OpenAPIDocument
  package let router: OpenAPIRouter
  private let state: Lock<State>

  private struct State: Sendable {
    let document: OpenAPIDocument
    /// Made with the first operation.
    var schemas: OpenAPISchemas?
    var operations: [OpenAPILocation: CompiledOperation] = [:]

    mutating func compiled(_ operation: OpenAPIOperation) -> CompiledOperation {
      if let known = operations[operation.location] { return known }
      let schemas = schemas ?? OpenAPISchemas(document.library, document.version)
      self.schemas = schemas
      let made = CompiledOperation(operation, document, schemas)
      operations[operation.location] = made
      return made
    }
  }

  package init(_ document: OpenAPIDocument) {
    self.document = document
    router = OpenAPIRouter(document)
    state = Lock(State(document: document))
  }

  func compiled(_ operation: OpenAPIOperation) -> CompiledOperation {
    state.withLock { $0.compiled(operation) }
  }

  /// Looks for the operation of a request and compares the request with it.
  ///
  /// - Returns: The route, and what is wrong; nothing where there is no operation.
  package func check(_ request: OpenAPIRequest) -> (route: OpenAPIRouter.Route, issues: [OpenAPIIssue]) {
    let route = router.route(request.method, request.path)
    guard case .operation(let operation, let values) = route else { return (route, []) }
    return (route, check(request, for: operation, values))
  }

  /// Compares a request with an operation; who calls is not looked at.
  package func check(
    _ request: OpenAPIRequest, for operation: OpenAPIOperation, _ values: [(name: String, value: Substring)]
  ) -> [OpenAPIIssue] {
    var check = RequestCheck(operation: compiled(operation), request: request)
    check.run(values)
    return check.issues
  }

  /// Compares an answer with what the operation says of its status.
  package func check(_ answer: OpenAPIAnswer, for operation: OpenAPIOperation) -> [OpenAPIIssue] {
    AnswerCheck(operation: compiled(operation), answer: answer).issues()
  }
}
