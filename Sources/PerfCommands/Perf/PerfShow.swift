import ArgumentParser
import CommandKit
import MPaaSProfile
import MPaaSSupport
import MPaaSTerminal

extension PerfCommand {
  /// `mpaas perf show FILE`: where the time went, as a tree.
  struct Show: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("show", key: "perf.show") }

    @Argument(help: .text("command.perf.file", valueName: "file"), completion: .file())
    var file: String

    @Flag(name: .long, help: .text("command.perf.show.bottom-up"))
    var bottomUp = false

    @Flag(name: .long, help: .text("command.perf.show.by-thread"))
    var byThread = false

    @Option(name: .long, help: .text("command.perf.show.least", valueName: "percent"))
    var least = 1.0

    @Option(name: .long, help: .text("command.perf.show.depth", valueName: "levels"))
    var depth: Int?

    @Option(name: .long, help: .text("command.perf.show.top", valueName: "count"))
    var top = 10

    @OptionGroup var profile: ProfileOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
      guard (0...100).contains(least) else { throw ValidationError(Catalogue.current.text("text.perf-least-range")) }
      guard depth.map({ $0 > 0 }) ?? true, top >= 0 else {
        throw ValidationError(Catalogue.current.text("text.perf-depth-range"))
      }
    }

    func run(in context: Context) async throws -> ProfileView {
      let profile = try profile.reading(file)
      // What calls a function is seldom far away, and a tree from the bottom up is as large as all stacks together.
      let levels = depth ?? (bottomUp ? 16 : .max)
      let tree = CallTree(profile, bottomUp ? .bottomUp : .topDown, byThread: byThread, depth: levels)
      return ProfileView(
        tree, least: least / 100, depth: levels, top: top, isBottomUp: bottomUp,
        width: context.terminal.output.width())
    }
  }
}
