import ArgumentParser
import CommandKit
import MPaaSSupport
import MPaaSTerminal
import ServingKit

extension SymbolsCommand {
  /// `mpaas symbols serve`: offers the store to debuggers over debuginfod's protocol.
  struct Serve: StreamingCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("serve", key: "symbols.serve") }

    @Option(help: .text("command.symbols.serve.listen", valueName: "host:port"))
    var listen = "127.0.0.1:8002"

    @Option(help: .text("command.symbols.serve.symbols", valueName: "path"), completion: .file())
    var symbols: [String] = []

    @Option(
      name: .customLong("source-root"), help: .text("command.symbols.serve.source-root", valueName: "folder"),
      completion: .directory)
    var sourceRoots: [String] = []

    @OptionGroup var common: CommonOptions

    func run(in context: Context, results: ResultSink) async throws -> ExitStatus {
      for path in symbols + sourceRoots where FileStatus(path) == nil {
        throw FileError(.open, path, .noSuchFileOrDirectory)
      }
      throw try context.handOver(SymbolsServing(listen: listen, paths: symbols, sourceRoots: sourceRoots))
    }
  }
}
