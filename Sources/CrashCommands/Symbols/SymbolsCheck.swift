import ArgumentParser
import CommandKit
import MPaaSCrash
import MPaaSSupport
import MPaaSSymbols
import MPaaSTerminal

extension SymbolsCommand {
  /// `mpaas symbols check REPORT…`: which symbols reports lack, and how to add them.
  struct Check: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("check", key: "symbols.check") }

    @Argument(help: .text("command.symbols.check.reports"), completion: .reports)
    var reports: [String]

    @Option(
      name: .long, parsing: .upToNextOption, help: .text("command.crash.symbolicate.symbols"), completion: .file())
    var symbols: [String] = []

    @OptionGroup var servers: SymbolServerOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> MissingList {
      let inputs = try ReportInputs(reports, in: context)
      let search = try servers.search(paths: symbols, in: context)
      let symbolicator = ReportSymbolicator.live(search).remembering()
      var summary = MissingSummary()
      try inputs.forEach(in: context, search: search) { _, read in
        summary.add(symbolicator.symbolicate(read.report).missing)
      }
      return MissingList(summary)
    }
  }
}

/// The images that reports lack symbols for; a negative answer where there are any.
struct MissingList: Presentable {
  private let summary: MissingSummary

  init(_ summary: MissingSummary) {
    self.summary = summary
  }

  var exit: ExitStatus { summary.entries.isEmpty ? .done : .negative }

  func encode(to encoder: any Encoder) throws {
    let missing = summary.entries.map { entry -> JSONValue in
      guard case .object(var object) = ReportView.json(entry.missing) else { return .null }
      object["reports"] = JSONValue(entry.reports)
      return .object(object)
    }
    try JSONValue.object(["reports": JSONValue(summary.reports), "missing": .array(missing)]).encode(to: encoder)
  }

  func document(_ catalogue: Catalogue) -> Document {
    let entries = summary.entries
    guard !entries.isEmpty else {
      return [
        .line(StyledText(catalogue.text("text.symbols-check-complete", ["reports": "\(summary.reports)"]), .good))
      ]
    }
    var document = Document()
    for entry in entries {
      for line in ReportView.lines([entry.missing], catalogue) { document.line(line) }
      let counts = ["frames": "\(entry.missing.frames)", "reports": "\(entry.reports)"]
      document.line("  " + StyledText(catalogue.text("text.symbols-check-counts", counts), .faint))
    }
    document.line(
      StyledText(
        catalogue.text("text.symbols-check-missing", ["count": "\(entries.count)", "reports": "\(summary.reports)"]),
        .emphasis))
    return document
  }
}
