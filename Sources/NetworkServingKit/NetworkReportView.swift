package import MPaaSNetworkConditions
import MPaaSSupport
package import MPaaSTerminal

/// The output of `mpaas net report`.
package struct NetworkReportView: Presentable {
  let report: NetworkReport

  package init(report: NetworkReport) {
    self.report = report
  }

  package func encode(to encoder: any Encoder) throws { try JSONValue.object(report.json).encode(to: encoder) }

  static func words(_ catalogue: Catalogue) -> (String) -> String {
    { catalogue.text("text.net-report-\($0)") }
  }

  package func document(_ catalogue: Catalogue) -> Document {
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
