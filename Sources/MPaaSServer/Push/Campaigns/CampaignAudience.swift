import MPaaSFlags
import MPaaSProtocol
import MPaaSPush
import MPaaSSupport

/// The conditions on installations that a campaign is for: constraints of flags.
///
/// A constraint on `tags` holds where it holds for one of an installation's tags; an inverted one, and `NOT_IN`, where it
/// holds for none.
struct CampaignAudience: Sendable {
  /// The constraints on everything but tags, as one flag.
  private let own: FlagSnapshot
  /// The constraints on tags.
  private let tags: [(snapshot: FlagSnapshot, isInverted: Bool)]

  private static let flag = "audience"
  private static let tagField = "tags"

  /// - Throws: `server-bad-request` naming a constraint that has no meaning, and what states of flags throw.
  init(_ constraints: [JSONValue]) throws {
    let all = try Self.read(constraints)
    own = try Self.snapshot(all.filter { $0.field != Self.tagField })
    tags = try all.filter { $0.field == Self.tagField }.map { constraint in
      var plain = constraint
      plain.isInverted = false
      let isNone = constraint.operator == "NOT_IN"
      if isNone { plain.operator = "IN" }
      return (try Self.snapshot([plain]), constraint.isInverted != isNone)
    }
  }

  private static func read(_ constraints: [JSONValue]) throws -> [ConstraintDefinition] {
    let state: JSONValue = [
      "features": [["name": .string(flag), "strategies": [["name": "default", "constraints": .array(constraints)]]]]
    ]
    let read = try FlagState(json: state.line).flags.first?.strategies.first?.constraints ?? []
    for (index, constraint) in read.enumerated() where !fields.contains(constraint.field) {
      throw ServerError(.badRequest, ["reason": "audience[\(index)].contextName: \(constraint.field.prefix(80))"])
    }
    return read
  }

  /// The names of what is known of an installation.
  private static let fields: Set<String> = [
    "userId", "environment", "installation", "topic", "locale", "language", "timezone", "version", tagField,
    "registered", "updated", "currentTime",
  ]

  private static func snapshot(_ constraints: [ConstraintDefinition]) throws -> FlagSnapshot {
    var strategy = StrategyDefinition()
    strategy.name = "default"
    strategy.constraints = constraints
    var definition = FlagDefinition(name: flag)
    definition.isEnabled = true
    definition.strategies = [strategy]
    let snapshot = FlagSnapshot(FlagState(flags: [definition]))
    if let problem = snapshot.problems.first {
      throw ServerError(.badRequest, ["reason": "audience: \(problem.kind)"])
    }
    return snapshot
  }

  /// Tells whether a campaign is for an installation.
  func contains(_ entry: PushInstallationEntry) -> Bool {
    for (snapshot, isInverted) in tags {
      let holds = entry.tags.contains { tag in
        snapshot.isEnabled(Self.flag, for: FlagContext(properties: [Self.tagField: tag]))
      }
      guard holds != isInverted else { return false }
    }
    return own.isEnabled(Self.flag, for: Self.context(entry))
  }

  private static func context(_ entry: PushInstallationEntry) -> FlagContext {
    var properties = [
      "installation": entry.installation, "topic": entry.topic, "registered": time(entry.registered),
      "updated": time(entry.updated),
    ]
    properties["locale"] = entry.locale
    properties["language"] = entry.locale.map { locale in
      String(locale.lowercased().prefix { $0 != "-" && $0 != "_" })
    }
    properties["timezone"] = entry.timezone
    properties["version"] = entry.version
    return FlagContext(userId: entry.user, environment: entry.environment.rawValue, properties: properties)
  }

  /// A moment as constraints on dates read it.
  private static func time(_ seconds: Double) -> String {
    let (date, second) = CivilDate.at(secondsSince1970: Int(max(0, min(seconds, 2e11))))
    let clock = [second / 3600, second / 60 % 60, second % 60].map { $0.padded(to: 2) }.joined(separator: ":")
    return "\(date)T\(clock)Z"
  }
}
