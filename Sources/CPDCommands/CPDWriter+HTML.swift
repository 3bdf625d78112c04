import MPaaSCPD
import MPaaSSupport
import MPaaSTerminal

extension CPDWriter {
  /// A page of one file, without scripts and without anything from elsewhere.
  func writeHTML(_ put: (String) -> Void) {
    let title = text("text.cpd-title")
    put(
      """
      <!DOCTYPE html>
      <html lang="\(catalogue.language == .english ? "en" : "zh-Hans")">
      <head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
      <title>\(title)</title>
      <style>\(Self.style)</style></head>
      <body><h1>\(title)</h1>
      <p>\(view.sum(catalogue).text.escapedMarkup(.html))</p>

      """)
    writeTotals(put)
    for found in report.clones { write(found, put) }
    put("</body></html>\n")
  }

  private func text(_ key: String) -> String { catalogue.text(key).escapedMarkup(.html) }

  private func writeTotals(_ put: (String) -> Void) {
    let names = ["language", "files", "lines", "tokens", "percent"].map { text("text.cpd-column-\($0)") }
    put("<table><tr>" + names.map { "<th>\($0)</th>" }.joined() + "</tr>\n")
    for totals in report.languages { put(row(totals)) }
    put("</table>\n<details><summary>\(text("text.cpd-by-file"))</summary><table>\n")
    for totals in report.folders where totals.duplicatedTokens > 0 { put(row(totals, suffix: "/")) }
    for totals in view.affected { put(row(totals)) }
    put("</table></details>\n")
  }

  private func row(_ totals: CloneTotals, suffix: String = "") -> String {
    let cells = [
      totals.name + suffix, "\(totals.files)", "\(totals.lines)", "\(totals.tokens)", CPDView.percent(totals.percent),
    ]
    return "<tr>" + cells.map { "<td>\($0.escapedMarkup(.html))</td>" }.joined() + "</tr>\n"
  }

  private func write(_ found: FoundClone, _ put: (String) -> Void) {
    put("<details><summary>\(view.heading(found, catalogue).escapedMarkup(.html))<ul>")
    for span in found.spans { put("<li><code>\(name(span).escapedMarkup(.html))</code></li>") }
    put("</ul></summary>\n")
    if let comparison = CloneComparison(found, 0, 1, view.texts) {
      put("<table class=\"code\">\n")
      for (left, right) in comparison.rows { put("<tr>\(cells(left))\(cells(right))</tr>\n") }
      put("</table>\n")
    }
    put("</details>\n")
  }

  private func cells(_ line: CloneComparison.Line?) -> String {
    guard let line else { return "<td></td><td></td>" }
    let code = line.pieces.map { piece in
      let text = piece.text.escapedMarkup(.html)
      return piece.differs ? "<mark>\(text)</mark>" : text
    }
    return "<td class=\"n\">\(line.number)</td><td><pre>\(code.joined())</pre></td>"
  }

  private static let style = """
    body{font:15px/1.5 system-ui,sans-serif;margin:2em auto;max-width:90em;padding:0 1em}
    table{border-collapse:collapse}td,th{padding:.1em .6em;text-align:left;vertical-align:top}
    details{border-top:1px solid #8884;padding:.5em 0}summary{cursor:pointer}summary ul{margin:.2em 0}
    .code{width:100%;table-layout:fixed}.code td:nth-child(odd){width:4em;color:#888;text-align:right}
    pre{margin:0;white-space:pre-wrap;overflow-wrap:anywhere;font:13px/1.4 ui-monospace,monospace}
    mark{background:#fc6;color:#000}
    """
}
