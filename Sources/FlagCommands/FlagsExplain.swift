import ArgumentParser
import CommandKit
import MPaaSFlagPublishing
import MPaaSFlags
import MPaaSSupport
import MPaaSTerminal

extension FlagsCommand {
  /// `mpaas flags explain NAME`: what decides whether a flag is on.
  struct Explain: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("explain", key: "flags.explain") }

    @OptionGroup var source: FlagSourceOptions

    @Argument(help: .text("command.flags.name"), completion: .flagNames)
    var name: String

    @Option(help: .text("command.flags.explain.context", valueName: "json"))
    var context = "{}"

    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> FlagExplanationView {
      let state = try await source.state(in: context)
      let explanation = FlagExplainer(state).explain(name, for: try flagContext())
      guard explanation.decision != .noSuchFlag else { throw FlagError.absent(name, in: state) }
      return FlagExplanationView(explanation)
    }

    private func flagContext() throws -> FlagContext {
      do {
        return try FlagContext(json: Array(context.utf8).withUnsafeBytes { try JSONValue(reading: $0) })
      } catch let error as JSONError {
        throw Diagnostic(
          "flags-context-json", ["reason": error.code.rawValue, "column": "\(error.column)"], exit: .malformedInput)
      }
    }
  }
}
