import ArgumentParser

/// `mpaas hotpatch …`: Lua hotpatches, from a fix to the phones.
struct HotpatchCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      "hotpatch", key: "hotpatch",
      subcommands: [
        RolloutCommand.self,
        Status.self,
        Halt.self,
        Rollback.self,
        History.self,
      ])
  }
}
