/// A part of the mock that has answers: stubs, an OpenAPI document, pacts, a HAR.
///
/// Sources are asked in order; the first answer is sent. Whatever state one has it keeps itself, behind a lock: requests
/// come from several threads.
package protocol MockSource: Sendable {
  /// The word by which reports name the source: `stubs`, `openapi`, `pact`, `har`.
  var name: String { get }

  /// Answers a request, or says why it has no answer.
  ///
  /// - Parameter time: Seconds since 1970.
  func answer(_ request: MockRequest, at time: Double) -> MockOutcome
}

/// The outcome of asking a source.
package enum MockOutcome: Sendable {
  case answer(MockAnswer, by: MockOrigin)
  /// The reasons why nothing fits, the nearest first.
  case none([MockMiss])
}

/// The part of a source that an answer is from.
package struct MockOrigin: Sendable, Equatable {
  package let source: String
  /// The ID of a stub, an operation, the description of an interaction.
  package let id: String
  package let name: String?

  package init(_ source: String, id: String, name: String? = nil) {
    self.source = source
    self.id = id
    self.name = name
  }
}

/// Something that might have answered a request, and the reasons why it did not.
package struct MockMiss: Sendable {
  package let origin: MockOrigin
  /// From 0, equal, to 1.
  package let distance: Double
  /// In English, one for each thing that differs.
  package let reasons: [String]

  package init(_ origin: MockOrigin, distance: Double, reasons: [String]) {
    self.origin = origin
    self.distance = distance
    self.reasons = reasons
  }
}
