import MPaaSTerminal

/// The contracts that a mock has written when it ended.
struct WrittenPacts: Presentable {
  struct File: Encodable, Sendable {
    let file: String
    let consumer: String
    let provider: String
    /// The number of interactions that were asked for.
    let interactions: Int
  }

  let pacts: [File]
  /// The descriptions of interactions that nothing asked for.
  let missing: [String]

  func document(_ catalogue: Catalogue) -> Document {
    var document: Document = []
    for pact in pacts {
      let values = ["file": pact.file, "count": "\(pact.interactions)"]
      document.line(StyledText(catalogue.text("text.mock-pact-written", values)))
    }
    for description in missing {
      document.line(StyledText(catalogue.text("text.mock-pact-missing", ["interaction": description]), .faint))
    }
    return document
  }
}
