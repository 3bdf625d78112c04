import ArgumentParser
import CommandKit
import MPaaSFlags
import MPaaSSupport

/// `mpaas flags …`: the switches of an app.
struct FlagsCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      "flags", key: "flags",
      subcommands: [List.self, Show.self, Eval.self, Explain.self, Lint.self, Diff.self, Generate.self])
  }
}

/// The file that a command reads flags from.
struct FlagStateOption: ParsableArguments {
  @Option(help: .text("command.flags.state", valueName: "file"), completion: .file(extensions: ["json"]))
  var state: String
}

extension Context {
  /// The state of a file, or of standard input for `-`.
  func flagState(at path: String) throws -> FlagState {
    let data = try data(at: path)
    let name = name(ofData: path)
    return try withExtendedLifetime(data) {
      do throws(FlagError) {
        return try FlagState(json: data.buffer)
      } catch {
        throw error.inFile(name)
      }
    }
  }
}
