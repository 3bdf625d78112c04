import MPaaSSupport
import Synchronization

/// The sentences that users read, by key and language, embedded in the binary.
///
/// A key's topic is the resource that holds it; `Catalogue/Texts/<topic>.<language>.json` are flat objects.
package struct Catalogue: Sendable {
  package let language: Language
  private let texts: CatalogueTexts
  private let fallback: CatalogueTexts?

  package init(language: Language) {
    self.language = language
    texts = Self.loaded(language)
    fallback = language == .english ? nil : Self.loaded(.english)
  }

  /// The text of `key` with each `{name}` replaced; the key itself where no language has it.
  package func text(_ key: String, _ values: [String: String] = [:]) -> String {
    Self.fill(optionalText(key) ?? key, values)
  }

  /// The text of `key` as it stands, nil where no language has it.
  package func optionalText(_ key: String) -> String? {
    texts[key] ?? fallback?[key]
  }

  /// All keys that start with `prefix`, sorted.
  package func keys(startingWith prefix: String) -> [String] {
    texts.keys.filter { $0.hasPrefix(prefix) }.sorted()
  }

  /// Puts values in for `{name}`; an unknown name stays as it is.
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
      result += values[String(rest[after..<close])] ?? String(rest[open...close])
      rest = rest[rest.index(after: close)...]
    }
    return result + rest
  }

  private static let cache = Mutex<[Language: CatalogueTexts]>([:])

  private static func loaded(_ language: Language) -> CatalogueTexts {
    cache.withLock { cache in
      if let texts = cache[language] { return texts }
      let texts = CatalogueTexts(resources(language))
      cache[language] = texts
      return texts
    }
  }

  /// The embedded files of a language: `TOPIC.LANGUAGE.json`.
  static func resources(_ language: Language) -> [UnsafeRawBufferPointer] {
    CatalogueLiterals.all.compactMap { name, text in
      guard name.hasSuffix(".\(language.rawValue).json"), text.hasPointerRepresentation else { return nil }
      return UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    }
  }
}

extension Catalogue {
  /// The catalogue of the language in force.
  package static var current: Catalogue { Catalogue(language: .current) }
}
