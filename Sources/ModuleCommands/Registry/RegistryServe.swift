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
      let (files, changing) = (folder.served, "metadata/timestamp.json")
      throw try context.handOver(
        RegistryServing(
          listen: listen, root: files.root, folders: files.folders, cacheTime: files.cacheTime(""),
          cacheTimes: [changing: files.cacheTime(changing)]))
    }
  }
}
