import MPaaSRandom
import MPaaSSupport

/// The effect on one request and its reply.
package struct RequestPlan: Sendable, Equatable {
  /// The reply waits as long.
  package var delay: Duration = .zero
  /// The proxy answers by itself.
  package var failure: HTTPFailure?
  /// The time between two lines of the reply's head.
  package var slowHeaders: Duration?
  /// The bytes of the reply's body that pass.
  package var truncation: Int64?
  /// The toxics that touched the request, in their order.
  package var toxics: [String] = []

  package init() {}

  package var isPlain: Bool { toxics.isEmpty }
}

/// The request conditions of a proxy, with what they have counted so far.
///
/// A decision depends on nothing but the seed, the toxic's name and how many requests matched it before: the same
/// requests in the same order meet the same in each run.
package struct RequestConditions: Sendable {
  fileprivate struct Rule {
    let name: String
    let condition: Condition
    let filter: RequestFilter
    let method: String?
    let path: Glob?
    let toxicity: Double
    /// The seed of the toxic's random numbers.
    let seed: UInt64
    /// The requests that matched by method and path.
    var matches = 0
  }

  private var rules: [Rule] = []
  private let seed: UInt64

  package init(seed: UInt64, _ toxics: [Toxic] = []) {
    self.seed = seed
    change(to: toxics)
  }

  package var isEmpty: Bool { rules.isEmpty }

  /// Takes other conditions; a toxic that stays under its name goes on counting.
  package mutating func change(to toxics: [Toxic]) {
    let before = rules
    rules = toxics.compactMap { toxic in
      guard let filter = toxic.condition.filter else { return nil }
      var rule = Rule(
        name: toxic.name, condition: toxic.condition, filter: filter, method: filter.method?.uppercased(),
        path: filter.path.map { Glob($0) }, toxicity: toxic.toxicity, seed: Draw.seed(seed, toxic.name))
      if let old = before.first(where: { $0.name == toxic.name && $0.condition.kind == toxic.condition.kind }) {
        rule.matches = old.matches
      }
      return rule
    }
  }

  /// Decides for the next request.
  ///
  /// - Parameters:
  ///   - target: As the request line has it, with the query.
  ///   - connection: The number of its connection, by which toxicity is drawn.
  package mutating func plan(method: String, target: String, connection: UInt64) -> RequestPlan {
    var plan = RequestPlan()
    for index in rules.indices where rules[index].meets(method: method, target: target, connection: connection) {
      plan.add(rules[index].condition, of: rules[index].name)
    }
    return plan
  }
}

extension RequestConditions.Rule {
  fileprivate mutating func meets(method: String, target: String, connection: UInt64) -> Bool {
    if let wanted = self.method, wanted != method { return false }
    if let path, !path.matches(looksAtQuery ? target[...] : target.prefix { $0 != "?" }) { return false }
    if toxicity < 1, Draw.share(seed ^ 0xC044_EC71, connection) >= toxicity { return false }
    if let first = filter.first, matches >= first { return false }
    defer { matches += 1 }
    return filter.probability >= 1 || Draw.share(seed, UInt64(matches)) < filter.probability
  }

  /// A pattern that has a `?` is for the query too.
  private var looksAtQuery: Bool { filter.path?.contains("?") ?? false }
}

extension RequestPlan {
  fileprivate mutating func add(_ condition: Condition, of toxic: String) {
    toxics.append(toxic)
    switch condition {
    case .httpDelay(let delay): self.delay += max(delay.delay, .zero)
    case .httpError(let failure): self.failure = self.failure ?? failure
    case .httpSlowHeaders(let slow): slowHeaders = (slowHeaders ?? .zero) + max(slow.delay, .zero)
    case .httpTruncatedBody(let cut): truncation = min(truncation ?? .max, max(cut.bytes, 0))
    default: break
    }
  }
}

extension Condition {
  /// The requests that the condition is for; nil for conditions of links.
  fileprivate var filter: RequestFilter? {
    switch self {
    case .httpDelay(let delay): delay.filter
    case .httpError(let failure): failure.filter
    case .httpSlowHeaders(let slow): slow.filter
    case .httpTruncatedBody(let cut): cut.filter
    default: nil
    }
  }
}

/// Random numbers that are found by their place in the sequence, so that threads need not take turns.
package enum Draw {
  /// The beginning of the numbers of one name under a seed (FNV-1a).
  package static func seed(_ seed: UInt64, _ name: String) -> UInt64 {
    name.utf8.reduce(SplitMix64.mixed(seed) ^ 0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
  }

  /// The number at `place`, at least 0 and less than 1.
  package static func share(_ seed: UInt64, _ place: UInt64) -> Double {
    Double(SplitMix64.number(at: place, from: seed) >> 11) * 0x1p-53
  }
}
