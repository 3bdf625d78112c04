import Foundation
import MPaaSCrashReport
import MPaaSSupport
import MPaaSTestSupport
import Synchronization
import Testing

@testable import MPaaSCrash

@Suite("A comparison of reports") struct ReportComparisonTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static func report(version: String, build: String) -> CrashReport {
    var report = SampleReport.orderBook
    report.application.version = version
    report.application.build = build
    return report
  }

  /// Counts these reports wherever they are said to lie.
  private func comparer(_ reports: CrashReport..., paths: @escaping ([String]) -> Void = { _ in }) -> ReportComparer {
    ReportComparer(rules: GroupingRules()) { asked, isWanted in
      paths(asked)
      var tally = GroupTally()
      var classifier = FrameClassifier()
      for report in reports where isWanted?(report) ?? true {
        tally.add(Fingerprint(report, &classifier), report, name: "a.ips")
      }
      return tally
    } read: { _ in
      SampleReport.orderBook
    }
  }

  private func counts(_ comparison: ReportComparison) -> [Int]? {
    guard case .groups(let diff) = comparison else { return nil }
    return [diff.a.reports, diff.b.reports]
  }

  @Test("of two files is one of reports")
  func files() async throws {
    let comparison = try await comparer().compare(folder.path + "/a.ips", folder.path + "/b.ips")
    guard case .reports(let diff) = comparison else {
      Issue.record("groups were compared")
      return
    }
    #expect(diff.isSame)
    #expect(comparison.isSame)
  }

  @Test("with a folder is one of groups, a side for each path", arguments: [true, false])
  func sets(isFirst: Bool) async throws {
    let pair = isFirst ? [folder.path, "/x/a.ips"] : ["/x/a.ips", folder.path]
    let asked = Mutex<[[String]]>([])
    let comparer = comparer(SampleReport.orderBook) { paths in asked.withLock { $0.append(paths) } }
    #expect(counts(try await comparer.compare(pair[0], pair[1])) == [1, 1])
    #expect(asked.withLock { $0 } == pair.map { [$0] })
  }

  @Test(
    "of releases takes those of a version, a build, or both",
    arguments: [("1.0", "2.0", [2, 1]), ("7", "9", [1, 1]), ("1.0 (7)", "8", [1, 1])])
  func releases(a: String, b: String, expected: [Int]) async throws {
    let comparer = comparer(
      Self.report(version: "1.0", build: "7"), Self.report(version: "1.0", build: "8"),
      Self.report(version: "2.0", build: "9"))
    #expect(counts(try await comparer.compare(releases: a, b, in: ["x"])) == expected)
  }

  @Test("of a release that has no report names those that have one", arguments: [("3.0", "1.0"), ("1.0", "3.0")])
  func unknown(a: String, b: String) async throws {
    let comparer = comparer(Self.report(version: "2.0", build: "9"), Self.report(version: "1.0", build: "7"))
    let values = ["version": "3.0", "versions": "1.0 (7), 2.0 (9)"]
    await #expect(throws: Diagnostic("release-unknown", values, exit: .inputMissing)) {
      try await comparer.compare(releases: a, b, in: ["x"])
    }
  }
}
