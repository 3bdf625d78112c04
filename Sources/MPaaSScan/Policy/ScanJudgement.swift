package import MPaaSSupport
import MPaaSSymbols

/// The findings of a report by a policy and a baseline: those that count, those that are allowed, and those that were
/// there before.
package struct ScanJudgement: Sendable {
  package private(set) var counted: [ScanFinding] = []
  package private(set) var allowed: [(finding: ScanFinding, reason: String)] = []
  package private(set) var known: [ScanFinding] = []
  /// Allowances whose last day is over; what they were for counts again.
  package private(set) var expired: [ScanPolicy.Allowance] = []

  /// - Parameter today: The day that allowances are held against.
  package init(_ report: ScanReport, _ policy: ScanPolicy, baseline: ScanBaseline?, today: CivilDate) {
    let active = policy.allowances.filter { allowance in
      allowance.expires.map { $0.daysSince1970 >= today.daysSince1970 } ?? true
    }
    expired = policy.allowances.filter { allowance in
      allowance.expires.map { $0.daysSince1970 < today.daysSince1970 } ?? false
    }
    for finding in (report.findings + report.missingFacts(policy)).map({ policy.weighed($0) })
      .sorted(by: ScanFinding.precedes)
    {
      if let allowance = active.first(where: { $0.covers(finding) }) {
        allowed.append((finding, allowance.reason))
      } else if baseline?.keys.contains(report.key(of: finding)) == true {
        known.append(finding)
      } else {
        counted.append(finding)
      }
    }
  }

  /// Tells whether a finding counts that is as heavy as `severity`.
  package func fails(on severity: ScanSeverity) -> Bool { counted.contains { $0.severity >= severity } }
}

extension ScanPolicy.Allowance {
  func covers(_ finding: ScanFinding) -> Bool {
    id == finding.id.name && path.map { $0.matches(finding.place.path) } ?? true
      && evidence.map { $0.matches(finding.evidence) } ?? true
  }
}

extension ScanPolicy {
  fileprivate func weighed(_ finding: ScanFinding) -> ScanFinding {
    var finding = finding
    if let severity = severities[finding.id.name] { finding.severity = severity }
    return finding
  }
}

extension ScanReport {
  /// The facts that a policy wants and images do not have.
  fileprivate func missingFacts(_ policy: ScanPolicy) -> [ScanFinding] {
    guard !policy.required.isEmpty else { return [] }
    return images.filter { $0.kind == .executable || $0.kind == .sharedLibrary }.flatMap { (image) -> [ScanFinding] in
      let facts = image.json.object?["facts"]?.object
      return policy.required.compactMap { (name, value) -> ScanFinding? in
        guard let found = facts?[name], found != value else { return nil }
        return ScanFinding(.factMissing, image.place, "\(name) = \(found.line), != \(value.line)")
      }
    }
  }
}
