import MPaaSJSON

/// The outcome of one interaction that was verified.
package struct PactVerdict: Sendable, Equatable {
  /// The reason why an interaction did not come to its comparison.
  package enum Fault: Sendable, Equatable {
    /// The provider could not be brought into a state.
    case state(name: String, reason: String)
    /// The provider gave no answer.
    case noAnswer(reason: String)
    /// A generator could not make its value.
    case generator(String)
  }

  /// The headings under which differences are told.
  package enum Heading: String, Sendable, CaseIterable {
    case status, headers, body, metadata, state
    case noAnswer = "no-answer"

    /// The heading in English, as other verifiers have it.
    package var sentence: String {
      switch self {
      case .status: "Response status did not match"
      case .headers: "Headers had differences"
      case .body: "Body had differences"
      case .metadata: "Metadata had differences"
      case .state: "State change request failed"
      case .noAnswer: "Request failed"
      }
    }
  }

  package let consumer: String
  package let provider: String
  package let interaction: PactInteraction
  package var mismatches: [PactMismatch] = []
  package var fault: Fault?
  /// States that nothing could bring the provider into.
  package var unchangedStates: [String] = []

  package init(_ pact: Pact, _ interaction: PactInteraction) {
    consumer = pact.consumer
    provider = pact.provider
    self.interaction = interaction
  }

  package var hasPassed: Bool { mismatches.isEmpty && fault == nil }
  /// Tells whether the whole fails with this interaction.
  package var isFailure: Bool { !hasPassed && !interaction.isPending }

  package var headings: [Heading] {
    var all: [Heading] = []
    switch fault {
    case .state: all.append(.state)
    case .noAnswer, .generator: all.append(.noAnswer)
    case nil: break
    }
    for mismatch in mismatches {
      let heading: Heading =
        switch mismatch.part {
        case .status: .status
        case .header: .headers
        case .metadata: .metadata
        default: .body
        }
      if !all.contains(heading) { all.append(heading) }
    }
    return all
  }

  /// The remarks of the contract on the interaction.
  package var comments: [String] { interaction.comments?["text"]?.elements?.compactMap(\.string) ?? [] }
  /// The test that the interaction comes from, where the contract tells.
  package var testName: String? { interaction.comments?["testname"]?.string }
}
