/// Versions between two bounds; without a bound on a side, all on that side.
package struct VersionInterval: Sendable, Hashable {
  package struct Bound: Sendable, Hashable {
    package var version: ModuleVersion
    package var isInclusive: Bool

    package init(_ version: ModuleVersion, isInclusive: Bool) {
      self.version = version
      self.isInclusive = isInclusive
    }
  }

  package var lower: Bound?
  package var upper: Bound?

  package static let all = VersionInterval()

  package init(from lower: Bound? = nil, to upper: Bound? = nil) {
    self.lower = lower
    self.upper = upper
  }

  package init(exactly version: ModuleVersion) {
    self.init(from: Bound(version, isInclusive: true), to: Bound(version, isInclusive: true))
  }

  package func contains(_ version: ModuleVersion) -> Bool {
    if let lower, version < lower.version || (version == lower.version && !lower.isInclusive) { return false }
    if let upper, version > upper.version || (version == upper.version && !upper.isInclusive) { return false }
    return true
  }

  /// Tells whether no version lies inside.
  package var isEmpty: Bool {
    guard let lower, let upper else { return false }
    return lower.version > upper.version
      || (lower.version == upper.version && !(lower.isInclusive && upper.isInclusive))
  }

  package func intersection(_ other: VersionInterval) -> VersionInterval {
    VersionInterval(from: Self.tighter(lower, other.lower, >), to: Self.tighter(upper, other.upper, <))
  }

  private static func tighter(
    _ one: Bound?, _ other: Bound?, _ isTighter: (ModuleVersion, ModuleVersion) -> Bool
  ) -> Bound? {
    guard let one, let other else { return one ?? other }
    if one.version == other.version { return one.isInclusive ? other : one }
    return isTighter(one.version, other.version) ? one : other
  }
}
