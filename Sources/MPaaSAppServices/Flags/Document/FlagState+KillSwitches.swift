import MPaaSFlags
import MPaaSSupport

extension FlagDefinition {
  /// The type of flags that are never held back.
  static let killSwitch = "kill-switch"

  fileprivate var isKillSwitch: Bool { type == Self.killSwitch }
}

extension FlagState {
  /// This state with the kill switches of a newer one, which is held back otherwise.
  ///
  /// A flag is such a switch where either state says so. The segments that the newer ones name come along under numbers
  /// of their own, so that other flags keep theirs.
  func withKillSwitches(of newer: FlagState) -> FlagState {
    var switches = ExactMap<Bool>()
    for flag in flags + newer.flags where flag.isKillSwitch { switches[flag.name] = true }
    guard !switches.isEmpty else { return self }
    var result = self
    result.flags.removeAll { switches[$0.name] != nil }
    var named: Set<Int> = []
    for var flag in newer.flags where switches[flag.name] != nil {
      for index in flag.strategies.indices {
        named.formUnion(flag.strategies[index].segments)
        flag.strategies[index].segments = flag.strategies[index].segments.map(Self.newerNumber)
      }
      result.flags.append(flag)
    }
    for var segment in newer.segments where named.contains(segment.id) {
      segment.id = Self.newerNumber(segment.id)
      result.segments.append(segment)
    }
    return result
  }

  /// A number that no server gives: those are not negative.
  private static func newerNumber(_ id: Int) -> Int { -1 - id }
}
