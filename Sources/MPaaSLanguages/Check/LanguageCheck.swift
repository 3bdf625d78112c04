import MPaaSSupport

/// Looks through an app's tables, and what its sources ask for, for what is wrong or missing.
package struct LanguageCheck: Sendable {
  package let tables: [TextTable]
  /// Nil where sources were not looked into: then nothing is unused.
  package let sources: SourceTexts?
  /// The languages that must be there; those that any table has where none is named.
  package var languages: [String] = []
  package var ignored: Set<LanguageFinding.Kind> = []

  package init(_ tables: [TextTable], sources: SourceTexts? = nil) {
    self.tables = tables
    self.sources = sources
  }

  /// By table, language and place.
  package var findings: [LanguageFinding] {
    var found: [LanguageFinding] = []
    let everywhere = Set(tables.flatMap(\.languages))
    for table in tables {
      found += table.findings.map { named($0, table) }
      let wanted = languages.isEmpty ? everywhere.sorted() : languages
      for key in table.keys where key.isTranslated { found += check(key, table, wanted) }
    }
    if let sources { found += check(sources) }
    return found.filter { !ignored.contains($0.kind) }
  }

  private func named(_ finding: LanguageFinding, _ table: TextTable) -> LanguageFinding {
    LanguageFinding(
      finding.kind, finding.key, table: table.name, language: finding.language, at: finding.place,
      details: finding.details)
  }

  private func check(_ key: TextKey, _ table: TextTable, _ languages: [String]) -> [LanguageFinding] {
    var found: [LanguageFinding] = []
    let original = key.texts[table.development]
    func add(_ kind: LanguageFinding.Kind, _ language: String, _ place: Place?, _ details: [String: String] = [:]) {
      found.append(
        LanguageFinding(
          kind, key.key, table: table.name, language: language, at: place ?? key.place, details: details))
    }
    for language in languages {
      guard let text = key.texts[language] else {
        let isOwnText = language == table.development && table.isCatalog
        if !key.isStale, !isOwnText { add(.missing, language, nil) }
        continue
      }
      for problem in SpecifierCheck(key, table.development).problems(of: text) {
        add(.specifiers, language, text.place, problem)
      }
      for form in PluralForms.missing(in: text, language) { add(.pluralMissing, language, text.place, ["form": form]) }
      guard language != table.development else { continue }
      if text.state == .needsReview { add(.review, language, text.place) }
      let isName = table.isOfSystem && Self.names.contains(key.key)
      if text.state == .new || (!isName && isSame(text, original, language, table.development)) {
        add(.untranslated, language, text.place, ["text": text.value])
      }
    }
    return found
  }

  /// The keys whose values may be the same in all languages.
  private static let names: Set = ["CFBundleDisplayName", "CFBundleName"]

  /// Tells whether a text says the same as in the language of development, though it has words.
  private func isSame(
    _ text: LocalizedText, _ original: LocalizedText?, _ language: String, _ development: String
  ) -> Bool {
    guard let original, text.isPlain, original.isPlain, text.value == original.value else { return false }
    guard language.split(separator: "-").first != development.split(separator: "-").first else { return false }
    let bytes = Array(text.value.utf8)
    var words: [UInt8] = []
    var at = 0
    for range in FormatSpecifiers(text.value).ranges {
      words += bytes[at..<range.lowerBound]
      at = range.upperBound
    }
    let left = String(decoding: words + bytes[at...], as: UTF8.self)
    return left.unicodeScalars.contains { $0.properties.isAlphabetic }
  }

  private func check(_ sources: SourceTexts) -> [LanguageFinding] {
    var found: [LanguageFinding] = []
    let byName = Dictionary(grouping: tables, by: \.name)
    var first: [String: SourceText] = [:]
    for text in resolved(sources.texts, byName) {
      let place = Place.text(file: text.file, line: text.line, column: nil)
      let id = text.table + "\u{0}" + text.key
      if let earlier = first[id] {
        let places = ["first": "\(earlier.file):\(earlier.line)"]
        func add(_ kind: LanguageFinding.Kind, _ one: String?, _ other: String?) {
          guard let one, let other, one != other, !one.isEmpty, !other.isEmpty else { return }
          let details = places.merging(["one": one, "other": other]) { $1 }
          found.append(LanguageFinding(kind, text.key, table: text.table, at: place, details: details))
        }
        add(.comments, earlier.comment, text.comment)
        add(.values, earlier.value, text.value)
        continue
      }
      first[id] = text
      if byName[text.table]?.contains(where: { $0.key(text.key) != nil }) != true {
        found.append(LanguageFinding(.missingKey, text.key, table: text.table, at: place))
      }
    }
    for dynamic in sources.dynamic {
      let place = Place.text(file: dynamic.file, line: dynamic.line, column: nil)
      found.append(LanguageFinding(.dynamic, dynamic.argument, at: place, details: ["function": dynamic.function]))
    }
    for table in tables where !table.isOfSystem {
      for key in table.keys where !key.isManual && first[table.name + "\u{0}" + key.key] == nil {
        found.append(LanguageFinding(.unused, key.key, table: table.name, at: key.place))
      }
    }
    return found
  }

  /// The texts in their order, guessed keys replaced by those that their tables have.
  private func resolved(_ texts: [SourceText], _ tables: [String: [TextTable]]) -> [SourceText] {
    let guessed = tables.mapValues { tables in GuessedKeys(tables.flatMap { $0.keys.map(\.key) }) }
    return texts.flatMap { text in
      (guessed[text.table]?.keys(for: text) ?? [text.key]).map { $0 == text.key ? text : text.with(key: $0) }
    }
  }
}

/// Compares the specifiers of texts with those of the language of development.
struct SpecifierCheck {
  private let original: LocalizedText?
  private let key: FormatSpecifiers

  init(_ key: TextKey, _ development: String) {
    original = key.texts[development]
    self.key = FormatSpecifiers(key.key)
  }

  /// The differences, each as `expected` and `found`.
  func problems(of text: LocalizedText) -> [[String: String]] {
    text.variants.compactMap { variant in
      let found = FormatSpecifiers(variant.value)
      var details = ["text": variant.value, "found": found.description]
      if !variant.path.isEmpty { details["form"] = variant.path.map(\.name).joined(separator: ".") }
      guard found.contradictions.isEmpty else {
        details["expected"] = key.description
        return details
      }
      guard let expected = expected(variant.path), !agrees(found, expected, variant.path, text) else { return nil }
      details["expected"] = expected.description
      return details
    }
  }

  /// The specifiers that a variant should have: those of the same one, else of what stands for it.
  private func expected(_ path: [TextStep]) -> FormatSpecifiers? {
    guard let original else { return key.arguments.isEmpty ? nil : key }
    if let same = original.variants.first(where: { $0.path == path }) { return FormatSpecifiers(same.value) }
    let others = path.map { step -> TextStep in
      switch step {
      case .plural: .plural("other")
      case .device: .device("other")
      default: step
      }
    }
    if let other = original.variants.first(where: { $0.path == others }) { return FormatSpecifiers(other.value) }
    return original.substitutions.isEmpty ? FormatSpecifiers(original.value) : nil
  }

  private func agrees(
    _ found: FormatSpecifiers, _ expected: FormatSpecifiers, _ path: [TextStep], _ text: LocalizedText
  ) -> Bool {
    for (position, argument) in found.arguments {
      guard let other = expected.arguments[position] else {
        // A substitution may take an argument that the original names itself.
        if path.contains(where: { if case .substitution = $0 { true } else { false } }) { continue }
        return false
      }
      if other.type != argument.type { return false }
    }
    let mayLeaveOut =
      path.contains { step in
        if case .plural(let form) = step { ["zero", "one", "two"].contains(form) } else { false }
      } || !found.substitutions.isEmpty || !expected.substitutions.isEmpty || !text.substitutions.isEmpty
    return mayLeaveOut || expected.arguments.keys.allSatisfy { found.arguments[$0] != nil }
  }
}
