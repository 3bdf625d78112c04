package import MPaaSJSON

/// A contract between a consumer and a provider: what the one expects of the other.
///
/// - Source: https://github.com/pact-foundation/pact-specification, versions 1 to 4.
package struct Pact: Sendable, Equatable {
  package var consumer: String
  package var provider: String
  package var interactions: [PactInteraction]
  package var specification: PactSpecification
  /// The members of `metadata` but for the version of the format, as they were read.
  package var metadata: [JSONNode.Member]

  package init(
    consumer: String, provider: String, interactions: [PactInteraction] = [],
    specification: PactSpecification = .v4, metadata: [JSONNode.Member] = []
  ) {
    self.consumer = consumer
    self.provider = provider
    self.interactions = interactions
    self.specification = specification
    self.metadata = metadata
  }
}

/// One exchange that a consumer expects.
package struct PactInteraction: Sendable, Equatable {
  /// The kinds of exchanges.
  package enum Content: Sendable, Equatable {
    case http(PactRequest, PactResponse)
    /// A message that the provider sends by itself.
    case message(PactMessage)
    /// A message, and those that answer it.
    case call(PactMessage, [PactMessage])
  }

  package var description: String
  package var states: [PactState]
  package var content: Content
  /// The name that tells it from others over versions of the contract; since version 4.
  package var key: String?
  /// Tells whether its failure fails no verification; since version 4.
  package var isPending = false
  /// Free remarks; since version 4.
  package var comments: JSONNode?

  package init(_ description: String, states: [PactState] = [], _ content: Content) {
    self.description = description
    self.states = states
    self.content = content
  }
}

/// A condition that the provider must be in.
package struct PactState: Sendable, Equatable {
  package var name: String
  package var parameters: [JSONNode.Member]

  package init(_ name: String, parameters: [JSONNode.Member] = []) {
    self.name = name
    self.parameters = parameters
  }
}

/// A request that is expected, or one that came.
package struct PactRequest: Sendable, Equatable {
  package var method: String
  package var path: String
  package var query: [PactField]
  /// The query as it was written, where that is known; version 1 compares it as it stands.
  package var queryText: String?
  package var headers: [PactField]
  package var body: PactBody
  package var rules = PactRules()
  package var generators = PactGenerators()

  package init(
    method: String = "GET", path: String = "/", query: [PactField] = [], headers: [PactField] = [],
    body: PactBody = PactBody()
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
  }
}

/// A response that is expected, or one that came.
package struct PactResponse: Sendable, Equatable {
  package var status: Int
  package var headers: [PactField]
  package var body: PactBody
  package var rules = PactRules()
  package var generators = PactGenerators()

  package init(status: Int = 200, headers: [PactField] = [], body: PactBody = PactBody()) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

/// A message that is expected, or one that came.
package struct PactMessage: Sendable, Equatable {
  package var body: PactBody
  package var metadata: [JSONNode.Member]
  package var rules = PactRules()
  package var generators = PactGenerators()

  package init(body: PactBody = PactBody(), metadata: [JSONNode.Member] = []) {
    self.body = body
    self.metadata = metadata
  }
}
