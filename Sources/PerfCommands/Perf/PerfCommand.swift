import ArgumentParser
import CommandKit

/// `mpaas perf …`: what an app does with its time and its memory.
struct PerfCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      "perf", key: "perf",
      subcommands: [
        Record.self, Show.self, Flame.self, Diff.self, Convert.self, Watch.self, Startup.self, Heap.self,
        PerfHangs.self, Metrics.self,
      ])
  }
}
