import ArgumentParser
import CommandKit
import CrashCommands
import MPaaSCrash
import MPaaSCrashReport
import MPaaSSampling
import MPaaSTerminal

/// The options that say where the symbols of sampled stacks come from.
struct SampleSymbolOptions: ParsableArguments {
  @Flag(name: .customLong("no-symbolicate"), help: .text("command.perf.record.no-symbolicate"))
  var leavesSymbols = false

  @Option(name: .long, help: .text("command.perf.record.symbols"), completion: .file())
  var symbols: [String] = []

  /// A recording whose stacks have functions and lines, as far as they are found.
  func symbolicated(_ recording: Recording, in context: Context) async -> Recording {
    guard !leavesSymbols else { return recording }
    let search = context.debugFileSearch(symbols)
    return await context.timed("symbolicate \(recording.stacks.count) stacks") {
      var named = recording
      let symbolicator = ReportSymbolicator.live(search).remembering()
      for index in named.spaces.indices where !named.spaces[index].threads.isEmpty {
        named.spaces[index] = symbolicator.symbolicate(named.spaces[index]).report
      }
      return named
    }
  }
}
