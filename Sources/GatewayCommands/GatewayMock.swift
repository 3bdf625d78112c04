import ArgumentParser
import CommandKit
import MPaaSNetworkConditions
import MPaaSSupport
import MPaaSTerminal
import MockServingKit

extension GatewayCommand {
  /// `mpaas gateway mock`: a gateway to develop against.
  struct Mock: StreamingCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("mock", key: "gateway.mock") }

    @Option(
      name: .customLong("openapi"), help: .text("command.gateway.mock.openapi", valueName: "file"),
      completion: .file(extensions: ["json", "yaml", "yml"]))
    var openAPI: String?

    @Option(help: .text("command.gateway.mock.stubs", valueName: "folder"), completion: .directory)
    var stubs: String?

    @Option(help: .text("command.gateway.mock.pact", valueName: "file"), completion: .file(extensions: ["json"]))
    var pact: String?

    @Option(
      name: .customLong("pact-dir"), help: .text("command.gateway.mock.pact-dir", valueName: "folder"),
      completion: .directory)
    var pactFolder: String?

    @Option(help: .text("command.gateway.mock.har", valueName: "file"), completion: .file(extensions: ["har", "json"]))
    var har: String?

    // Two words behind one option: the kind, and the file.
    @Option(
      name: .customLong("import"), parsing: .upToNextOption,
      help: .text("command.gateway.mock.import", valueName: "kind file"), completion: .file())
    var imports: [String] = []

    @Option(help: .text("command.gateway.mock.listen", valueName: "host:port"))
    var listen = "127.0.0.1:0"

    @Flag(help: .text("command.gateway.mock.errors"))
    var errors = false

    @Flag(help: .text("command.gateway.mock.dynamic"))
    var dynamic = false

    @Flag(name: .customLong("no-cors"), help: .text("command.gateway.mock.no-cors"))
    var noCORS = false

    @Flag(help: .text("command.gateway.mock.tls"))
    var tls = false

    @Option(help: .text("command.gateway.mock.ca", valueName: "file"), completion: .file())
    var ca: String?

    @Option(help: .text("command.gateway.mock.record", valueName: "url"))
    var record: String?

    @Option(help: .text("command.gateway.mock.proxy", valueName: "url"))
    var proxy: String?

    // Two words behind one option, as with --import.
    @Option(
      name: .customLong("sign-key"), parsing: .upToNextOption,
      help: .text("command.gateway.mock.sign-key", valueName: "algorithm file"), completion: .file())
    var signingKeys: [String] = []

    @Option(name: .customLong("ts-window"), help: .text("command.gateway.mock.ts-window", valueName: "seconds"))
    var window: Int?

    @Option(
      help: .text("command.gateway.mock.profile", valueName: "profile"),
      completion: .list(ProfileCatalogue.builtIn.profiles.map(\.name)))
    var profile: String?

    @Option(help: .text("command.gateway.mock.seed", valueName: "number"))
    var seed: UInt64?

    @Flag(help: .text("command.gateway.mock.remote"))
    var remote = false

    @Option(help: .text("command.gateway.mock.allow-host", valueName: "name"))
    var allowHost: [String] = []

    @OptionGroup var common: CommonOptions

    func run(in context: Context, results: ResultSink) async throws -> ExitStatus {
      try check()
      var work = MockServing(listen: listen, version: KitVersion.current.version)
      work.isPublic = remote
      work.hosts = Set(allowHost.map { $0.lowercased() })
      (work.openAPI, work.stubs, work.pact, work.har) = (openAPI, stubs, pact, har)
      work.imports = try importedFiles()
      (work.hasErrors, work.isDynamic, work.allowsOrigins) = (errors, dynamic, !noCORS)
      (work.isSecure, work.authority) = (tls, ca)
      (work.recorded, work.proxied) = (record, proxy)
      (work.profile, work.seed) = (profile, seed)
      (work.pactFolder, work.window) = (pactFolder, window)
      work.signingKeys = try keys()
      throw try context.handOver(work)
    }

    /// Refuses options that do not go together.
    private func check() throws {
      for url in [record, proxy].compactMap({ $0 }) where !url.hasPrefix("http://") && !url.hasPrefix("https://") {
        throw Diagnostic("mock-record-url", ["url": url], exit: .usage)
      }
      func needs(_ option: String, _ other: String) -> Diagnostic {
        Diagnostic("mock-option-alone", ["option": option, "other": other], exit: .usage)
      }
      if pactFolder != nil, pact == nil { throw needs("--pact-dir", "--pact") }
      if proxy != nil, openAPI == nil { throw needs("--proxy", "--openapi") }
      if proxy != nil, record != nil { throw Diagnostic("mock-proxy-record", exit: .usage) }
      if let window, !(0...Self.longestWindow).contains(window) {
        throw Diagnostic("mock-ts-window", ["most": "\(Self.longestWindow)"], exit: .usage)
      }
    }

    /// Seconds of a year.
    private static let longestWindow = 31_536_000

    private func keys() throws -> [MockServing.SigningKey] {
      var words = signingKeys[...]
      var keys: [MockServing.SigningKey] = []
      while let word = words.popFirst() {
        guard let file = words.popFirst() else {
          throw Diagnostic("mock-sign-key", ["word": word], exit: .usage)
        }
        keys.append(MockServing.SigningKey(word, file))
      }
      return keys
    }

    private func importedFiles() throws -> [MockServing.Import] {
      var words = imports[...]
      var files: [MockServing.Import] = []
      while let word = words.popFirst() {
        guard let kind = MockServing.Import.Kind(rawValue: word), let file = words.popFirst() else {
          throw Diagnostic("mock-import-kind", ["kind": word], exit: .usage)
        }
        files.append(MockServing.Import(kind, file))
      }
      return files
    }
  }
}
