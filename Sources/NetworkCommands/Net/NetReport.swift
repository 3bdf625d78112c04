import ArgumentParser
import CommandKit
package import MPaaSNetworkConditions
import MPaaSSupport
package import MPaaSTerminal
import MPaaSToolSupport

extension NetCommand {
  /// `mpaas net report JOURNAL`: what was applied when, and what passed.
  struct Report: StreamingCommand {
    enum Format: String, CaseIterable, ExpressibleByArgument {
      case text, md, html, svg, json
    }

    static var configuration: CommandConfiguration { CommandConfiguration("report", key: "net.report") }

    @Argument(help: .text("command.net.report.journal", valueName: "journal"), completion: .file())
    var journal: String

    @Option(help: .text("command.net.report.format"))
    var format: Format?

    @Option(name: [.short, .long], help: .text("command.net.report.output", valueName: "file"), completion: .file())
    var output: String?

    @OptionGroup var common: CommonOptions

    func run(in context: Context, results: ResultSink) async throws -> ExitStatus {
      let report = NetworkReport(try Journal(try TextFile.reading(journal), file: journal))
      let place = ResultPlace(output)
      let format = format ?? place.file.flatMap(Self.format(ofEnding:)) ?? .text
      let isJSON = context.terminal.settings.isJSON
      if try place.write({ Self.text(of: report, format, context.catalogue).utf8 }) != nil {
        if isJSON { try results.put(NetworkReportView(report: report)) }
      } else if isJSON || format == .text {
        try results.put(NetworkReportView(report: report))
      } else {
        results.put(text: Self.text(of: report, format, context.catalogue))
      }
      return .done
    }

    static func format(ofEnding path: String) -> Format? {
      let ending = path.split(separator: ".").last.map(String.init) ?? ""
      return ["htm": .html, "markdown": .md, "txt": .text][ending] ?? Format(rawValue: ending)
    }

    static func text(of report: NetworkReport, _ format: Format, _ catalogue: Catalogue) -> String {
      let words = NetworkReportView.words(catalogue)
      switch format {
      case .text:
        let lines = NetworkReportView(report: report).document(catalogue).lines(width: nil)
        return lines.map { $0.text + "\n" }.joined()
      case .md: return ReportText(report, language: catalogue.language.rawValue, words: words).markdown
      case .html: return ReportText(report, language: catalogue.language.rawValue, words: words).html
      case .svg: return ReportSVG(report, words: words).text()
      case .json: return JSONValue.object(report.json).line + "\n"
      }
    }
  }
}

extension NetworkReport {
  /// The report in the form that the name of its file asks for; text where it asks for none.
  package func text(forFile path: String, _ catalogue: Catalogue) -> String {
    NetCommand.Report.text(of: self, NetCommand.Report.format(ofEnding: path) ?? .text, catalogue)
  }
}

/// The output of `mpaas net report`.
struct NetworkReportView: Presentable {
  let report: NetworkReport

  func encode(to encoder: any Encoder) throws { try JSONValue.object(report.json).encode(to: encoder) }

  static func words(_ catalogue: Catalogue) -> (String) -> String {
    { catalogue.text("text.net-report-\($0)") }
  }

  func document(_ catalogue: Catalogue) -> Document {
    let text = ReportText(report, language: catalogue.language.rawValue, words: Self.words(catalogue))
    var document = Document()
    document.line(StyledText(catalogue.text("text.net-report-title"), .heading))
    for (name, value) in text.summary { document.line(StyledText("\(name): ", .faint) + StyledText(value)) }
    let down = report.points.map { Int(clamping: Int64($0.down)) }
    if down.contains(where: { $0 > 0 }) {
      document.line(StyledText(catalogue.text("text.net-report-throughput") + " ", .faint) + curve(down))
    }
    for table in text.tables {
      document.line()
      document.line(StyledText(table.title, .emphasis))
      document.table(
        Table(
          columns: table.headings.enumerated().map { Table.Column($1, isNumeric: table.numeric.contains($0)) },
          rows: table.rows.map { $0.map { StyledText(Self.plain($0)) } }))
      if table.hidden > 0 { document.line(StyledText("+ \(table.hidden)", .faint)) }
    }
    return document
  }

  /// Sixty columns at most: the greatest of what falls into each.
  private func curve(_ values: [Int]) -> StyledText {
    let size = max(1, (values.count + 59) / 60)
    let columns = stride(from: 0, to: values.count, by: size).map { start in
      values[start..<min(start + size, values.count)].max() ?? 0
    }
    return StyledText(Sparkline.line(columns), .number)
  }

  /// A journal is a stranger's text: what a terminal would obey is left out.
  private static func plain(_ text: String) -> String {
    let scalars = text.unicodeScalars.map { scalar -> Unicode.Scalar in
      scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value) ? "?" : scalar
    }
    return String(String.UnicodeScalarView(scalars))
  }
}
