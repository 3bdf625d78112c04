import ArgumentParser
import CommandKit
import MPaaSSupport
import MPaaSTerminal
import MPaaSTransferTools
import MPaaSTrust
import MPaaSTrustTools
import ServingKit

extension RegistryCommand {
  /// `mpaas registry serve`: offers the published files over HTTP.
  struct Serve: StreamingCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("serve", key: "registry.serve") }

    @Option(help: .text("command.registry.serve.listen", valueName: "host:port"))
    var listen = "127.0.0.1:8003"

    @OptionGroup var repository: RepositoryOption
    @OptionGroup var common: CommonOptions

    func run(in context: Context, results: ResultSink) async throws -> ExitStatus {
      let folder = RepositoryFolder(repository.repository)
      guard folder.newestRoot != nil else { throw TrustError(.repositoryMissing, ["path": repository.repository]) }
      return try await context.served {
        HTTPServing(on: listen, .paths(folder.served.answer), to: results) { ServedRegistry(url: $0) }
      }
    }
  }
}

/// The announcement of `mpaas registry serve` when it is ready.
struct ServedRegistry: Presentable {
  let url: String
  let metadata: String
  let targets: String

  init(url: String) {
    self.url = url
    metadata = url + "/metadata/"
    targets = url + "/targets/"
  }

  func document(_ catalogue: Catalogue) -> Document {
    [.line(StyledText(catalogue.text("text.registry-serving", ["metadata": metadata, "targets": targets])))]
  }
}
