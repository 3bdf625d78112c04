import MPaaSSupport

/// The sentences that users read, by key and language, embedded in the binary.
///
/// A key's topic is the resource that holds it; `Catalogue/Texts/<topic>.<language>.json` are flat objects.
/// The framework's errors in apps have their texts in its sources.
package struct Catalogue: Sendable {
  package let language: Language
  private let texts: CatalogueTexts
  private let fallback: CatalogueTexts?

  package init(language: Language) {
    self.language = language
    texts = CatalogueTexts(language)
    fallback = language == .english ? nil : CatalogueTexts(.english)
  }

  /// The text of `key` with each `{name}` replaced; the key itself where no language has it.
  package func text(_ key: String, _ values: [String: String] = [:]) -> String {
    Self.fill(optionalText(key) ?? key, values)
  }

  /// The text of `key` as it stands, nil where no language has it.
  package func optionalText(_ key: String) -> String? {
    texts[key] ?? fallback?[key]
  }

  /// The sentence of the diagnostic `id`; a value that ends it with a full stop brings no second one.
  package func sentence(_ id: String, _ values: [String: String] = [:]) -> String {
    let text = text("diagnostic.\(id)", inWords(values))
    guard let stop = text.last, ".。".contains(stop), let before = text.dropLast().last, ".。?？!！".contains(before)
    else { return text }
    return before == "." ? text.dropLast(2) + String(stop) : String(text.dropLast())
  }

  /// The values with the identifier of a reason, such as `end-of-input`, replaced by its words.
  private func inWords(_ values: [String: String]) -> [String: String] {
    guard let reason = values["reason"], let words = optionalText("text.reason-\(reason)") else { return values }
    return values.merging(["reason": words]) { $1 }
  }

  /// The sentence of the diagnostic `id` without its full stop, for a place inside another sentence.
  package func clause(_ id: String, _ values: [String: String] = [:]) -> String {
    let sentence = sentence(id, values)
    return sentence.hasSuffix(".") || sentence.hasSuffix("。") ? String(sentence.dropLast()) : sentence
  }

  /// All keys that start with `prefix`, sorted.
  package func keys(startingWith prefix: String) -> [String] {
    texts.keys(startingWith: prefix)
  }

  /// Puts values in for `{name}`, and for `{name:one|other}` the word that goes with the value; an unknown name stays.
  static func fill(_ template: String, _ values: [String: String]) -> String {
    guard !values.isEmpty, template.contains("{") else { return template }
    var result = ""
    var rest = template[...]
    while let open = rest.firstIndex(of: "{") {
      result += rest[..<open]
      let after = rest.index(after: open)
      guard let close = rest[after...].firstIndex(of: "}") else {
        rest = rest[open...]
        break
      }
      result += value(of: rest[after..<close], values) ?? String(rest[open...close])
      rest = rest[rest.index(after: close)...]
    }
    return result + rest
  }

  private static func value(of placeholder: Substring, _ values: [String: String]) -> String? {
    guard let colon = placeholder.firstIndex(of: ":") else { return values[String(placeholder)] }
    let words = placeholder[placeholder.index(after: colon)...].split(separator: "|", maxSplits: 1)
    guard words.count == 2, let value = values[String(placeholder[..<colon])] else { return nil }
    return String(value == "1" ? words[0] : words[1])
  }
}

extension Catalogue {
  /// The catalogue of the language in force.
  package static var current: Catalogue { Catalogue(language: .current) }
}
