/// The weight of a finding.
package enum ScanSeverity: String, Sendable, Hashable, CaseIterable, Comparable {
  /// A fact worth knowing, which is no fault.
  case info
  case low, medium, high, critical

  package static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
