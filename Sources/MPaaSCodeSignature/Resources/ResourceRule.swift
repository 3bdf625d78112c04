import MPaaSConfig
import MPaaSPattern

/// A rule that tells which files of a bundle are sealed.
///
/// Of several that match a path, the one of the greatest weight counts; among equals one that leaves out.
struct ResourceRule: Sendable {
  let pattern: Pattern
  let weight: Double
  /// Tells whether files of its are left out.
  let isOmitted: Bool
  /// Tells whether files of its may be absent, as languages that a store takes away.
  let isOptional: Bool
  /// Tells whether files of its are code with a signature of its own.
  let isNested: Bool

  init?(_ member: PropertyListMember) {
    guard let pattern = try? Pattern(member.key) else { return nil }
    self.pattern = pattern
    let value = member.value
    weight =
      switch value["weight"]?.content {
      case .real(let number): number
      case .integer(let number): Double(number)
      default: 1
      }
    // A rule of `false` leaves out.
    isOmitted = value["omit"]?.boolean ?? (value.boolean == false)
    isOptional = value["optional"]?.boolean ?? false
    isNested = value["nested"]?.boolean ?? false
  }

  func goesBefore(_ other: ResourceRule?) -> Bool {
    guard let other else { return true }
    return weight > other.weight || (weight == other.weight && isOmitted && !other.isOmitted)
  }
}
