import ArgumentParser
import CommandKit
import MPaaSScan
import MPaaSSupport
import MPaaSTerminal

extension ScanCommand {
  /// `mpaas scan sbom PATH…`: the parts of an app, for other tools.
  struct Materials: StreamingCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("sbom", key: "scan.sbom") }

    @Argument(help: .text("command.scan.paths"), completion: .file())
    var paths: [String]

    @Option(help: .text("command.scan.sbom.format"))
    var format: BillOfMaterials.Form = .cyclonedx

    @Option(name: [.short, .long], help: .text("command.scan.output"), completion: .file())
    var output: String?

    @OptionGroup var modules: ScanModuleOptions

    @OptionGroup var common: CommonOptions

    func run(in context: Context, results: ResultSink) async throws -> ExitStatus {
      var scan = Scan()
      scan.hashesFiles = true
      scan.modules = try modules.known(in: context)
      let report = try scan.report(of: paths)
      let bill = BillOfMaterials(report, ScanTool(version: KitVersion.current.version, time: context.second))
      let view = MaterialsView(parts: report.components, json: bill.document(format))
      let isDocument = output != nil || context.terminal.settings.isJSON
      try context.put(view, text: isDocument ? view.json.line + "\n" : nil, to: output, results)
      return .done
    }
  }
}

extension BillOfMaterials.Form: ExpressibleByArgument {}

/// The parts of an app in a table; the document itself with `--json`.
private struct MaterialsView: Presentable {
  let parts: [ScanComponent]
  let json: JSONValue

  func encode(to encoder: any Encoder) throws {
    try json.encode(to: encoder)
  }

  func document(_ catalogue: Catalogue) -> Document {
    guard !parts.isEmpty else { return [.line(StyledText(catalogue.text("text.scan-no-parts"), .faint))] }
    let headings = ["name", "version", "kind", "path"].map { Table.Column(catalogue.text("text.scan-\($0)")) }
    return [
      .table(
        Table(
          columns: headings,
          rows: parts.map { part in
            [
              StyledText(part.name, .emphasis), StyledText(part.version ?? "-"), StyledText(part.kind.rawValue),
              StyledText(part.path, .path),
            ]
          }))
    ]
  }
}
