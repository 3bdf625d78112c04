import MPaaSPact
import MPaaSSupport
import MPaaSTerminal

/// The verdicts on files with what is expected and what came.
struct PactMatchView: Presentable {
  struct Result: Encodable {
    let file: String
    let match: Bool
    let mismatches: [PactMismatchView]

    init(file: String, _ pair: PactPair, _ catalogue: Catalogue) {
      self.file = file
      match = pair.mismatches.isEmpty
      mismatches = pair.mismatches.map { PactMismatchView($0, catalogue) }
    }
  }

  let results: [Result]

  var exit: ExitStatus { results.allSatisfy(\.match) ? .done : .negative }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    for result in results {
      let word = catalogue.text(result.match ? "text.pact-match" : "text.pact-mismatch")
      document.line(StyledText(result.file, .path) + ": " + StyledText(word, result.match ? .good : .bad))
      for mismatch in result.mismatches { document.line("  " + mismatch.line) }
    }
    return document
  }
}

/// A difference, as people and scripts read it.
struct PactMismatchView: Encodable {
  let type: String
  let path: String
  let code: String
  let mismatch: String

  init(_ mismatch: PactMismatch, _ catalogue: Catalogue) {
    type = mismatch.part.rawValue
    path = mismatch.path
    code = mismatch.reason.rawValue
    self.mismatch = catalogue.text("text.pact-mismatch-\(mismatch.reason.rawValue)", mismatch.values)
  }

  var line: StyledText {
    StyledText(path.isEmpty ? type : "\(type) \(path)", .path) + ": " + StyledText(mismatch)
  }
}
