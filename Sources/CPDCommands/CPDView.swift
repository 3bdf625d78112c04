import MPaaSCPD
import MPaaSSupport
import MPaaSTerminal

/// The clones that were found, and how much of the code they are.
struct CPDView: Presentable {
  struct Span: Encodable {
    let file: String
    let start: Int
    let end: Int
  }

  struct Clone: Encodable {
    let type: Int
    let tokens: Int
    let lines: Int
    let similarity: Double
    let key: String
    let spans: [Span]
  }

  struct Totals: Encodable {
    let name: String
    let files: Int
    let tokens: Int
    let lines: Int
    let duplicatedTokens: Int
    let duplicatedLines: Int
    let percent: Double
    let linePercent: Double

    init(_ totals: CloneTotals, name: String? = nil) {
      self.name = name ?? totals.name
      (files, tokens, lines) = (totals.files, totals.tokens, totals.lines)
      (duplicatedTokens, duplicatedLines) = (totals.duplicatedTokens, totals.duplicatedLines)
      (percent, linePercent) = (totals.percent, totals.linePercent)
    }
  }

  struct Unread: Encodable {
    let file: String
    let reason: String
  }

  private enum CodingKeys: String, CodingKey {
    case clones, known, total, languages, folders, sources, generated, unread
  }

  let report: CloneReport
  nonisolated(unsafe) let texts: CloneTexts
  /// Clones that the baseline has.
  let known: Int
  /// The percentage of tokens that may be in clones; nil where no clone may be there.
  let maximum: Double?
  let showsCode: Bool
  /// True where the clones were written down as known.
  var isAccepted = false
  private var showsClones = true

  init(_ report: CloneReport, _ texts: CloneTexts, known: Int = 0, maximum: Double? = nil, showsCode: Bool = false) {
    (self.report, self.texts, self.known) = (report, texts, known)
    (self.maximum, self.showsCode) = (maximum, showsCode)
  }

  /// The sum alone.
  var withoutClones: CPDView {
    var view = self
    view.showsClones = false
    return view
  }

  var exit: ExitStatus {
    if isAccepted { return .done }
    guard let maximum else { return report.clones.isEmpty ? .done : .negative }
    return report.total.percent > maximum ? .negative : .done
  }

  /// Sources with clones, those with most of them first.
  var affected: [CloneTotals] {
    report.sources.filter { $0.duplicatedTokens > 0 }.map { source in
      var totals = CloneTotals(name: source.path)
      totals.add(source)
      return totals
    }.sorted {
      $0.duplicatedTokens != $1.duplicatedTokens ? $0.duplicatedTokens > $1.duplicatedTokens : $0.name < $1.name
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(
      report.clones.map { found in
        Clone(
          type: found.clone.type.rawValue, tokens: found.clone.tokens, lines: found.lines,
          similarity: (found.clone.similarity * 1000).rounded() / 1000, key: found.clone.key,
          spans: found.spans.map { Span(file: report.sources[$0.source].path, start: $0.start, end: $0.end) })
      }, forKey: .clones)
    try container.encode(known, forKey: .known)
    try container.encode(Totals(report.total, name: "all"), forKey: .total)
    try container.encode(report.languages.map { Totals($0) }, forKey: .languages)
    try container.encode(report.folders.filter { $0.duplicatedTokens > 0 }.map { Totals($0) }, forKey: .folders)
    try container.encode(affected.map { Totals($0) }, forKey: .sources)
    try container.encode(report.generated, forKey: .generated)
    try container.encode(report.unread.map { Unread(file: $0.path, reason: $0.reason) }, forKey: .unread)
  }

  // MARK: Text

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    if showsClones {
      for found in report.clones { add(found, to: &document, catalogue) }
    }
    for unread in report.unread {
      document.line(
        StyledText(catalogue.text("text.cpd-unread", ["file": unread.path, "reason": unread.reason]), .warning))
    }
    if report.languages.count > 1, report.total.duplicatedTokens > 0 { document.table(languageTable(catalogue)) }
    document.line(sum(catalogue))
    return document
  }

  private func add(_ found: FoundClone, to document: inout Document, _ catalogue: Catalogue) {
    document.line(StyledText(heading(found, catalogue), .emphasis))
    for span in found.spans {
      document.line("  " + StyledText("\(report.sources[span.source].path):\(span.start)-\(span.end)", .path))
    }
    if showsCode, let comparison = CloneComparison(found, 0, 1, texts) {
      document.table(table(comparison))
      document.line()
    }
  }

  func heading(_ found: FoundClone, _ catalogue: Catalogue) -> String {
    let values = [
      "tokens": "\(found.clone.tokens)", "lines": "\(found.lines)", "places": "\(found.spans.count)",
      "percent": "\(Int((found.clone.similarity * 100).rounded(.down)))",
    ]
    return catalogue.text("text.cpd-clone-\(found.clone.type.rawValue)", values)
  }

  private func table(_ comparison: CloneComparison) -> Table {
    func cells(_ line: CloneComparison.Line?) -> [StyledText] {
      guard let line else { return ["", ""] }
      var text = StyledText()
      for piece in line.pieces {
        text.append(piece.text.replacing("\t", with: "  "), piece.differs ? .bad : .plain)
      }
      return [StyledText("\(line.number)", .faint), text]
    }
    return Table(
      columns: [.init("", isNumeric: true), .init(""), .init("", isNumeric: true), .init("")],
      rows: comparison.rows.map { cells($0.left) + cells($0.right) })
  }

  private func languageTable(_ catalogue: Catalogue) -> Table {
    let rows = report.languages.map { totals -> [StyledText] in
      [
        StyledText(totals.name), StyledText("\(totals.files)"), StyledText("\(totals.lines)"),
        StyledText("\(totals.tokens)"), StyledText(Self.percent(totals.percent)),
      ]
    }
    let names = ["language", "files", "lines", "tokens", "percent"]
    return Table(
      columns: names.map { .init(catalogue.text("text.cpd-column-\($0)"), isNumeric: $0 != "language") }, rows: rows)
  }

  /// A percentage with its sign.
  static func percent(_ value: Double) -> String { "\(value) %" }

  func sum(_ catalogue: Catalogue) -> StyledText {
    let total = report.total
    let values = [
      "clones": "\(report.clones.count)", "files": "\(total.files)", "tokens": "\(total.tokens)",
      "lines": "\(total.lines)", "percent": "\(total.percent)",
    ]
    let key = report.clones.isEmpty ? "none" : report.clones.count == 1 ? "one" : "sum"
    var text = StyledText(catalogue.text("text.cpd-\(key)", values), report.clones.isEmpty ? .good : .emphasis)
    if known > 0 { text += StyledText(" · " + catalogue.text("text.cpd-known", ["count": "\(known)"]), .faint) }
    if !report.generated.isEmpty {
      text += StyledText(
        " · " + catalogue.text("text.cpd-generated", ["count": "\(report.generated.count)"]), .faint)
    }
    if let maximum, total.percent > maximum {
      text += StyledText(" · " + catalogue.text("text.cpd-over", ["maximum": "\(maximum)"]), .bad)
    }
    return text
  }
}
