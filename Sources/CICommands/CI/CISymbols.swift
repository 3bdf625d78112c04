import ArgumentParser
import CommandKit
import MPaaSPipelines
import MPaaSSupport
import MPaaSSymbols
import MPaaSTerminal
import MPaaSTransfer

/// `mpaas ci symbols PATH`: keeps or uploads the debug symbols of a build, and tells the images that lack them.
struct CISymbolsCommand: MPaaSCommand {
  static var configuration: CommandConfiguration { CommandConfiguration("symbols", key: "ci.symbols") }

  @Argument(help: .text("command.ci.symbols.path"), completion: .file())
  var path: String

  @Option(help: .text("command.ci.symbols.upload", valueName: "[layout+]url"))
  var upload: String?

  @Option(help: .text("command.ci.symbols.token-file", valueName: "file"), completion: .file())
  var tokenFile: String?

  @Flag(help: .text("command.ci.symbols.allow-missing"))
  var allowMissing = false

  @OptionGroup var common: CommonOptions

  func run(in context: Context) async throws -> SymbolsOfBuild {
    let server = try server(context.environment)
    let token = try tokenFile.map { try TokenFile.read($0, in: context) } ?? context.environment.variable("MPAAS_TOKEN")
    let store = SymbolStore(context.directories.symbols)
    let build = try await context.timed("scan \(path)") { try BuildSymbols(of: path, in: store) }
    let added = build.add(to: store)
    for problem in added.problems { context.terminal.warning(problem.diagnostic) }
    var sent: [SymbolUpload.Sent]?
    if let server {
      let client = HTTPClient.live(userAgent: "mpaas/\(KitVersion.current.version)")
      let upload = SymbolUpload(to: server, token: token, client: client)
      sent = try await context.timed("upload") { try await upload.send(added.files.map(\.stored), from: store) }
    }
    return SymbolsOfBuild(build, added, sent, allowsMissing: allowMissing)
  }

  /// The server of `--upload`, else of `MPAAS_SYMBOL_UPLOAD`; nil where neither names one.
  private func server(_ environment: [String: String]) throws -> SymbolServer? {
    guard let text = upload ?? environment.variable("MPAAS_SYMBOL_UPLOAD") else { return nil }
    return try SymbolServer(text, layout: .unified)
  }
}
