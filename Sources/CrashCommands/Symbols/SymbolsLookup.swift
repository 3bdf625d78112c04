import ArgumentParser
import CommandKit
import MPaaSSupport
import MPaaSSymbols
import MPaaSTerminal

extension SymbolsCommand {
  /// `mpaas symbols lookup`: addresses to functions, files and lines.
  struct Lookup: StreamingCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("lookup", key: "symbols.lookup") }

    @Argument(help: .text("command.symbols.lookup.addresses"))
    var addresses: [String] = []

    @Option(help: .text("command.symbols.lookup.object", valueName: "file"), completion: .file())
    var object: String?

    @Option(help: .text("command.symbols.lookup.arch"))
    var arch: String?

    @Option(help: .text("command.symbols.lookup.uuid"), completion: .buildIDs)
    var uuid: String?

    @Option(help: .text("command.symbols.lookup.symbols", valueName: "path"), completion: .file())
    var symbols: [String] = []

    @Option(help: .text("command.symbols.lookup.format"))
    var format: LookupFormat?

    @Flag(help: .text("command.symbols.lookup.no-demangle"))
    var noDemangle = false

    @Flag(help: .text("command.symbols.lookup.simplified"))
    var simplified = false

    @Flag(inversion: .prefixedNo, help: .text("command.symbols.lookup.index"))
    var index: Bool?

    @OptionGroup var servers: SymbolServerOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context, results: ResultSink) async throws -> ExitStatus {
      var search = try servers.search(paths: symbols, in: context)
      search.indexes?.policy = index.map { $0 ? .always : .never } ?? .automatic
      let objects = ObjectLookup(search: search)
      let opened = try await context.timed("open") { try objects.open(object, build: uuid, architecture: arch) }
      for warning in opened.warnings { context.terminal.warning(warning) }
      let chosen = format ?? (context.terminal.settings.isJSON ? .json : .pretty)
      let demangler = Demangler(mode: noDemangle ? .none : simplified ? .simplified : .full)
      var answers = LookupAnswers(from: opened, chosen, demangler) { results.put(bytes: $0) }
      guard addresses.isEmpty else {
        try answers.answer(addresses)
        return .done
      }
      var lines = InputLines()
      try answers.answer({ try lines.next($0) }, named: context.catalogue.text("text.standard-input"))
      return .done
    }
  }
}

extension LookupFormat: ExpressibleByArgument {}
