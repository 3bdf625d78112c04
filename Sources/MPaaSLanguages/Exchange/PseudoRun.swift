import MPaaSSupport

/// Makes the tables of a pseudo-language beside those of the language of development.
package struct PseudoRun: Sendable {
  private let pseudo: PseudoLocalization
  private let language: String
  private let development: String?

  package init(_ pseudo: PseudoLocalization, language: String, development: String?) {
    self.pseudo = pseudo
    self.language = language
    self.development = development
  }

  package func changes(_ files: LanguageFiles) throws -> [LanguageFileChange] {
    let main = files.development(development)
    let hasMain = files.files.contains { $0.language == main }
    var changes: [LanguageFileChange] = []
    for file in files.files {
      let isMain = file.language.map { $0 == main || ($0 == "Base" && !hasMain) } ?? true
      guard isMain else { continue }
      let bytes = try Bytes.mapping(file.path).array
      switch file.kind {
      case .xcstrings: changes.append(try catalog(bytes, file.path))
      case .strings: changes.append(try change(file, try strings(bytes, file.path)))
      case .stringsdict: changes.append(try change(file, try dictionary(bytes, file.path)))
      case .csv: continue
      }
    }
    return changes
  }

  private func change(_ file: LanguageFiles.File, _ bytes: [UInt8]) throws -> LanguageFileChange {
    let folder = FileSystem.folder(of: file.path)
    let parent = file.language == nil ? folder : FileSystem.folder(of: folder)
    let path = "\(parent)/\(language).lproj/\(FileSystem.name(of: file.path))"
    let old = FileStatus(path)?.kind == .file ? try Bytes.mapping(path).array : nil
    return LanguageFileChange(path: path, old: old, new: bytes)
  }

  private func strings(_ bytes: [UInt8], _ path: String) throws -> [UInt8] {
    let file = try StringsFile(bytes, file: path)
    return try file.bytes(
      file.entries.enumerated().map { .setValue(pseudo.text($1.value), ofEntry: $0) })
  }

  private func dictionary(_ bytes: [UInt8], _ path: String) throws -> [UInt8] {
    let file = try StringsDictionary(bytes, file: path)
    return try StringsDictionary.bytes(file.entries.map { ($0.key, text($0.text)) }, file: path)
  }

  private func catalog(_ bytes: [UInt8], _ path: String) throws -> LanguageFileChange {
    let catalog = try StringCatalog(bytes, file: path)
    var changes: [String: CatalogNode?] = [:]
    for key in TextTable(catalog, name: "").keys where key.isTranslated && !key.isStale {
      guard var node = catalog.entry(key.key) else { continue }
      let original = key.developmentText(catalog.sourceLanguage)
      node.set(text(original).catalogNode(.translated), at: ["localizations", language])
      changes[key.key] = node
    }
    return LanguageFileChange(path: path, old: bytes, new: catalog.bytes(replacing: changes))
  }

  /// The text in all its variants; those that are put into another one stand between its brackets.
  private func text(_ original: LocalizedText) -> LocalizedText {
    var inner = pseudo
    inner.hasBrackets = false
    var text = original
    for index in text.variants.indices {
      let variant = text.variants[index]
      text.variants[index].value = (variant.isSubstitution ? inner : pseudo).text(variant.value)
    }
    return text
  }
}

extension LocalizedText.Variant {
  /// Tells whether it takes the place of an argument in another variant.
  fileprivate var isSubstitution: Bool {
    path.contains { step in
      if case .substitution = step { true } else { false }
    }
  }
}
