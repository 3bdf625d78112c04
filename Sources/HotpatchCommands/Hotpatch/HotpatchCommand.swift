import ArgumentParser
import CommandKit

/// `mpaas hotpatch …`: Lua hotpatches, from a fix to the phones.
struct HotpatchCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      "hotpatch", key: "hotpatch",
      subcommands: [
        HotpatchLintCommand.self,
        HotpatchBuildCommand.self,
        HotpatchInspectCommand.self,
        HotpatchVerifyCommand.self,
        HotpatchUnpackCommand.self,
        HotpatchDiffCommand.self,
        Run.self,
        Test.self,
        Publish.self,
        RolloutCommand.self,
        Status.self,
        Watch.self,
        SignTotals.self,
        Halt.self,
        Rollback.self,
        History.self,
        HarnessChild.self,
      ])
  }
}
