/// The versions of a module will do.
///
/// | text | versions |
/// | --- | --- |
/// | `*`, nothing | all |
/// | `1.2.3`, `==1.2.3`, `=1.2.3` | that one |
/// | `>=1.2,<2`, `>1`, `<=3`, `!=1.4` | those that satisfy all comparisons |
/// | `^1.2.3` | `>=1.2.3,<2`; `^0.2.3` is `>=0.2.3,<0.3`, as the first number that is not 0 stays |
/// | `~1.2.3` | `>=1.2.3,<1.3`; `~1` is `>=1,<2` |
/// | `1.2.*` | `>=1.2,<1.3` |
/// | `^1 \|\| ^3` | either |
///
/// Pre-releases of a bound that is none itself lie outside: `2.0.0-beta` is not `<2`. The resolver says when the others
/// come into question at all.
package struct VersionRequirement: Sendable {
  /// As it was written.
  package let text: String
  /// Sorted and disjoint; empty where nothing satisfies it.
  package let intervals: [VersionInterval]
  /// Tells whether a pre-release is named.
  package let namesPrerelease: Bool
  /// The version that it asks for alone; nil where it leaves a choice.
  package let exact: ModuleVersion?

  package static let all = VersionRequirement(text: "*", intervals: [.all], namesPrerelease: false)

  /// Reads `text`; nil where it is no requirement.
  package init?(_ text: String) {
    var intervals: [VersionInterval] = []
    var namesPrerelease = false
    for alternative in text.split(separator: "|", omittingEmptySubsequences: false) {
      // `||` leaves an empty piece between two alternatives.
      let words = alternative.filter { $0 != " " }
      if words.isEmpty, text.contains("|") { continue }
      guard let read = Self.conjunction(words, &namesPrerelease) else { return nil }
      intervals += read
    }
    guard !intervals.isEmpty || !text.contains("|") else { return nil }
    self.init(text: text, intervals: Self.normalized(intervals), namesPrerelease: namesPrerelease)
  }

  package init(exactly version: ModuleVersion) {
    self.init(text: "==" + version.text, intervals: [.init(exactly: version)], namesPrerelease: version.isPrerelease)
  }

  private init(text: String, intervals: [VersionInterval], namesPrerelease: Bool) {
    self.text = text
    self.intervals = intervals
    self.namesPrerelease = namesPrerelease
    let only = intervals.count == 1 ? intervals.first : nil
    exact = only.flatMap { only in only.lower == only.upper ? only.lower?.version : nil }
  }

  package func contains(_ version: ModuleVersion) -> Bool { intervals.contains { $0.contains(version) } }

  // MARK: - Reading

  private static func conjunction(_ text: String, _ namesPrerelease: inout Bool) -> [VersionInterval]? {
    guard !text.isEmpty else { return [.all] }
    var result: [VersionInterval] = [.all]
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let intervals = comparison(part, &namesPrerelease) else { return nil }
      result = result.flatMap { one in intervals.map { one.intersection($0) } }.filter { !$0.isEmpty }
    }
    return result
  }

  private static let operators = ["==", "!=", ">=", "<=", "~>", "^", "~", ">", "<", "="]

  private static func comparison(_ text: Substring, _ namesPrerelease: inout Bool) -> [VersionInterval]? {
    if text == "*" { return [.all] }
    let sign = operators.first { text.hasPrefix($0) } ?? "=="
    let rest = text.dropFirst(text.hasPrefix(sign) ? sign.count : 0)
    if rest.hasSuffix(".*") {
      guard ["==", "="].contains(sign), let version = ModuleVersion(String(rest.dropLast(2))), !version.isPrerelease
      else { return nil }
      let parts = rest.dropLast(2).count { $0 == "." } + 1
      return parts > 3 ? nil : [range(from: version, bumping: parts - 1)]
    }
    guard let version = ModuleVersion(String(rest)) else { return nil }
    if version.isPrerelease { namesPrerelease = true }
    let parts = rest.prefix { $0 != "-" && $0 != "+" }.count { $0 == "." } + 1
    let bound = VersionInterval.Bound(version, isInclusive: true)
    let open = VersionInterval.Bound(version, isInclusive: false)
    switch sign {
    case "==", "=": return [VersionInterval(exactly: version)]
    case "!=": return [VersionInterval(to: open), VersionInterval(from: open)]
    case ">=": return [VersionInterval(from: bound)]
    case "<=": return [VersionInterval(to: bound)]
    case ">": return [VersionInterval(from: open)]
    // A request for less than 2 does not mean a pre-release of 2, unless one is named.
    case "<": return [VersionInterval(to: version.isPrerelease ? open : .init(version.earliest, isInclusive: false))]
    case "^":
      let kept = version.numbers.prefix(parts).firstIndex { $0 != 0 } ?? (parts - 1)
      return [range(from: version, bumping: kept)]
    // CocoaPods' `~>` lets the last number grow, and so does `~`, which lets a lone number stay.
    case "~>": return [range(from: version, bumping: max(parts - 2, 0))]
    default: return [range(from: version, bumping: parts == 1 ? 0 : min(parts - 1, 1))]
    }
  }

  /// From `version` to below the next value of one of its numbers; pre-releases of that one are left out too.
  private static func range(from version: ModuleVersion, bumping index: Int) -> VersionInterval {
    var numbers = Array(version.numbers.prefix(index + 1))
    let (next, overflow) = numbers[index].addingReportingOverflow(1)
    let lower = VersionInterval.Bound(version, isInclusive: true)
    guard !overflow else { return VersionInterval(from: lower) }
    numbers[index] = next
    while numbers.count < 3 { numbers.append(0) }
    let end = ModuleVersion(numbers: numbers, prerelease: [.number(0)])
    return VersionInterval(from: lower, to: .init(end, isInclusive: false))
  }

  /// Sorted, and joined where they overlap.
  private static func normalized(_ intervals: [VersionInterval]) -> [VersionInterval] {
    let sorted = intervals.filter { !$0.isEmpty }.sorted { one, other in
      guard let first = one.lower else { return other.lower != nil }
      guard let second = other.lower else { return false }
      return first.version == second.version ? first.isInclusive && !second.isInclusive : first.version < second.version
    }
    var result: [VersionInterval] = []
    for interval in sorted {
      guard let last = result.last, last.touches(interval) else {
        result.append(interval)
        continue
      }
      result[result.count - 1].upper = last.later(interval)
    }
    return result
  }
}

extension VersionInterval {
  /// Tells whether `other`, which begins no earlier, leaves no version between the two.
  fileprivate func touches(_ other: VersionInterval) -> Bool {
    guard let upper, let lower = other.lower else { return true }
    return lower.version < upper.version
      || (lower.version == upper.version && (lower.isInclusive || upper.isInclusive))
  }

  fileprivate func later(_ other: VersionInterval) -> Bound? {
    guard let upper, let second = other.upper else { return nil }
    if upper.version == second.version { return upper.isInclusive ? upper : second }
    return upper.version > second.version ? upper : second
  }
}

extension VersionRequirement: Hashable, CustomStringConvertible {
  package static func == (left: VersionRequirement, right: VersionRequirement) -> Bool {
    left.intervals == right.intervals && left.namesPrerelease == right.namesPrerelease
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(intervals) }

  package var description: String { text }
}
