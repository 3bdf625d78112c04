import ArgumentParser
import CommandKit
import CrashCommands
import MPaaSCrash
import MPaaSCrashReport
import MPaaSSupport
import MPaaSTerminal

/// `mpaas perf hangs DIR…`: hang reports by the function that they hang in.
struct PerfHangs: MPaaSCommand {
  static var configuration: CommandConfiguration { CommandConfiguration("hangs", key: "perf.hangs") }

  @Argument(help: .text("command.perf.hangs.paths"), completion: .file())
  var paths: [String] = []

  @OptionGroup var grouping: GroupingOptions

  @OptionGroup var common: CommonOptions

  func run(in context: Context) async throws -> HangGroups {
    let paths = self.paths.isEmpty ? [context.directories.crashes] : self.paths
    let rules = try grouping.rules(for: paths)
    let tally = try await grouping.tally(paths, rules.rules, in: context) { $0.kind == .hang }
    for problem in tally.problems { context.terminal.warning(problem.diagnostic) }
    return HangGroups(tally)
  }
}
