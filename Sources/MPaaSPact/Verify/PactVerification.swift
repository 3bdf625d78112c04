import MPaaSJSON
package import MPaaSPattern
package import MPaaSRandom
import MPaaSSupport

/// The replay of a contract against a provider.
package struct PactVerification: Sendable {
  package var provider: PactProvider
  /// Headers that each request gets, in the place of those of the contract.
  package var headers: [PactField]
  /// The interactions that are replayed; nil for all.
  package var filter: Filter?
  package var now: Int
  package var random: SplitMix64

  /// A choice of interactions.
  package struct Filter: Sendable {
    /// The expression that descriptions must have a match of.
    package var description: Pattern?
    /// The expression that the name of a state must have a match of.
    package var state: Pattern?

    package init(description: Pattern? = nil, state: Pattern? = nil) {
      self.description = description
      self.state = state
    }

    func takes(_ interaction: PactInteraction) -> Bool {
      (description?.matches(interaction.description) ?? true)
        && (state.map { state in interaction.states.contains { state.matches($0.name) } } ?? true)
    }
  }

  package init(
    _ provider: PactProvider, headers: [PactField] = [], filter: Filter? = nil, now: Int,
    random: SplitMix64 = SplitMix64(seed: nil)
  ) {
    self.provider = provider
    self.headers = headers
    self.filter = filter
    self.now = now
    self.random = random
  }

  /// Replays the interactions one after another, since they share the provider's states.
  ///
  /// - Parameter told: Gets each verdict as it is there.
  package func verdicts(
    of pact: Pact, told: @Sendable (PactVerdict) async -> Void = { _ in }
  ) async -> [PactVerdict] {
    var all: [PactVerdict] = []
    for interaction in pact.interactions where filter?.takes(interaction) ?? true {
      if Task.isCancelled { break }
      let verdict = await verdict(on: interaction, of: pact)
      await told(verdict)
      all.append(verdict)
    }
    return all
  }

  func verdict(on interaction: PactInteraction, of pact: Pact) async -> PactVerdict {
    var verdict = PactVerdict(pact, interaction)
    var values: [JSONNode.Member] = []
    if let change = provider.change {
      for state in interaction.states.isEmpty ? [PactState("")] : interaction.states {
        switch await change.call(Self.change("setup", state, pact)) {
        case .success(let given): values += state.parameters + given
        case .failure(let failure):
          verdict.fault = .state(name: state.name, reason: failure.reason)
          return verdict
        }
      }
    } else {
      verdict.unchangedStates = interaction.states.map(\.name)
      values = interaction.states.flatMap(\.parameters)
    }
    var generation = PactGeneration(.provider, values: values, now: now, random: random)
    do throws(PactError) { try await compare(interaction, &generation, &verdict) } catch {
      verdict.fault = .generator(error.values.values.sorted().joined(separator: ", "))
    }
    if let change = provider.change, change.tearsDown {
      for state in interaction.states.isEmpty ? [PactState("")] : interaction.states {
        // The request is answered already; a provider that cannot clean up is told of by its next state.
        _ = await change.call(Self.change("teardown", state, pact))
      }
    }
    return verdict
  }

  private static func change(_ action: String, _ state: PactState, _ pact: Pact) -> JSONNode {
    .object([
      ("action", .text(action)), ("consumer", .text(pact.consumer)), ("state", .text(state.name)),
      ("params", .object(state.parameters.map { ($0.name, $0.value) })),
    ])
  }

  // MARK: Kinds

  private func compare(
    _ interaction: PactInteraction, _ generation: inout PactGeneration, _ verdict: inout PactVerdict
  ) async throws(PactError) {
    switch interaction.content {
    case .http(let request, let response):
      var asked = try generation.applied(to: request)
      for field in headers {
        asked.headers.removeAll { $0.name.lowercased() == field.name.lowercased() }
        asked.headers.append(field)
      }
      switch await provider.send(asked) {
      case .success(let actual): verdict.mismatches = PactComparison.response(response, actual)
      case .failure(let failure): verdict.fault = .noAnswer(reason: failure.reason)
      }
    case .message(let message):
      await compare(message, asked: Self.question(interaction, nil), &verdict)
    case .call(let request, let responses):
      let asked = Self.question(interaction, try generation.applied(to: request))
      for response in responses { await compare(response, asked: asked, &verdict) }
    }
  }

  /// The object that asks a provider for a message.
  private static func question(_ interaction: PactInteraction, _ request: PactMessage?) -> JSONNode {
    var members: [(String, JSONNode)] = [
      ("description", .text(interaction.description)),
      ("providerStates", JSONNode(.array(interaction.states.map(\.node)))),
    ]
    if let request { members.append(("request", .object(request.members(.v4)))) }
    return .object(members)
  }

  private func compare(_ message: PactMessage, asked: JSONNode, _ verdict: inout PactVerdict) async {
    switch await provider.message(asked) {
    case .success(let response) where (200...299).contains(response.status):
      verdict.mismatches += PactComparison.message(message, PactMessage(response))
    case .success(let response): verdict.fault = .noAnswer(reason: "status \(response.status)")
    case .failure(let failure): verdict.fault = .noAnswer(reason: failure.reason)
    }
  }
}

extension PactMessage {
  /// The header that bears the metadata of a message, as JSON in Base64.
  package static let metadataHeader = "Pact-Message-Metadata"

  /// The message that a provider answered with.
  package init(_ response: PactResponse) {
    self.init(body: response.body)
    if let text = response.headers.header(Self.metadataHeader)?.first,
      let bytes = Base64.decode(loose: Array(text.utf8)), let members = PactJSON.body(bytes)?.members
    {
      metadata = members
    }
    if let type = response.headers.header("content-type")?.first { body.contentType = MediaType(type) }
  }
}
