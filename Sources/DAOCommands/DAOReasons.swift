import MPaaSDAO
import MPaaSSupport
import MPaaSTerminal

/// The reasons within messages in the language in force; those of SQLite stay as SQLite gives them.
enum DAOReasons {
  /// The values of a finding or an error, with the reason in the catalogue's language.
  static func values(_ values: [String: String], _ catalogue: Catalogue) -> [String: String] {
    guard let cause = values["cause"] else { return values }
    var translated = values
    for side in ["left", "right"] {
      if let kind = values[side] { translated[side] = catalogue.text("text.dao-kind-\(kind)") }
    }
    let key = "text.dao-reason-\(cause)"
    if catalogue.optionalText(key) != nil { translated["reason"] = catalogue.text(key, translated) }
    translated["cause"] = nil
    return translated
  }

  /// An error with its reason in the catalogue's language.
  static func diagnostic(_ error: DAOError, _ catalogue: Catalogue) -> Diagnostic {
    let diagnostic = error.diagnostic
    return Diagnostic(
      diagnostic.id, values(diagnostic.values, catalogue), at: diagnostic.place, exit: diagnostic.exit)
  }
}
