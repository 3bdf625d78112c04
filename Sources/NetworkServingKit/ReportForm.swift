package import MPaaSNetworkConditions
import MPaaSSupport
package import MPaaSTerminal

/// The form of a report.
package enum ReportForm: String, CaseIterable, Sendable {
  case text, md, html, svg, json

  /// The form that the end of a file's name speaks of; nil where it does not.
  package init?(ofEnding path: String) {
    let ending = path.split(separator: ".").last.map(String.init) ?? ""
    guard let form = ["htm": .html, "markdown": .md, "txt": .text][ending] ?? ReportForm(rawValue: ending) else {
      return nil
    }
    self = form
  }

  package func text(of report: NetworkReport, _ catalogue: Catalogue) -> String {
    let words = NetworkReportView.words(catalogue)
    switch self {
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

extension NetworkReport {
  /// The report in the form that the name of its file asks for; text where it asks for none.
  package func text(forFile path: String, _ catalogue: Catalogue) -> String {
    (ReportForm(ofEnding: path) ?? .text).text(of: self, catalogue)
  }
}
