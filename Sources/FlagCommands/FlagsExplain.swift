import ArgumentParser
import CommandKit
import MPaaSFlags
import MPaaSSupport
import MPaaSTerminal

extension FlagsCommand {
  /// `mpaas flags explain NAME`: what decides whether a flag is on.
  struct Explain: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("explain", key: "flags.explain") }

    @OptionGroup var file: FlagStateOption

    @Argument(help: .text("command.flags.name"))
    var name: String

    @Option(help: .text("command.flags.explain.context", valueName: "json"))
    var context = "{}"

    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> FlagExplanationView {
      let state = try context.flagState(at: file.state)
      let explanation = FlagExplainer(state).explain(name, for: try flagContext())
      guard explanation.decision != .noSuchFlag else { throw FlagError.absent(name, in: state) }
      return FlagExplanationView(explanation)
    }

    private func flagContext() throws(FlagError) -> FlagContext {
      guard let value = try? Array(context.utf8).withUnsafeBytes({ try JSONValue(reading: $0) }) else {
        throw FlagError(.context, ["member": "--context"])
      }
      return try FlagContext(json: value)
    }
  }
}
