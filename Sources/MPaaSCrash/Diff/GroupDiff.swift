/// The differences of the groups of two sets of reports: two releases, two weeks.
package struct GroupDiff: Sendable {
  package enum Change: String, Sendable, CaseIterable {
    case new, grown, shrunk, gone
    case unchanged = "same"
  }

  package struct Row: Sendable {
    package let change: Change
    /// From the side that has it, the second where both do.
    package let group: ReportGroup
    package let countA: Int
    package let countB: Int
    /// The share of all reports of the side, 0 to 1: sides have different numbers of reports and times.
    package let shareA: Double
    package let shareB: Double
    /// The distance of the shares, in standard errors of their difference; above 0 where the second is larger.
    ///
    /// Beyond 2 either way chance does it once in twenty times.
    package let sigma: Double
  }

  package let a: GroupTally
  package let b: GroupTally
  /// New ones first, those with most reports first.
  package let rows: [Row]

  package var isSame: Bool { rows.allSatisfy { $0.change == .unchanged } }

  package init(_ a: GroupTally, _ b: GroupTally) {
    self.a = a
    self.b = b
    let ids = Set(a.groups.keys).union(b.groups.keys)
    rows = ids.compactMap { Self.row($0, a, b) }.sorted { left, right in
      let order = Change.allCases
      let (first, second) = (order.firstIndex(of: left.change) ?? 0, order.firstIndex(of: right.change) ?? 0)
      let (most, other) = (max(left.countA, left.countB), max(right.countA, right.countB))
      return (first, other, left.group.id) < (second, most, right.group.id)
    }
  }

  private static func row(_ id: GroupID, _ a: GroupTally, _ b: GroupTally) -> Row? {
    guard let group = b.groups[id] ?? a.groups[id] else { return nil }
    let (countA, countB) = (a.groups[id]?.count ?? 0, b.groups[id]?.count ?? 0)
    let shareA = Double(countA) / Double(max(a.reports, 1))
    let shareB = Double(countB) / Double(max(b.reports, 1))
    return Row(
      change: change(countA, countB, a.reports, b.reports), group: group, countA: countA, countB: countB,
      shareA: shareA, shareB: shareB, sigma: sigma(countA, countB, a.reports, b.reports))
  }

  /// The difference of two shares in standard errors, if they are one in truth (the pooled estimate); 0 where there is
  /// nothing to compare.
  private static func sigma(_ countA: Int, _ countB: Int, _ allA: Int, _ allB: Int) -> Double {
    guard allA > 0, allB > 0 else { return 0 }
    let (nA, nB) = (Double(allA), Double(allB))
    let pooled = Double(countA + countB) / (nA + nB)
    let error = (pooled * (1 - pooled) * (1 / nA + 1 / nB)).squareRoot()
    return error > 0 ? (Double(countB) / nB - Double(countA) / nA) / error : 0
  }

  /// Grown or shrunk is what chance does not do: the share changes by a quarter at least, and the difference of the
  /// shares by twice its standard error.
  private static func change(_ countA: Int, _ countB: Int, _ allA: Int, _ allB: Int) -> Change {
    if countA == 0 { return .new }
    if countB == 0 { return .gone }
    let (nA, nB) = (Double(max(allA, 1)), Double(max(allB, 1)))
    let (shareA, shareB) = (Double(countA) / nA, Double(countB) / nB)
    guard sigma(countA, countB, allA, allB).magnitude > 2 else { return .unchanged }
    if shareB >= shareA * 1.25 { return .grown }
    return shareB <= shareA / 1.25 ? .shrunk : .unchanged
  }
}
