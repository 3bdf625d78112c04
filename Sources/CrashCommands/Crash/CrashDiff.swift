import ArgumentParser
import CommandKit
import MPaaSCrash
import MPaaSCrashReport
import MPaaSSupport
import MPaaSTerminal

/// `mpaas crash diff A B`: what differs between two reports, or between two sets of them.
struct CrashDiffCommand: MPaaSCommand {
  static var configuration: CommandConfiguration { CommandConfiguration("diff", key: "crash.diff") }

  @Argument(help: .text("command.crash.diff.paths"), completion: .reports)
  var paths: [String]

  @Option(name: .customLong("release-a"), help: .text("command.crash.diff.release-a"))
  var releaseA: String?

  @Option(name: .customLong("release-b"), help: .text("command.crash.diff.release-b"))
  var releaseB: String?

  @Flag(help: .text("command.crash.diff.all"))
  var all = false

  @OptionGroup var grouping: GroupingOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    let releases = [releaseA, releaseB].compactMap { $0 }.count
    guard releases == 2 || releases == 0 && paths.count == 2 else {
      throw ValidationError(Catalogue.current.text("text.diff-usage"))
    }
  }

  func run(in context: Context) async throws -> CrashDifference {
    let paths = try self.paths.map { try context.path(ofReport: $0) }
    let rules = try grouping.rules(for: paths).rules
    if let releaseA, let releaseB {
      let a = try await tally(paths, rules, release: releaseA, in: context)
      let b = try await tally(paths, rules, release: releaseB, in: context)
      return .groups(GroupDiff(a, b), showsAll: all)
    }
    let isSet = paths.map { FileStatus($0)?.kind == .folder || ReportCollection.isArchive($0) }
    if isSet.contains(true) {
      let a = try await grouping.tally([paths[0]], rules, in: context)
      let b = try await grouping.tally([paths[1]], rules, in: context)
      return .groups(GroupDiff(a, b), showsAll: all)
    }
    return .reports(ReportDiff(try ReportFile.read(paths[0]), try ReportFile.read(paths[1]), rules: rules))
  }

  /// The groups of one version's reports.
  ///
  /// - Throws: `release-unknown` where there are none.
  private func tally(
    _ paths: [String], _ rules: GroupingRules, release: String, in context: Context
  ) async throws -> GroupTally {
    let tally = try await grouping.tally(paths, rules, in: context) { report in
      let application = report.application
      return [application.version, application.build, application.versionText].contains(release)
    }
    guard tally.reports == 0 else { return tally }
    let whole = try await grouping.tally(paths, rules, in: context)
    let versions = Set(whole.groups.values.flatMap(\.versions.keys)).sorted().prefix(20).joined(separator: ", ")
    throw Diagnostic("release-unknown", ["version": release, "versions": versions], exit: .inputMissing)
  }
}

/// What `crash diff` found; a negative answer where there are differences.
enum CrashDifference: Presentable {
  case reports(ReportDiff)
  case groups(GroupDiff, showsAll: Bool)

  private var isSame: Bool {
    switch self {
    case .reports(let diff): diff.isSame
    case .groups(let diff, _): diff.isSame
    }
  }

  var exit: ExitStatus { isSame ? .done : .negative }

  func encode(to encoder: any Encoder) throws {
    var object: JSONValue.Object =
      switch self {
      case .reports(let diff): Self.json(diff)
      case .groups(let diff, let showsAll): Self.json(diff, showsAll)
      }
    object["same"] = .bool(isSame)
    try JSONValue.object(object).encode(to: encoder)
  }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    switch self {
    case .reports(let diff): Self.describe(diff, catalogue, &document)
    case .groups(let diff, let showsAll): Self.describe(diff, showsAll, catalogue, &document)
    }
    if isSame { document.line(StyledText(catalogue.text("text.diff-same"), .good)) }
    return document
  }
}
