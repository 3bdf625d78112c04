import MPaaSSupport

/// The effect on one question and its answer.
package struct NamePlan: Sendable, Equatable {
  package var delay: Duration = .zero
  package var failure: DNSFailure.Answer?
  package var toxics: [String] = []

  package init() {}
}

/// The name conditions of a proxy, with what they have counted so far; the same seed decides the same way.
package struct NameConditions: Sendable {
  private struct Rule {
    let toxic: Toxic
    let name: Glob?
    let seed: UInt64
    /// The questions that matched by name.
    var matches = 0
  }

  private var rules: [Rule] = []
  private let seed: UInt64

  package init(seed: UInt64, _ toxics: [Toxic] = []) {
    self.seed = seed
    change(to: toxics)
  }

  /// Takes other conditions; a toxic that stays under its name goes on counting.
  package mutating func change(to toxics: [Toxic]) {
    let before = rules
    rules = toxics.compactMap { toxic in
      let pattern: String?
      switch toxic.condition {
      case .dnsDelay(let delay): pattern = delay.name
      case .dnsFailure(let failure): pattern = failure.name
      default: return nil
      }
      let glob = pattern.map { Glob($0.hasSuffix(".") ? String($0.dropLast()) : $0, ignoresCase: true) }
      var rule = Rule(toxic: toxic, name: glob, seed: Draw.seed(seed, toxic.name))
      rule.matches = before.first { $0.toxic.name == toxic.name }?.matches ?? 0
      return rule
    }
  }

  /// Decides for the next question.
  ///
  /// - Parameters:
  ///   - name: As `DNSMessage` has it.
  ///   - client: The number of its client's path or connection, by which toxicity is drawn.
  package mutating func plan(name: String, client: UInt64) -> NamePlan {
    var plan = NamePlan()
    for index in rules.indices {
      let toxic = rules[index].toxic
      if let pattern = rules[index].name, !pattern.matches(name) { continue }
      if toxic.toxicity < 1, Draw.share(rules[index].seed ^ 0xC044_EC71, client) >= toxic.toxicity { continue }
      defer { rules[index].matches += 1 }
      switch toxic.condition {
      case .dnsDelay(let delay):
        plan.delay += max(delay.delay, .zero)
      case .dnsFailure(let failure):
        guard
          failure.probability >= 1 || Draw.share(rules[index].seed, UInt64(rules[index].matches)) < failure.probability
        else { continue }
        plan.failure = plan.failure ?? failure.answer
      default: continue
      }
      plan.toxics.append(toxic.name)
    }
    return plan
  }
}

extension DNSFailure.Answer {
  /// nil for silence.
  package var response: DNSMessage.Response? {
    switch self {
    case .nxdomain: .nameError
    case .servfail: .serverFailure
    case .refused: .refused
    case .silence: nil
    }
  }
}
