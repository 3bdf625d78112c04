import ArgumentParser
import CommandKit
import MPaaSSupport
import MPaaSTerminal
import NetworkServingKit

extension NetCommand {
  /// `mpaas net serve`: the proxies and their HTTP API.
  struct Serve: StreamingCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("serve", key: "net.serve") }

    @Option(name: [.short, .long], help: .text("command.net.serve.config", valueName: "file"), completion: .file())
    var config: String?

    @OptionGroup var api: NetAPIOptions

    @Flag(help: .text("command.net.serve.remote"))
    var remote = false

    @Option(help: .text("command.net.serve.allow-host", valueName: "name"))
    var allowHost: [String] = []

    @Flag(help: .text("command.net.serve.restore"))
    var restore = false

    @Flag(help: .text("command.net.serve.fresh"))
    var fresh = false

    @Option(help: .text("command.net.serve.journal", valueName: "file"), completion: .file())
    var journal: String?

    @OptionGroup var common: CommonOptions

    func run(in context: Context, results: ResultSink) async throws -> ExitStatus {
      guard !(restore && fresh) else { throw Diagnostic("net-serve-both", exit: .usage) }
      throw try context.handOver(
        NetworkServing(
          address: api.address(in: context), isPublic: remote, hosts: Set(allowHost.map { $0.lowercased() }),
          configuration: config, restoration: restore ? .always : fresh ? .never : .afterKill, journal: journal,
          version: KitVersion.current.version))
    }
  }
}
