package import MPaaSFlags
import MPaaSSupport

/// The differences between two states, flag by flag and segment by segment.
package struct FlagComparison {
  /// A difference.
  package struct Change: Sendable, Equatable {
    /// The kind of a difference.
    package enum Kind: String, Sendable, Encodable { case added, removed, changed }

    package let kind: Kind
    /// `flag` or `segment`.
    package let subject: String
    package let name: String
    /// The members that differ, with both values; empty unless changed.
    package let members: [Member]
  }

  /// A member that differs.
  package struct Member: Sendable, Equatable, Encodable {
    package let member: String
    package let before: String
    package let after: String
  }

  /// The differences: of flags by name, then of segments by number.
  package let changes: [Change]

  package init(from before: FlagState, to after: FlagState) {
    changes =
      Self.compare(
        "flag", Self.flags(before), Self.flags(after), name: \.text, members: { $0.members })
      + Self.compare(
        "segment", Self.segments(before), Self.segments(after), name: { "\($0)" }, members: { $0.members })
  }

  private static func flags(_ state: FlagState) -> [ExactName: FlagDefinition] {
    Dictionary(state.flags.map { (ExactName($0.name), $0) }, uniquingKeysWith: { $1 })
  }

  private static func segments(_ state: FlagState) -> [Int: SegmentDefinition] {
    Dictionary(state.segments.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
  }

  private static func compare<Key: Hashable & Comparable, Value: Equatable>(
    _ subject: String, _ before: [Key: Value], _ after: [Key: Value], name: (Key) -> String,
    members: (Value) -> [(String, String)]
  ) -> [Change] {
    Set(before.keys).union(after.keys).sorted().compactMap { key in
      switch (before[key], after[key]) {
      case (nil, _): return Change(kind: .added, subject: subject, name: name(key), members: [])
      case (_, nil): return Change(kind: .removed, subject: subject, name: name(key), members: [])
      case (let old?, let new?):
        guard old != new else { return nil }
        let differing = zip(members(old), members(new)).filter { $0.1 != $1.1 }
        return Change(
          kind: .changed, subject: subject, name: name(key),
          members: differing.map { Member(member: $0.0, before: $0.1, after: $1.1) })
      }
    }
  }
}

extension FlagDefinition {
  /// The members by name, each as a line of text.
  fileprivate var members: [(String, String)] {
    [
      ("enabled", "\(isEnabled)"), ("type", type ?? ""), ("description", summary ?? ""), ("project", project ?? ""),
      ("stale", "\(isStale)"), ("impressionData", "\(hasImpressionData)"),
      ("strategies", strategies.map(\.line).joined(separator: "; ")),
      ("variants", variants.map(\.line).joined(separator: "; ")),
      ("dependencies", dependencies.map(\.line).joined(separator: "; ")),
    ]
  }
}

extension SegmentDefinition {
  fileprivate var members: [(String, String)] {
    [("name", name ?? ""), ("constraints", constraints.map(\.line).joined(separator: "; "))]
  }
}

extension StrategyDefinition {
  /// The strategy in a line: `flexibleRollout(rollout=50) where userId IN [a, b] in segments 1`.
  package var line: String {
    let parameters = parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    var line = parameters.isEmpty ? name : "\(name)(\(parameters.joined(separator: ", ")))"
    if !constraints.isEmpty { line += " where " + constraints.map(\.line).joined(separator: " and ") }
    if !segments.isEmpty { line += " in segments " + segments.map { "\($0)" }.joined(separator: ", ") }
    if !variants.isEmpty { line += " with " + variants.map(\.line).joined(separator: ", ") }
    return line
  }
}

extension ConstraintDefinition {
  /// The constraint in a line: `not userId IN [a, b]`.
  package var line: String {
    let wanted = value.flatMap { values.isEmpty ? $0 : nil } ?? "[\(values.joined(separator: ", "))]"
    return (isInverted ? "not " : "") + "\(field) \(`operator`) \(wanted)" + (ignoresCase ? " (ignoring case)" : "")
  }
}

extension VariantDefinition {
  /// The variant in a line: `blue=25 {"type":…}`.
  package var line: String {
    var line = "\(name)=\(weight)"
    if let stickiness { line += " by \(stickiness)" }
    if let payload { line += " \(payload.type) \(payload.value)" }
    for override in overrides { line += " for \(override.field) [\(override.values.joined(separator: ", "))]" }
    return line
  }
}

extension DependencyDefinition {
  /// The dependency in a line: `parent is on`.
  package var line: String {
    "\(flag) \(isEnabled ? "on" : "off")" + (variants.isEmpty ? "" : " as \(variants.joined(separator: ", "))")
  }
}
