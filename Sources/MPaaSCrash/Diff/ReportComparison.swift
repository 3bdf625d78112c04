package import MPaaSCrashReport
import MPaaSSupport

/// Differences of two reports, or of the groups of two sets of them.
package enum ReportComparison: Sendable {
  case reports(ReportDiff)
  case groups(GroupDiff)

  package var isSame: Bool {
    switch self {
    case .reports(let diff): diff.isSame
    case .groups(let diff): diff.isSame
    }
  }
}

/// A comparison of reports: its rules, and its parts that read and group files.
package struct ReportComparer {
  package typealias Filter = @Sendable (CrashReport) -> Bool

  private let rules: GroupingRules
  private let count: (_ paths: [String], _ isWanted: Filter?) async throws -> GroupTally
  private let read: (_ path: String) throws -> CrashReport

  /// - Parameters:
  ///   - count: Groups those reports of files and folders that are wanted.
  ///   - read: Reads the one report of a file.
  package init(
    rules: GroupingRules, count: @escaping (_ paths: [String], _ isWanted: Filter?) async throws -> GroupTally,
    read: @escaping (_ path: String) throws -> CrashReport = { try ReportFile.read($0) }
  ) {
    self.rules = rules
    self.count = count
    self.read = read
  }

  /// Compares two paths: as sets where one is a folder or an archive, else report with report.
  package func compare(_ a: String, _ b: String) async throws -> ReportComparison {
    let areSets = [a, b].contains { FileStatus($0)?.kind == .folder || ReportCollection.isArchive($0) }
    guard areSets else { return .reports(ReportDiff(try read(a), try read(b), rules: rules)) }
    let first = try await count([a], nil)
    return .groups(GroupDiff(first, try await count([b], nil)))
  }

  /// Compares the reports of two releases of the app.
  ///
  /// - Throws: `release-unknown` where there are none of one of them.
  package func compare(releases a: String, _ b: String, in paths: [String]) async throws -> ReportComparison {
    let first = try await groups(of: a, in: paths)
    return .groups(GroupDiff(first, try await groups(of: b, in: paths)))
  }

  /// The groups of the reports of a release, which is named by its version, its build, or both.
  private func groups(of release: String, in paths: [String]) async throws -> GroupTally {
    let tally = try await count(paths) { report in
      let application = report.application
      return [application.version, application.build, application.versionText].contains(release)
    }
    guard tally.reports == 0 else { return tally }
    let whole = try await count(paths, nil)
    let versions = Set(whole.groups.values.flatMap(\.versions.keys)).sorted().prefix(20).joined(separator: ", ")
    throw Diagnostic("release-unknown", ["version": release, "versions": versions], exit: .inputMissing)
  }
}
