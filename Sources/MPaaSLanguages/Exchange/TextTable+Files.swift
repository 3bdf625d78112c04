import MPaaSSupport

/// A file of a table in another format.
package struct ConvertedFile: Sendable {
  /// Under the folder that it goes to.
  package let path: String
  package let bytes: [UInt8]

  package init(path: String, bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
  }
}

extension TextTable {
  /// The table as `.lproj/NAME.strings` of each language, with a `.stringsdict` where texts have forms of numbers.
  ///
  /// - Throws: `i18n-not-expressible` for variants that neither has.
  package func stringsFiles(_ languages: [String]) throws(LanguageError) -> [ConvertedFile] {
    var files: [ConvertedFile] = []
    for language in languages {
      var plain: [(key: String, value: String, comment: String?)] = []
      var formed: [(key: String, text: LocalizedText)] = []
      for key in keys {
        let own = key.texts[language]
        guard let text = own ?? (isCatalog && language == development ? key.developmentText(language) : nil) else {
          continue
        }
        if text.isPlain { plain.append((key.key, text.value, key.comment)) } else { formed.append((key.key, text)) }
      }
      let path = "\(language).lproj/\(name)"
      if !plain.isEmpty {
        files.append(ConvertedFile(path: path + ".strings", bytes: Array(StringsFile.text(plain).utf8)))
      }
      if !formed.isEmpty {
        let bytes = try StringsDictionary.bytes(formed, file: path + ".stringsdict")
        files.append(ConvertedFile(path: path + ".stringsdict", bytes: bytes))
      }
    }
    return files
  }

  /// The table as a string catalogue; that of a catalogue has all members of its file in their order.
  package func catalogBytes(_ languages: [String]) -> [UInt8] {
    if let catalog { return catalog.bytes(languages) }
    var strings = CatalogObject()
    for key in keys.sorted(by: { KeyOrder.isBefore($0.key, $1.key) }) {
      var node = CatalogNode.object(CatalogObject())
      if let comment = key.comment, !comment.isEmpty { node.set(.string(comment), at: ["comment"]) }
      if key.isStale {
        node.set(.string("stale"), at: ["extractionState"])
      } else if !isCatalog || key.isManual {
        node.set(.string(key.isManual ? "manual" : "migrated"), at: ["extractionState"])
      }
      for language in languages {
        guard let text = key.texts[language] else { continue }
        node.set(text.numbered.catalogNode(), at: ["localizations", language])
      }
      if !key.isTranslated { node.set(.word("false"), at: ["shouldTranslate"]) }
      strings.members.append(.init(key.key, node))
    }
    let root = CatalogObject([
      .init("sourceLanguage", .string(development)), .init("strings", .object(strings)),
      .init("version", .string("1.0")),
    ])
    return Array(CatalogWriter().text(.object(root)).utf8)
  }

  /// The table as XLIFF 1.2, a file for each language but that of development.
  package func xliff(_ languages: [String]) -> String {
    var text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <xliff xmlns="urn:oasis:names:tc:xliff:document:1.2" version="1.2">

      """
    for language in languages where language != development {
      text += "  <file original=\"\(name.escapedMarkup(.quoted)).strings\" "
      text += "source-language=\"\(development.escapedMarkup(.quoted))\" "
      text += "target-language=\"\(language.escapedMarkup(.quoted))\" datatype=\"plaintext\">\n    <body>\n"
      for key in keys where key.isTranslated { text += unit(key, language) }
      text += "    </body>\n  </file>\n"
    }
    return text + "</xliff>\n"
  }

  private func unit(_ key: TextKey, _ language: String) -> String {
    let source = key.developmentText(development)
    let target = key.texts[language]
    var paths = source.variants.map(\.path)
    for variant in target?.variants ?? [] where !paths.contains(variant.path) { paths.append(variant.path) }
    var text = ""
    for path in paths {
      let id = ([key.key] + path.map(\.name)).joined(separator: "|==|")
      let original = source.variants.first { $0.path == path }?.value ?? source.value
      text += "      <trans-unit id=\"\(id.escapedMarkup(.quoted))\" xml:space=\"preserve\">\n"
      text += "        <source>\(original.escapedMarkup(.quoted))</source>\n"
      if let target, let value = target.variants.first(where: { $0.path == path })?.value {
        let state = [.translated: "translated", .new: "new"][target.state] ?? "needs-review-translation"
        text += "        <target state=\"\(state)\">\(value.escapedMarkup(.quoted))</target>\n"
      }
      if let comment = key.comment, !comment.isEmpty {
        text += "        <note>\(comment.escapedMarkup(.quoted))</note>\n"
      }
      text += "      </trans-unit>\n"
    }
    return text
  }
}

extension LocalizedText {
  /// The text with substitutions as catalogues want them: their arguments by number.
  var numbered: LocalizedText {
    guard !substitutions.isEmpty else { return self }
    var text = self
    for index in text.substitutions.indices where text.substitutions[index].argument == nil {
      text.substitutions[index].argument = index + 1
    }
    text.variants = variants.map { variant in
      guard case .substitution(let name)? = variant.path.first,
        let specifier = substitutions.first(where: { $0.name == name })?.specifier
      else { return variant }
      return Variant(variant.path, variant.value.replacing("%" + specifier, with: "%arg"))
    }
    return text
  }
}
