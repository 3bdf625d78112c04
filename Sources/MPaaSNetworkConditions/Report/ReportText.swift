import MPaaSSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A report as Markdown or as a page.
package struct ReportText {
  private let report: NetworkReport
  private let words: ReportSVG.Words
  /// The language's tag, for the page.
  private let language: String
  /// The most rows of a table of events or spans.
  private static let rows = 500

  package init(_ report: NetworkReport, language: String, words: @escaping ReportSVG.Words) {
    self.report = report
    self.language = language
    self.words = words
  }

  /// A table with headings; `numeric` columns stand right.
  package struct Table: Sendable, Equatable {
    package var title: String
    package var headings: [String]
    package var numeric: Set<Int>
    package var rows: [[String]]
    /// The number of rows that were left out.
    package var hidden: Int
  }

  /// The beginning, the length and the traffic.
  package var summary: [(String, String)] {
    let up = report.proxies.reduce(0) { $0 + $1.up.sent }
    let down = report.proxies.reduce(0) { $0 + $1.down.sent }
    var lines = [
      (words("begin"), Date(timeIntervalSince1970: report.begin).formatted(.iso8601)),
      (words("duration"), ReportNumber.seconds(report.duration)),
      (words("connections"), "\(report.proxies.reduce(0) { $0 + $1.connections })"),
      (words("failed"), "\(report.proxies.reduce(0) { $0 + $1.failed })"),
      (words("down"), ReportNumber.bytes(down)), (words("up"), ReportNumber.bytes(up)),
    ]
    if report.unreadable > 0 { lines.append((words("unreadable"), "\(report.unreadable)")) }
    return lines
  }

  package var tables: [Table] {
    [proxies, applied, failures, events].filter { !$0.rows.isEmpty }
  }

  private var proxies: Table {
    func delays(_ delays: NetworkReport.Delays?) -> String {
      delays.map { "\(ReportNumber.milliseconds($0.p50)) / \(ReportNumber.milliseconds($0.p95))" } ?? "–"
    }
    return Table(
      title: words("proxies"),
      headings: ["proxy", "kind", "connections", "failed", "requests", "down", "up", "lost", "delay-down", "delay-up"]
        .map(words), numeric: Set(2...9),
      rows: report.proxies.map { proxy in
        [
          proxy.name, proxy.kind, "\(proxy.connections)", "\(proxy.failed)", "\(proxy.requests)",
          ReportNumber.bytes(proxy.down.sent), ReportNumber.bytes(proxy.up.sent),
          "\(proxy.down.lost + proxy.up.lost)", delays(proxy.down.delays), delays(proxy.up.delays),
        ]
      }, hidden: 0)
  }

  private var applied: Table {
    let spans = report.applied.prefix(Self.rows)
    return Table(
      title: words("applied"), headings: ["from", "to", "what", "condition", "proxies"].map(words), numeric: [0, 1],
      rows: spans.map { span in
        [
          ReportNumber.seconds(span.start), ReportNumber.seconds(span.end), words("kind-\(span.kind.rawValue)"),
          span.label, span.proxies.isEmpty ? words("all") : span.proxies.joined(separator: ", "),
        ]
      }, hidden: report.applied.count - spans.count)
  }

  private var failures: Table {
    Table(
      title: words("failures"), headings: ["reason", "count"].map(words), numeric: [1],
      rows: report.failures.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map {
        [$0.key.isEmpty ? "–" : $0.key, "\($0.value)"]
      }, hidden: 0)
  }

  private var events: Table {
    let events = report.events.prefix(Self.rows)
    return Table(
      title: words("events"), headings: ["at", "event", "proxy", "details"].map(words), numeric: [0],
      rows: events.map { event in
        [
          ReportNumber.seconds(event.time - report.begin), event.kind.rawValue, event.proxy ?? "",
          event.details.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " "),
        ]
      }, hidden: report.events.count - events.count)
  }

  // MARK: - Markdown

  package var markdown: String {
    var escaping = MarkupEscaping.report
    escaping.doubleQuote = "\""
    func cell(_ text: String) -> String { text.escapedMarkup(escaping).replacing("|", with: "\\|") }
    var text = "# \(words("title"))\n\n"
    for (name, value) in summary { text += "- \(cell(name)): \(cell(value))\n" }
    for table in tables {
      text += "\n## \(cell(table.title))\n\n| \(table.headings.map(cell).joined(separator: " | ")) |\n|"
      text += table.headings.indices.map { table.numeric.contains($0) ? " ---: |" : " --- |" }.joined() + "\n"
      for row in table.rows { text += "| \(row.map(cell).joined(separator: " | ")) |\n" }
      if table.hidden > 0 { text += "\n+ \(table.hidden)\n" }
    }
    return text
  }

  // MARK: - HTML

  /// A page of its own: no script, nothing from elsewhere, light or dark as the reader has it.
  package var html: String {
    var text = """
      <!doctype html>
      <html lang="\(language.escapedMarkup(.report))"><head><meta charset="utf-8">
      <meta name="viewport" content="width=device-width,initial-scale=1">
      <title>\(words("title").escapedMarkup(.report))</title>
      <style>\(Self.style)</style></head><body><main>
      <h1>\(words("title").escapedMarkup(.report))</h1>

      """
    text += "<dl>"
    for (name, value) in summary {
      text += "<div><dt>\(name.escapedMarkup(.report))</dt><dd>\(value.escapedMarkup(.report))</dd></div>"
    }
    text += "</dl>\n<figure>\(ReportSVG(report, words: words).text(isInline: true))</figure>\n"
    for table in tables { text += html(table) }
    return text + "</main></body></html>\n"
  }

  private func html(_ table: Table) -> String {
    func cells(_ row: [String], _ tag: String) -> String {
      row.enumerated().map { index, cell in
        "<\(tag)\(table.numeric.contains(index) ? " class=\"n\"" : "")>\(cell.escapedMarkup(.report))</\(tag)>"
      }.joined()
    }
    var text = "<h2>\(table.title.escapedMarkup(.report))</h2>\n<div class=\"wide\"><table><thead><tr>"
    text += cells(table.headings, "th") + "</tr></thead><tbody>\n"
    for row in table.rows { text += "<tr>\(cells(row, "td"))</tr>\n" }
    text += "</tbody></table></div>\n"
    return text + (table.hidden > 0 ? "<p>+ \(table.hidden)</p>\n" : "")
  }

  private static let style = """
    :root{color-scheme:light dark;--ground:#fff;--ink:#1b1f24;--faint:#667079;--line:#d8dee4}
    @media(prefers-color-scheme:dark){:root{--ground:#0d1117;--ink:#e6edf3;--faint:#8d96a0;--line:#30363d}}
    body{margin:0;background:var(--ground);color:var(--ink);font:14px/1.5 system-ui,sans-serif}
    main{max-width:1000px;margin:0 auto;padding:24px 20px}h1{font-size:22px;margin:0 0 12px}
    h2{font-size:16px;margin:28px 0 8px}dl{display:flex;flex-wrap:wrap;gap:8px 32px;margin:0 0 16px}
    dt{color:var(--faint);font-size:12px}dd{margin:0;font-weight:600}figure{margin:0;overflow-x:auto}
    .wide{overflow-x:auto}table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
    th,td{text-align:left;padding:4px 12px 4px 0;border-bottom:1px solid var(--line);vertical-align:top}
    th{color:var(--faint);font-weight:500;white-space:nowrap}.n{text-align:right;white-space:nowrap}
    svg{max-width:100%;height:auto}
    """
}
