import ArgumentParser
import CommandKit
package import MPaaSSupport
package import MPaaSTerminal

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
      return try await context.served {
        NetworkServing(
          address: api.address(in: context), isPublic: remote, hosts: Set(allowHost.map { $0.lowercased() }),
          configuration: config, restoration: restore ? .always : fresh ? .never : .afterKill, journal: journal,
          results: results)
      }
    }
  }
}

/// Proxies and their HTTP API, served until the program is asked to end.
package struct NetworkServing: ServedWork {
  package typealias Output = ExitStatus

  /// The times when the state that an earlier server at the address left is brought back.
  package enum Restoration: Sendable {
    case afterKill, always, never
  }

  package let address: String
  /// Tells whether other machines may reach the API.
  package let isPublic: Bool
  /// Names beside addresses and `localhost` that requests may call the server by.
  package let hosts: Set<String>
  /// The file of the configuration.
  package let configuration: String?
  package let restoration: Restoration
  /// The file of the journal.
  package let journal: String?
  /// The sink of the result that says that it serves.
  package let results: ResultSink
}
