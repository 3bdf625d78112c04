import MPaaSSupport
import MPaaSTerminal

/// The words that the argument parser says by itself, in the language in force.
///
/// The parser knows English only. Its help headings and its sentences are few, so they are put over afterwards;
/// a sentence that is not known stays English.
struct ParserWords {
  let catalogue: Catalogue

  init(_ catalogue: Catalogue) {
    self.catalogue = catalogue
  }

  /// A help page with its headings and standard sentences in the language.
  ///
  /// The parser puts its word for subcommands behind the name of each group of them; it goes.
  func help(_ page: String) -> String {
    let isEnglish = catalogue.language == .english
    return page.utf8.split(separator: 0x0a, omittingEmptySubsequences: false).map { line in
      var line = String(Substring(line))
      if line.hasSuffix(Self.groupEnd) { line = line.dropLast(Self.groupEnd.utf8.count) + (isEnglish ? ":" : "：") }
      if isEnglish { return line }
      for (english, key) in Self.helpWords {
        if let range = line.firstRange(of: english) { line.replaceSubrange(range, with: catalogue.text(key)) }
      }
      return bracketed(line)
    }.joined(separator: "\n")
  }

  /// The line with the permitted values and the default at its end in the language, brackets and commas included.
  private func bracketed(_ line: String) -> String {
    for form in [" (values: {values}; default: {default})", " (values: {values})", " (default: {default})"] {
      guard let start = line.ranges(of: form.prefix { $0 != "{" }).last?.lowerBound,
        var values = Self.match(String(line[start...]), form)
      else { continue }
      values["values"] = values["values"]?.replacing(", ", with: "、")
      let key = values.count == 2 ? "values-default" : values["values"] == nil ? "default" : "values"
      return line[..<start] + catalogue.text("text.help-\(key)", values)
    }
    return line
  }

  /// A parse error's sentence in the language.
  func error(_ message: String) -> String {
    let message = Self.inOneLine(message)
    guard catalogue.language != .english else { return message }
    for (pattern, key) in Self.errorPatterns {
      if var values = Self.match(message, pattern) {
        values["values"] = values["values"].map {
          $0.replacing(" or ", with: "、").replacing(", ", with: "、").replacing("'", with: "")
        }
        return catalogue.text(key, values)
      }
    }
    return message
  }

  /// The command that a usage line names: `mpaas crash show`.
  ///
  /// - Parameter label: The word before the usage, as the parser writes it: in errors "Usage: ", in help "USAGE: ".
  func command(in fullMessage: String, behind label: String = "Usage: ") -> String {
    guard let usage = fullMessage.firstRange(of: label) else { return "mpaas" }
    let words = fullMessage[usage.upperBound...].prefix { $0 != "\n" }.split(separator: " ")
    return words.prefix { $0.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" } && !$0.hasPrefix("-") }
      .joined(separator: " ")
  }

  private static let groupEnd = " SUBCOMMANDS:"

  private static let helpWords = [
    ("OVERVIEW: ", "text.help-overview"), ("USAGE: ", "text.help-usage"), ("ARGUMENTS:", "text.help-arguments"),
    ("OPTIONS:", "text.help-options"), ("SUBCOMMANDS:", "text.help-subcommands"),
    ("Show help information.", "text.help-help"), ("Show the version.", "text.help-version"),
    ("for detailed help.", "text.help-detailed"), ("See '", "text.help-see"), ("<subcommand>", "text.help-subcommand"),
  ]

  private static let errorPatterns = [
    ("Unknown option '{option}'. Did you mean '{suggestion}'?", "text.parse-unknown-option-near"),
    ("Unknown option '{option}'", "text.parse-unknown-option"),
    ("Missing expected argument '{argument}'", "text.parse-missing-argument"),
    ("Missing value for '{option}'", "text.parse-missing-value"),
    ("The value '{value}' is invalid for '{option}'. Please provide one of {values}.", "text.parse-invalid-value-of"),
    ("The value '{value}' is invalid for '{option}'", "text.parse-invalid-value"),
    ("Unexpected argument '{argument}'", "text.parse-unexpected"),
    ("{count} unexpected arguments: {arguments}", "text.parse-unexpected-many"),
  ]

  /// The permitted value that a refused one was probably meant to be.
  static func suggestion(for message: String) -> String? {
    let form = "The value '{value}' is invalid for '{option}'. Please provide one of {values}."
    guard let values = match(inOneLine(message), form), let value = values["value"], let list = values["values"] else {
      return nil
    }
    return closestMatch(to: value, among: list.split(separator: "'").map(String.init).filter { !$0.contains(" ") })
  }

  /// The sentence with its permitted values in the line, where the parser has put a long list of them below each other.
  static func inOneLine(_ message: String) -> String {
    let lines = message.split(whereSeparator: \.isNewline)
    guard let first = lines.first, first.hasSuffix(" of the following:") else { return message }
    let values = lines.dropFirst().map { "'\($0.trimmingPrefix(while: { " -".contains($0) }))'" }
    let list = [values.dropLast().joined(separator: ", "), values.last ?? ""].filter { !$0.isEmpty }
    return "\(first.dropLast(" the following:".count)) \(list.joined(separator: " or "))."
  }

  /// The values of the placeholders where `text` has the form of `pattern` from its start to its end; nil where it has not.
  static func match(_ text: String, _ pattern: String) -> [String: String]? {
    var values: [String: String] = [:]
    var rest = text[...]
    var form = pattern[...]
    while let open = form.firstIndex(of: "{") {
      guard rest.hasPrefix(form[..<open]), let close = form.firstIndex(of: "}") else { return nil }
      rest = rest.dropFirst(form.distance(from: form.startIndex, to: open))
      let name = String(form[form.index(after: open)..<close])
      form = form[form.index(after: close)...]
      let literal = form.prefix { $0 != "{" }
      guard let end = literal.isEmpty ? rest.endIndex : rest.firstRange(of: literal)?.lowerBound else { return nil }
      values[name] = String(rest[..<end])
      rest = rest[end...]
    }
    return rest == form ? values : nil
  }
}
