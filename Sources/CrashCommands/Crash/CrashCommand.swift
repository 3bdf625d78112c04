import ArgumentParser
import CommandKit

/// `mpaas crash …`: capture crashes, read and symbolicate reports.
struct CrashCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      "crash", key: "crash",
      subcommands: [
        CrashRunCommand.self, CrashAttachCommand.self, CrashCoreCommand.self, CrashListCommand.self,
        CrashShowCommand.self, CrashSymbolicateCommand.self, CrashConvertCommand.self, CrashGroupCommand.self,
        CrashDiffCommand.self, CrashUploadCommand.self, CrashWatchCommand.self,
      ])
  }
}
