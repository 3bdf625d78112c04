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

    @Option(help: .text("command.symbols.lookup.uuid"))
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
      let object = try await context.timed("open") { try open(in: context) }
      if object.status != .complete {
        context.terminal.warning(
          Diagnostic("symbols-no-debug-info", ["file": object.path], at: .file(object.path), exit: .done))
      }
      if let objects = object.objects, !objects.changed.isEmpty {
        context.terminal.warning(
          Diagnostic(
            "symbols-objects-changed",
            ["file": object.path, "count": String(objects.changed.count), "total": String(objects.total)],
            at: .file(object.path), exit: .done))
      }
      let chosen = format ?? (context.terminal.settings.isJSON ? .json : .pretty)
      var writer = FrameWriter(
        format: chosen, demangler: Demangler(mode: noDemangle ? .none : simplified ? .simplified : .full),
        addressSize: object.addressSize)
      if addresses.isEmpty {
        try answerStandardInput(object.lookup, &writer, to: results, context)
      } else {
        for text in addresses {
          guard let address = AddressText.parse(text) else {
            throw Diagnostic("address-malformed", ["address": text], exit: .usage)
          }
          try writer.add(address, object.lookup)
        }
        writer.flush { results.put(bytes: $0) }
      }
      return .done
    }

    private func open(in context: Context) throws -> OpenedObject {
      var search = try servers.search(paths: symbols, in: context)
      search.indexes?.policy = index.map { $0 ? .always : .never } ?? .automatic
      let objects = ObjectLookup(search: search)
      switch (object, uuid) {
      case (let path?, nil): return try objects.open(path, architecture: arch)
      case (nil, let uuid?):
        guard let id = BuildID(hex: uuid) else {
          throw Diagnostic("symbols-uuid-malformed", ["uuid": uuid], exit: .usage)
        }
        return try objects.open(build: id)
      default: throw Diagnostic("lookup-object-or-uuid", exit: .usage)
      }
    }

    /// Answers a line of standard input with a line or a block of standard output, as the lines come.
    private func answerStandardInput(
      _ lookup: any FrameLookup, _ writer: inout FrameWriter, to results: ResultSink, _ context: Context
    ) throws {
      var lines = InputLines()
      let write = { (bytes: UnsafeRawBufferPointer) in results.put(bytes: bytes) }
      while try lines.next({ number, line in
        if let address = AddressText.parse(line) {
          try writer.add(address, lookup)
          if writer.isFull { writer.flush(write) }
        } else if !line.allSatisfy({ $0 <= UInt8(ascii: " ") }) {
          writer.flush(write)
          throw Diagnostic(
            "address-malformed", ["address": String(utf8: UnsafeRawBufferPointer(rebasing: line.prefix(80)))],
            at: .text(file: context.catalogue.text("text.standard-input"), line: number, column: nil),
            exit: .malformedInput)
        }
      }) {
        // Who waits for an answer before asking again gets it.
        writer.flush(write)
      }
    }
  }
}

/// The formats of look-ups.
enum LookupFormat: String, ExpressibleByArgument, CaseIterable {
  case addr2line, pretty, json
}
