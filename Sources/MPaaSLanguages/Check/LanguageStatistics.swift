/// The progress of the languages of tables.
package struct LanguageStatistics: Sendable {
  package struct Row: Sendable, Equatable {
    package let table: String
    package let language: String
    /// Keys that are to be translated.
    package var total = 0
    package var translated = 0
    package var untranslated = 0
    package var review = 0
    package var missing = 0
    /// Texts that no source asks for any more; they do not count above.
    package var stale = 0
    /// The words of the language's texts.
    package var words = 0

    /// In whole percent, 100 only where nothing is left.
    package var percent: Int { total == 0 ? 100 : translated * 100 / total }
  }

  package let rows: [Row]

  package init(_ tables: [TextTable], languages: [String] = []) {
    let everywhere = Set(tables.flatMap(\.languages)).sorted()
    rows = tables.flatMap { table in
      (languages.isEmpty ? everywhere : languages).map { Self.row(table, $0) }
    }
  }

  private static func row(_ table: TextTable, _ language: String) -> Row {
    var row = Row(table: table.name, language: language)
    for key in table.keys where key.isTranslated {
      let isDevelopment = language == table.development
      let text = key.texts[language] ?? (isDevelopment && table.isCatalog ? key.developmentText(language) : nil)
      if key.isStale {
        row.stale += 1
        continue
      }
      row.total += 1
      guard let text else {
        row.missing += 1
        continue
      }
      row.words += words(text.value)
      switch text.state {
      case .translated: row.translated += 1
      case .new where isDevelopment: row.translated += 1
      case .new, .stale: row.untranslated += 1
      case .needsReview: row.review += 1
      }
    }
    return row
  }

  /// Words between blanks; of Chinese and Japanese each character is one.
  static func words(_ text: String) -> Int {
    var count = 0
    var isInWord = false
    for scalar in text.unicodeScalars {
      let isIdeograph = scalar.properties.isIdeographic || (0x3040...0x30ff).contains(scalar.value)
      let isWord = !isIdeograph && (scalar.properties.isAlphabetic || (0x30...0x39).contains(scalar.value))
      if isIdeograph || (isWord && !isInWord) { count += 1 }
      isInWord = isWord || (isInWord && (scalar == "'" || scalar == "’" || scalar == "-"))
    }
    return count
  }
}
