package import MPaaSConfig
package import MPaaSSupport
package import MPaaSTerminal

/// The findings of a check of files that configure an app, as compilers tell them: place, severity, sentence,
/// identifier.
package struct FindingsView: Presentable {
  struct Finding: Encodable {
    let code: String
    let severity: ConfigFinding.Severity
    let message: String
    let help: String?
    let file: String?
    let line: Int?
    let column: Int?

    init(_ finding: ConfigFinding, _ catalogue: Catalogue) {
      let diagnostic = finding.diagnostic
      code = diagnostic.id.name
      severity = finding.severity
      // The checks give the name that was probably meant, with its place, as a value.
      let suggestion = diagnostic.values["suggestion"].map { catalogue.text("text.finding-suggestion", ["name": $0]) }
      message = catalogue.sentence(code, diagnostic.values) + (suggestion ?? "")
      let key = "diagnostic.\(code).help"
      help = catalogue.optionalText(key).map { _ in catalogue.text(key, diagnostic.values) }
      switch diagnostic.place {
      case .text(let file, let line, let column)?: (self.file, self.line, self.column) = (file, line, column)
      case .bytes(let file, _)?, .file(let file)?: (self.file, line, column) = (file, nil, nil)
      case nil: (file, line, column) = (nil, nil, nil)
      }
    }
  }

  private enum CodingKeys: String, CodingKey { case errors, warnings, findings }

  let errors: Int
  let warnings: Int
  let findings: [Finding]
  /// Tells whether warnings are a negative answer too.
  private let isStrict: Bool
  private let files: Int

  package init(_ findings: [ConfigFinding], files: Int, isStrict: Bool = false, _ catalogue: Catalogue) {
    errors = findings.count { $0.severity == .error }
    warnings = findings.count { $0.severity == .warning }
    self.findings = findings.map { Finding($0, catalogue) }
    self.files = files
    self.isStrict = isStrict
  }

  package var exit: ExitStatus { errors > 0 || (isStrict && warnings > 0) ? .negative : .done }

  package func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    append(to: &document, catalogue)
    document.line(sum(catalogue))
    return document
  }

  /// The findings alone, without their sum.
  func append(to document: inout Document, _ catalogue: Catalogue) {
    var told: Set<String> = []
    for finding in findings {
      let place = [finding.file, finding.line.map(String.init), finding.column.map(String.init)].compactMap(\.self)
      var line = place.isEmpty ? StyledText() : StyledText(place.joined(separator: ":"), .path) + ": "
      let word = catalogue.text("text.finding-\(finding.severity.rawValue)")
      line.append(word, finding.severity == .error ? .bad : .warning)
      document.line(line + StyledText(": " + finding.message) + StyledText(" [\(finding.code)]", .faint))
      // Once is enough for each kind.
      guard told.insert(finding.code).inserted, let help = finding.help else { continue }
      let gap = catalogue.language == .english ? " " : ""
      document.line("  " + StyledText(catalogue.text("text.help"), .good) + StyledText(gap + help))
    }
  }

  private func sum(_ catalogue: Catalogue) -> StyledText {
    guard !findings.isEmpty else {
      return StyledText(
        catalogue.text(files == 1 ? "text.finding-none-one" : "text.finding-none", ["files": "\(files)"]), .good)
    }
    let values = ["errors": "\(errors)", "warnings": "\(warnings)"]
    return StyledText(catalogue.text("text.finding-sum", values), errors > 0 ? .bad : .emphasis)
  }
}
