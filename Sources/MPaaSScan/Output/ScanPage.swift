import MPaaSSupport
import MPaaSSymbols

/// A report as one file of HTML, without scripts and without anything from elsewhere.
package struct ScanPage: Sendable {
  private let words: ScanWords
  private let tool: ScanTool

  package init(_ words: ScanWords, _ tool: ScanTool) {
    self.words = words
    self.tool = tool
  }

  package func text(_ report: ScanReport, _ judgement: ScanJudgement) -> String {
    let title = "mpaas scan: \(report.inputs.map { FileSystem.name(of: $0) }.joined(separator: ", "))"
    return """
      <!DOCTYPE html>
      <html lang="\(words.language)">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(escaped(title))</title>
      <style>\(Self.style)</style>
      </head>
      <body>
      <h1>\(escaped(title))</h1>
      <p>\(summary(judgement))</p>
      <h2>\(heading("findings"))</h2>
      \(judgement.counted.map(block).joined(separator: "\n"))
      <h2>\(heading("images"))</h2>
      \(images(report))
      <h2>\(heading("components"))</h2>
      \(components(report))
      <footer>mpaas \(escaped(tool.version))</footer>
      </body>
      </html>

      """
  }

  private static let style = """
    :root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem}
    table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.3rem .6rem;border-bottom:1px solid #8884;
    overflow-wrap:anywhere;vertical-align:top}details{border-bottom:1px solid #8884;padding:.4rem 0}
    summary{cursor:pointer}code{overflow-wrap:anywhere}.s{display:inline-block;min-width:5rem;font-weight:600}
    .critical,.high{color:#c22}.medium{color:#b60}.low,.info{color:#678}footer{margin-top:3rem;color:#888}
    """

  private func escaped(_ text: String) -> String { text.escapedMarkup(.html) }
  private func heading(_ key: String) -> String { escaped(words.heading(key)) }

  private func summary(_ judgement: ScanJudgement) -> String {
    ScanSeverity.allCases.reversed().map { severity in
      let count = judgement.counted.count { $0.severity == severity }
      return "<span class=\"\(severity.rawValue)\">\(heading("severity-\(severity.rawValue)")): \(count)</span>"
    }.joined(separator: " · ")
  }

  private func block(_ finding: ScanFinding) -> String {
    let severity = finding.severity.rawValue
    let place = [
      finding.place.path, finding.place.architecture, finding.place.offset.map { "0x" + String($0, radix: 16) },
    ]
    .compactMap(\.self).map(escaped).joined(separator: " · ")
    return """
      <details><summary><span class="s \(severity)">\(heading("severity-\(severity)"))</span> \
      \(escaped(words.message(finding))) <code>\(escaped(finding.id.name))</code></summary>
      <p><code>\(place)</code></p>
      <p>\(escaped(words.explanation(finding.id.name)))</p>
      <p>\(escaped(words.help(finding.id.name)))\(finding.masvs.map { " (\(escaped($0)))" } ?? "")</p></details>
      """
  }

  private func images(_ report: ScanReport) -> String {
    let rows = report.images.prefix(5000).map { image in
      let facts: [(String, String)] =
        switch image.facts {
        case .machO(let facts):
          [("pie", "\(facts.pie)"), ("canary", facts.canaryState.rawValue), ("arc", "\(facts.arc)")]
        case .elf(let facts):
          [
            ("pie", facts.pie.rawValue), ("canary", facts.canaryState.rawValue), ("nx", "\(facts.nx)"),
            ("relro", facts.relro.rawValue), ("fortify", facts.fortify.rawValue),
          ]
        }
      let text = facts.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
      return row([image.path, image.architecture, image.kind.rawValue, "\(image.size)", text])
    }
    return "<table>\(rows.joined())</table>"
  }

  private func components(_ report: ScanReport) -> String {
    "<table>\(report.components.map { row([$0.name, $0.version ?? "", $0.kind.rawValue, $0.path]) }.joined())</table>"
  }

  private func row(_ cells: [String]) -> String {
    "<tr>\(cells.map { "<td>\(escaped($0))</td>" }.joined())</tr>\n"
  }
}
