import ArgumentParser

/// `mpaas hotpatch …`: Lua hotpatches, from a fix to the phones.
struct HotpatchCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration("hotpatch", key: "hotpatch", subcommands: [HotpatchLintCommand.self])
  }
}
