import ArgumentParser
import CommandKit

/// `mpaas rpc …`: calls to servers.
struct RPCCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration("rpc", key: "rpc", subcommands: [Call.self, Sign.self, Verify.self, Stats.self])
  }
}
