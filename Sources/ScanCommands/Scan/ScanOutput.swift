import CommandKit
import MPaaSScan
import MPaaSSupport
import MPaaSTerminal
import MPaaSToolSupport

extension Context {
  /// Prints a result, or writes it to a file and says where.
  ///
  /// - Parameter text: The result in a form of its own; nil for that of the view.
  func put(_ view: some Presentable, text: String?, to output: String?, _ results: ResultSink) throws {
    let file = try ResultPlace(output).write {
      if let text { return Array(text.utf8) }
      if terminal.settings.isJSON { return Array((try Terminal.json(view) + "\n").utf8) }
      return Array(view.document(catalogue).lines(width: nil).map { $0.text + "\n" }.joined().utf8)
    }
    if let file {
      try results.put(WrittenScan(file: file))
    } else if let text {
      results.put(text: text)
    } else {
      try results.put(view)
    }
  }
}

/// The file that a report went to.
private struct WrittenScan: Presentable {
  let file: String

  private enum CodingKeys: String, CodingKey { case file }

  func document(_ catalogue: Catalogue) -> Document { [.line(StyledText(file, .path))] }
}

extension ScanWords {
  init(_ catalogue: Catalogue) {
    self.init(
      language: catalogue.language == .english ? "en" : "zh-Hans",
      message: { finding in
        catalogue.sentence(finding.id.name, finding.values.merging(["evidence": finding.evidence]) { $1 })
      },
      summary: { Explanation($0, catalogue).summary }, explanation: { Explanation($0, catalogue).explanation },
      help: { Explanation($0, catalogue).help ?? "" }, heading: { catalogue.text("text.scan-\($0)") })
  }
}
