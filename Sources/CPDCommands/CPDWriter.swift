import CommandKit
import MPaaSCPD
import MPaaSSupport
import MPaaSTerminal

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Reports as files that other programs and people read.
struct CPDWriter {
  let view: CPDView
  let catalogue: Catalogue
  let now: Date

  init(_ view: CPDView, _ catalogue: Catalogue, now: Date) {
    (self.view, self.catalogue, self.now) = (view, catalogue, now)
  }

  var report: CloneReport { view.report }

  func write(_ format: CPDFormat, _ put: (String) -> Void) throws {
    switch format {
    case .text:
      for line in view.document(catalogue).lines(width: nil) { put(line.text + "\n") }
    case .json: put(try Terminal.json(view) + "\n")
    case .sarif: put(sarif.line + "\n")
    case .xml:
      CloneXML(report, view.texts, version: KitVersion.current.version, timestamp: timestamp).write(put)
    case .csv: CloneCSV.write(report, put)
    case .markdown: writeMarkdown(put)
    case .html: writeHTML(put)
    }
  }

  private var timestamp: String {
    let (date, second) = CivilDate.at(secondsSince1970: Int(now.timeIntervalSince1970))
    func two(_ number: Int) -> String { number.padded(to: 2) }
    let day = "\(date.year.padded(to: 4))-\(two(date.month))-\(two(date.day))"
    return "\(day)T\(two(second / 3600)):\(two(second / 60 % 60)):\(two(second % 60))Z"
  }

  /// A place as `file:start-end`.
  func name(_ span: CloneSpan) -> String { "\(report.sources[span.source].path):\(span.start)-\(span.end)" }

  // MARK: Markdown

  private func writeMarkdown(_ put: (String) -> Void) {
    put("# \(catalogue.text("text.cpd-title"))\n\n\(view.sum(catalogue).text)\n\n")
    writeTable(put)
    for (index, found) in report.clones.enumerated() {
      put("## \(index + 1). \(view.heading(found, catalogue))\n\n")
      for span in found.spans { put("- `\(name(span).replacing("`", with: "'"))`\n") }
      let lines = view.texts.lines(found.spans[0])
      // A fence longer than any in the code.
      let longest = lines.flatMap { $0.split { $0 != "`" } }.map(\.count).max() ?? 0
      let fence = String(repeating: "`", count: max(3, longest + 1))
      let language = report.sources[found.spans[0].source].language.name
      put("\n\(fence)\(language)\n\(lines.joined(separator: "\n"))\n\(fence)\n\n")
    }
  }

  private func writeTable(_ put: (String) -> Void) {
    let names = ["language", "files", "lines", "tokens", "percent"].map { catalogue.text("text.cpd-column-\($0)") }
    put("| \(names.joined(separator: " | ")) |\n| --- | ---: | ---: | ---: | ---: |\n")
    for totals in report.languages {
      put(
        "| \(totals.name) | \(totals.files) | \(totals.lines) | \(totals.tokens) | \(CPDView.percent(totals.percent)) |\n"
      )
    }
    put("\n")
  }
}
