import ArgumentParser
import MPaaSSupport
import MPaaSTerminal
import MPaaSTransfer
import MPaaSTrust

extension RegistryCommand {
  /// `mpaas registry serve`: offers the published files over HTTP.
  struct Serve: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("serve", key: "registry.serve") }

    @Option(help: .text("command.registry.serve.listen", valueName: "host:port"))
    var listen = "127.0.0.1:8003"

    @OptionGroup var repository: RepositoryOption
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> Nothing {
      let folder = RepositoryFolder(repository.repository)
      guard folder.newestRoot != nil else { throw TrustError(.repositoryMissing, ["path": repository.repository]) }
      let terminal = context.terminal
      let server = try HTTPServer(
        listen: listen,
        noteRequest: { method, path, status in
          // A path is a stranger's text: what a terminal would obey is left out.
          let text = String(path.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7f ? "?" : Character($0) })
          terminal.detail(StyledText("\(method) \(text) \(status)", .faint))
        }, handler: folder.served.answer)
      // Before anybody can know that it is ready to be ended.
      let end = EndRequest()
      try terminal.print(ServedRegistry(url: server.url))
      withExtendedLifetime(server) { end.wait() }
      return Nothing()
    }
  }
}

/// What `mpaas registry serve` says when it is ready.
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
