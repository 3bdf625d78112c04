import ArgumentParser
package import CommandKit
import LogCommands
package import MPaaSCrash
package import MPaaSCrashReport
import MPaaSSupport
import MPaaSSymbols
import MPaaSTerminal

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `mpaas crash group DIR…`: reports by the crash that they are of.
struct CrashGroupCommand: MPaaSCommand {
  enum Order: String, CaseIterable, ExpressibleByArgument {
    case count, last, new
  }

  static var configuration: CommandConfiguration { CommandConfiguration("group", key: "crash.group") }

  @Argument(help: .text("command.crash.group.paths"), completion: .file())
  var paths: [String] = []

  @OptionGroup var grouping: GroupingOptions

  @Option(help: .text("command.crash.group.sort"))
  var sort = Order.count

  @Option(help: .text("command.crash.group.limit", valueName: "n"))
  var limit: Int?

  @Option(parsing: .upToNextOption, help: .text("command.crash.group.only", valueName: "group"))
  var only: [String] = []

  @Flag(help: .text("command.crash.group.explain"))
  var explain = false

  @Option(parsing: .upToNextOption, help: .text("command.crash.group.merge", valueName: "group"))
  var merge: [String] = []

  @Option(help: .text("command.crash.group.split", valueName: "group"))
  var split: String?

  @Option(parsing: .upToNextOption, help: .text("command.crash.group.by"))
  var by: [String] = []

  @OptionGroup var common: CommonOptions

  func validate() throws {
    if let limit, limit < 0 { throw ValidationError(Catalogue.current.text("text.group-limit")) }
    if merge.count == 1 || (split == nil) != by.isEmpty {
      throw ValidationError(Catalogue.current.text("text.group-edit"))
    }
  }

  func run(in context: Context) async throws -> CrashGroups {
    let paths = self.paths.isEmpty ? [context.directories.crashes] : self.paths
    let grouped = try await GroupingEdit(merged: merge, split: split, by: by).run(grouping.rules(for: paths)) {
      try await grouping.tally(paths, $0, in: context)
    }
    let tally = grouped.tally
    for problem in tally.problems { context.terminal.warning(problem.diagnostic) }
    if tally.problemCount > 0 {
      context.terminal.warning(
        Diagnostic("reports-unreadable", ["count": "\(tally.problemCount)"], exit: .done))
    }
    let wanted = try Set(only.map { try tally.group($0) })
    return try CrashGroups(
      tally, order: sort, limit: limit, only: wanted, rules: grouped.rules,
      explains: explain || !wanted.isEmpty, written: grouped.isEdited ? grouped.rules.path : nil)
  }
}

/// The options by which reports are grouped, the same wherever they are.
package struct GroupingOptions: ParsableArguments {
  @Option(name: .customLong("rules"), help: .text("command.crash.group.rules"), completion: .file())
  var rulesFile: String?

  @Option(name: .long, parsing: .upToNextOption, help: .text("command.crash.group.symbols"), completion: .file())
  var symbols: [String] = []

  @Option(help: .text("command.crash.group.since", valueName: "time"))
  var since: String?

  @Option(help: .text("command.crash.group.until", valueName: "time"))
  var until: String?

  package init() {}

  /// The rules in `--rules`, else in `.mpaas-groups` in or beside the first path.
  package func rules(for paths: [String]) throws -> GroupingRulesFile {
    let first = paths.first ?? "."
    let folder = FileStatus(first)?.kind == .folder ? first : FileSystem.folder(of: first)
    return try GroupingRulesFile(path: rulesFile ?? folder + "/.mpaas-groups", mustExist: rulesFile != nil)
  }

  package func tally(
    _ paths: [String], _ rules: GroupingRules, in context: Context,
    isWanted: (@Sendable (CrashReport) -> Bool)? = nil
  ) async throws -> GroupTally {
    let collection = try ReportCollection(paths)
    var run = GroupRun(width: min(ProcessInfo.processInfo.activeProcessorCount, 32))
    run.rules = rules
    run.isWanted = isWanted
    let from = try since.map(context.seconds) ?? .min
    let to = try until.map(context.seconds) ?? .max
    guard from < to else { throw Diagnostic("time-range-empty", exit: .usage) }
    run.period = from..<to
    if !symbols.isEmpty {
      let search = context.debugFileSearch(symbols)
      run.search = search
      run.symbolicator = ReportSymbolicator.live(search).remembering()
    }
    let bar = context.terminal.progress(
      context.catalogue.text("text.group-progress"), total: UInt64(collection.files.count))
    defer { bar.finish() }
    return try await context.timed("group \(collection.files.count) files") {
      try await run.tally(collection) { bar.advance(by: UInt64($0)) }
    }
  }
}
