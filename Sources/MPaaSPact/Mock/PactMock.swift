import MPaaSJSON
import MPaaSRandom
import MPaaSSupport

/// A provider that answers as contracts say, and knows which of their interactions were asked for.
///
/// It does no input or output: a server gives it requests, one at a time, and sends what it answers.
package struct PactMock: Sendable {
  /// An interaction by the place of its contract and its own place there.
  package struct Interaction: Sendable, Hashable {
    package let pact: Int
    package let index: Int
  }

  /// The answer to a request.
  package enum Answer: Sendable, Equatable {
    /// The response, with generated values in it.
    case response(PactResponse, Interaction)
    /// The method and the path are those of interactions, nearest first, but other things differ.
    case mismatch([Near])
    /// No interaction has the method and the path.
    case unexpected
  }

  /// An interaction that a request did not quite match.
  package struct Near: Sendable, Equatable {
    package let interaction: Interaction
    package let mismatches: [PactMismatch]
  }

  package let pacts: [Pact]
  /// The number of requests that each interaction answered.
  package private(set) var hits: [Interaction: Int] = [:]
  /// The requests that were not answered, and why; the first ones.
  package private(set) var refused: [(request: PactRequest, answer: Answer)] = []
  /// The requests that were not answered.
  package private(set) var refusals = 0

  /// The most refused requests that are kept, and interactions that an answer names.
  package static let mostRefused = 1000, mostNear = 10

  private let byPlace: [String: [Interaction]]
  /// Interactions whose path or method a rule decides about.
  private let others: [Interaction]
  private var generation: PactGeneration

  /// - Parameters:
  ///   - url: The address of the server, which generators put into responses.
  ///   - seed: What generated values follow from; nil for others each time.
  package init(_ pacts: [Pact], url: String = "", seed: UInt64? = nil) {
    self.pacts = pacts
    generation = PactGeneration(.consumer, mockURL: url, now: 0, random: SplitMix64(seed: seed))
    var byPlace: [String: [Interaction]] = [:]
    var others: [Interaction] = []
    for (place, pact) in pacts.enumerated() {
      for (index, interaction) in pact.interactions.enumerated() {
        guard case .http(let request, _) = interaction.content else { continue }
        let known = Interaction(pact: place, index: index)
        if request.rules[.path].entries.isEmpty {
          byPlace[Self.place(request), default: []].append(known)
        } else {
          others.append(known)
        }
      }
    }
    self.byPlace = byPlace
    self.others = others
  }

  /// The address of the server, once it is known.
  package var url: String {
    get { generation.mockURL }
    set { generation.mockURL = newValue }
  }

  private static func place(_ request: PactRequest) -> String { "\(request.method.uppercased()) \(request.path)" }

  /// The interaction at a place.
  package subscript(_ interaction: Interaction) -> PactInteraction {
    pacts[interaction.pact].interactions[interaction.index]
  }

  // MARK: Answering

  /// Answers a request, and counts it.
  ///
  /// Of interactions that match as well, the first that nothing has asked for yet answers.
  ///
  /// - Parameter now: Milliseconds since 1970, for generated dates.
  package mutating func answer(to request: PactRequest, now: Int) throws(PactError) -> Answer {
    var matching: [Interaction] = []
    var near: [Near] = []
    for interaction in (byPlace[Self.place(request)] ?? []) + others {
      guard case .http(let expected, _) = self[interaction].content else { continue }
      let mismatches = PactComparison.request(expected, request)
      if mismatches.isEmpty {
        matching.append(interaction)
      } else if !mismatches.contains(where: { $0.part == .method || $0.part == .path }) {
        near.append(Near(interaction: interaction, mismatches: mismatches))
      }
    }
    guard let found = matching.first(where: { hits[$0] == nil }) ?? matching.first,
      case .http(_, let response) = self[found].content
    else { return refuse(request, near) }
    generation.now = now
    let made = try generation.applied(to: response)
    hits[found, default: 0] += 1
    return .response(made, found)
  }

  private mutating func refuse(_ request: PactRequest, _ near: [Near]) -> Answer {
    let sorted = near.enumerated().sorted {
      ($0.element.mismatches.count, $0.offset) < ($1.element.mismatches.count, $1.offset)
    }
    let answer: Answer = near.isEmpty ? .unexpected : .mismatch(sorted.prefix(Self.mostNear).map(\.element))
    refusals += 1
    if refused.count < Self.mostRefused { refused.append((request, answer)) }
    return answer
  }

  // MARK: The record

  /// Interactions over HTTP that nothing asked for.
  package var missing: [Interaction] { all.filter { hits[$0] == nil } }

  /// Tells whether each interaction was asked for, and nothing else.
  package var isSatisfied: Bool { refusals == 0 && missing.isEmpty }

  private var all: [Interaction] {
    pacts.enumerated().flatMap { place, pact in
      pact.interactions.enumerated().compactMap { index, interaction in
        if case .http = interaction.content { Interaction(pact: place, index: index) } else { nil }
      }
    }
  }

  /// The contracts with the interactions alone that were asked for; none where nothing of a contract was.
  package var exercised: [Pact] {
    pacts.enumerated().compactMap { place, pact in
      var made = pact
      made.interactions = pact.interactions.indices.filter { hits[Interaction(pact: place, index: $0)] != nil }
        .map { pact.interactions[$0] }
      return made.interactions.isEmpty ? nil : made
    }
  }
}
