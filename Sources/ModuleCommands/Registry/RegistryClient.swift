import ArgumentParser
import CommandKit
import MPaaSSupport
import MPaaSTerminal
import MPaaSTransfer
import MPaaSTrust
import MPaaSTrustTools

extension RegistryCommand {
  /// `mpaas registry client … init ROOT|refresh|download`: follows a repository as an app does.
  ///
  /// Its options and its exit status, 0 or 1, are the protocol of the TUF conformance suite (CLIENT-CLI.md).
  struct Client: StreamingCommand {
    enum Action: String, CaseIterable, ExpressibleByArgument {
      case initialize = "init"
      case refresh, download
    }

    static var configuration: CommandConfiguration { CommandConfiguration("client", key: "registry.client") }

    @Option(help: .text("command.registry.client.metadata-dir", valueName: "dir"), completion: .directory)
    var metadataDir: String

    @Option(help: .text("command.registry.client.metadata-url", valueName: "url"))
    var metadataURL: [String] = []

    @Option(help: .text("command.registry.client.target-name", valueName: "name"))
    var targetName: [String] = []

    @Option(help: .text("command.registry.client.target-base-url", valueName: "url"))
    var targetBaseURL: [String] = []

    @Option(help: .text("command.registry.client.target-dir", valueName: "dir"), completion: .directory)
    var targetDir: String?

    @Argument(help: .text("command.registry.client.action"))
    var action: Action

    @Argument(help: .text("command.registry.client.root"), completion: .file())
    var root: String?

    @OptionGroup var common: CommonOptions

    func validate() throws {
      let missing: String? =
        switch action {
        case .initialize: root == nil ? "ROOT" : nil
        case .refresh: metadataURL.isEmpty ? "--metadata-url" : nil
        case .download:
          metadataURL.isEmpty
            ? "--metadata-url"
            : targetName.isEmpty
              ? "--target-name" : targetBaseURL.isEmpty ? "--target-base-url" : targetDir == nil ? "--target-dir" : nil
        }
      if let missing {
        throw ValidationError(
          Catalogue.current.text(
            "text.registry-client-needs", ["action": action.rawValue, "option": missing]))
      }
      // A target named root.json would become what is trusted.
      if let targetDir, let target = FileStatus(targetDir), target.identity == FileStatus(metadataDir)?.identity {
        throw ValidationError(Catalogue.current.text("text.registry-client-folders"))
      }
    }

    func run(in context: Context, results: ResultSink) async throws -> ExitStatus {
      do {
        try act(context)
      } catch let problem as any DiagnosticConvertible {
        let diagnostic = problem.diagnostic
        throw Diagnostic(diagnostic.id, diagnostic.values, at: diagnostic.place, exit: .negative)
      }
      return .done
    }

    private func act(_ context: Context) throws {
      var limits = RepositoryLimits()
      // A user may set the clock as they like, by hand or in a test.
      limits.refusesClockSetBack = false
      let http = HTTPClient.live(userAgent: "mpaas/\(KitVersion.current.version)")
      var client = RepositoryClient(
        metadataFolder: metadataDir,
        fetch: try RepositoryFetch(
          metadata: metadataURL, targets: targetBaseURL, http: http, scratch: metadataDir),
        now: context.now, limits: limits)
      if action == .initialize, let root {
        return try client.initialize(root: try Bytes.reading(root, limit: limits.root + 1).array, anew: true)
      }
      try client.refresh()
      guard action == .download, let targetDir else { return }
      try client.download(targetName, into: targetDir) { target, isNew in
        context.terminal.detail(StyledText("\(target.name): \(target.role)\(isNew ? "" : ", =")", .faint))
      }
    }
  }
}
