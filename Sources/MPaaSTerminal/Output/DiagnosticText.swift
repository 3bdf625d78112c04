import MPaaSSupport

/// A diagnostic in words: the sentence, the place and the mend.
struct DiagnosticText {
  struct JSON: Encodable {
    struct Body: Encodable {
      let code: String
      let message: String
      let place: String?
      let help: String?
      let details: [String]?
    }

    let error: Body
  }

  let id: DiagnosticID
  let message: String
  let place: String?
  let help: String?
  let details: [String]
  /// Tells whether people want to know which refusal it is, to look it up or to report it.
  let isRefusal: Bool

  init(_ diagnostic: Diagnostic, _ catalogue: Catalogue) {
    id = diagnostic.id
    isRefusal = diagnostic.exit == .notPermitted || diagnostic.exit == .malformedInput
    let message = catalogue.sentence(diagnostic.id.name, diagnostic.values)
    self.message = message
    let place = diagnostic.place?.description
    // A sentence that names the file already does not need it again.
    self.place = place.flatMap { message.contains($0) ? nil : $0 }
    details = diagnostic.details.map { catalogue.text($0.key, $0.values) }
    let key = "diagnostic.\(diagnostic.id).help"
    help = catalogue.optionalText(key).map { Catalogue.fill($0, diagnostic.values) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  var json: JSON {
    JSON(
      error: .init(code: id.name, message: message, place: place, help: help, details: details.isEmpty ? nil : details))
  }

  /// The sentence, the place and the help; of refusals, or where `namesCode` asks for it, the identifier too.
  func lines(_ catalogue: Catalogue, isWarning: Bool, namesCode: Bool = false) -> [StyledText] {
    // A full-width colon brings its own space.
    let gap: StyledText = catalogue.language == .english ? " " : ""
    let head =
      isWarning
      ? StyledText(catalogue.text("text.warning"), .warning) : StyledText(catalogue.text("text.error"), .bad)
    var lines = [head + gap + StyledText(message)]
    lines += details.map { "  " + StyledText($0) }
    if let place { lines.append("  " + StyledText(catalogue.text("text.at"), .faint) + " " + StyledText(place, .path)) }
    if let help { lines.append(StyledText(catalogue.text("text.help"), .good) + gap + StyledText(help)) }
    if !isWarning, isRefusal || namesCode, catalogue.optionalText("diagnostic.\(id).explain") != nil {
      let head = StyledText(catalogue.text("text.code"), .faint)
      lines.append(head + gap + StyledText("\(id) (mpaas explain \(id))", .faint))
    }
    return lines
  }
}
