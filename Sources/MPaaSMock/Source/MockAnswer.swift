/// An answer of the mock, ready to be sent.
package struct MockAnswer: Sendable {
  package var status: Int
  package var reason: String?
  package var headers: [(name: String, value: String)]
  package var body: [UInt8]
  /// Milliseconds that pass before the answer.
  package var delay: Double = 0
  package var dribble: ChunkedDribble?
  /// The fault that happens in the place of the answer.
  package var fault: MockFault?
  /// The server that the request is passed on to, which then gives the answer.
  package var proxying: ResponseDefinition.Proxying?

  package init(_ status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}
