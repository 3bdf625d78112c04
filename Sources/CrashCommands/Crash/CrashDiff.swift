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
    let comparer = ReportComparer(rules: rules) { paths, isWanted in
      try await grouping.tally(paths, rules, in: context, isWanted: isWanted)
    }
    if let releaseA, let releaseB {
      return CrashDifference(
        found: try await comparer.compare(releases: releaseA, releaseB, in: paths), showsAll: all)
    }
    return CrashDifference(found: try await comparer.compare(paths[0], paths[1]), showsAll: all)
  }
}

/// The findings of `crash diff`; a negative answer where there are differences.
struct CrashDifference: Presentable {
  let found: ReportComparison
  /// Tells whether groups are shown that did not change.
  let showsAll: Bool

  private var isSame: Bool { found.isSame }
  var exit: ExitStatus { isSame ? .done : .negative }

  func encode(to encoder: any Encoder) throws {
    var object: JSONValue.Object =
      switch found {
      case .reports(let diff): Self.json(diff)
      case .groups(let diff): Self.json(diff, showsAll)
      }
    object["same"] = .bool(isSame)
    try JSONValue.object(object).encode(to: encoder)
  }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    switch found {
    case .reports(let diff): Self.describe(diff, catalogue, &document)
    case .groups(let diff): Self.describe(diff, showsAll, catalogue, &document)
    }
    if isSame { document.line(StyledText(catalogue.text("text.diff-same"), .good)) }
    return document
  }
}
