package import MPaaSJSON

/// The ways to a provider: effects that a verification is given.
package struct PactProvider: Sendable {
  /// Sends a request and waits for the response.
  package var send: @Sendable (PactRequest) async -> Result<PactResponse, PactFailure>
  /// Asks for the message of a description, by a JSON object.
  package var message: @Sendable (JSONNode) async -> Result<PactResponse, PactFailure>
  /// Brings the provider into a state, or out of it again, by a JSON object; nil where nothing can.
  package var change: StateChange?

  /// The call that changes states; its values go into requests.
  package struct StateChange: Sendable {
    package var call: @Sendable (JSONNode) async -> Result<[JSONNode.Member], PactFailure>
    /// Tells whether the provider is told when a state is no longer needed.
    package var tearsDown: Bool

    package init(
      tearsDown: Bool = false, _ call: @escaping @Sendable (JSONNode) async -> Result<[JSONNode.Member], PactFailure>
    ) {
      self.tearsDown = tearsDown
      self.call = call
    }
  }

  package init(
    send: @escaping @Sendable (PactRequest) async -> Result<PactResponse, PactFailure>,
    message: @escaping @Sendable (JSONNode) async -> Result<PactResponse, PactFailure>, change: StateChange? = nil
  ) {
    self.send = send
    self.message = message
    self.change = change
  }
}

/// The reason why a provider gave no answer, in the words of the system; English.
package struct PactFailure: Error, Sendable, Equatable {
  package let reason: String

  package init(_ reason: String) {
    self.reason = reason
  }
}
