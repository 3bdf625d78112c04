package import MPaaSJSON

/// The reason why a stub cannot be taken: the path of the fault, and what is wrong there.
package struct StubProblem: Error, Sendable, Equatable {
  /// A JSON pointer, RFC 6901: `/request/headers/Accept/matches`.
  package let pointer: String
  package let detail: String
  package let position: TextPosition

  package init(_ pointer: String, _ detail: String, at position: TextPosition = .start) {
    self.pointer = pointer
    self.detail = detail
    self.position = position
  }

  /// The body of an answer 422, as WireMock's clients read it.
  package var document: JSONNode {
    let error = JSONNode.members([
      ("code", .whole(10)), ("source", .members([("pointer", .text(pointer))])), ("title", .text("Error parsing JSON")),
      ("detail", .text(detail)),
    ])
    return .members([("errors", .list([error]))])
  }
}
