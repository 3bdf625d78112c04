import ArgumentParser
import CommandKit
import MPaaSFlags
import MPaaSSupport

/// `mpaas flags …`: the switches of an app.
struct FlagsCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      "flags", key: "flags",
      subcommands: [
        List.self, Show.self, SetFlag.self, Create.self, Delete.self, Import.self, Export.self, Diff.self, History.self,
        Rollback.self, Propose.self, Proposals.self, Approve.self, Withdraw.self, Publish.self, Watch.self, Eval.self,
        Explain.self, Lint.self, Generate.self,
      ])
  }
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
