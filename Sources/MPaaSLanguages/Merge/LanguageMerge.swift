import MPaaSSupport
package import MPaaSToolSupport

/// A file before and after.
package struct LanguageFileChange: Sendable {
  package let path: String
  /// Nil for a file that is made.
  package let old: [UInt8]?
  package let new: [UInt8]
  package let summary: MergeSummary

  package init(path: String, old: [UInt8]?, new: [UInt8], summary: MergeSummary = MergeSummary()) {
    self.path = path
    self.old = old
    self.new = new
    self.summary = summary
  }

  package var isChanged: Bool { old != new }

  /// The difference as lines, whatever the encoding.
  package var diff: [TextDiff.UnifiedLine] {
    func text(_ bytes: [UInt8]?) -> String {
      guard let bytes else { return "" }
      return String(decoding: TextEncoding(of: bytes).decode(bytes) ?? bytes, as: UTF8.self)
    }
    let path = path.hasPrefix("/") ? String(path.dropFirst()) : path
    return TextDiff(from: text(old), to: text(new)).unified(from: old == nil ? nil : path, to: path)
  }
}

/// Merges into all files of tables at once.
package struct LanguageMerge: Sendable {
  package var development: String?
  /// The language of files that lie in no `.lproj` folder.
  package var language: String?
  /// Tells whether texts go that an earlier merge marked as stale, and that still no source asks for.
  package var removesStale = false
  /// Percent of a file's texts that may go at once.
  package var mostRemoved = 10
  package var prefersTheirs = false

  package init() {}

  /// Brings what sources ask for into tables of all languages.
  ///
  /// - Throws: Where texts would go that may be in use: `i18n-prune-dynamic`, `i18n-prune-swiftui`, `i18n-prune-share`.
  package func merge(_ sources: SourceTexts, into files: LanguageFiles) throws -> [LanguageFileChange] {
    if removesStale { try checkCertainty(of: sources) }
    var changes: [LanguageFileChange] = []
    let main = files.development(development)
    let written = Set(files.files.filter { $0.language == main }.map(\.table))
    func isMain(_ file: LanguageFiles.File) -> Bool {
      guard let own = file.language else { return (language ?? main) == main }
      return own == main || (own == "Base" && !written.contains(file.table))
    }
    for file in files.files where file.kind == .xcstrings || file.kind == .strings {
      let bytes = try Bytes.mapping(file.path).array
      if file.kind == .xcstrings {
        changes.append(try change(bytes, file, sources.texts))
        continue
      }
      let strings = try StringsFile(bytes, file: file.path)
      let merge = try sourceMerge(sources.texts, strings, file)
      let original = isMain(file) ? nil : try originals(of: file, files, isMain, merge)
      let (edits, summary) = merge.edits(of: strings, original: original)
      try checkShare(summary, of: strings.entries.count, file.path)
      changes.append(
        LanguageFileChange(path: file.path, old: bytes, new: try strings.bytes(edits), summary: summary))
    }
    return changes
  }

  /// Refuses to remove texts while what sources ask for is not known for certain.
  private func checkCertainty(of sources: SourceTexts) throws(LanguageError) {
    if let call = sources.dynamic.first {
      let values = ["count": String(sources.dynamic.count), "function": call.function, "argument": call.argument]
      throw LanguageError(.pruneDynamic, values, at: .text(file: call.file, line: call.line, column: 1))
    }
    if let file = sources.withoutSwiftUI {
      throw LanguageError(.pruneSwiftUI, ["file": file], at: .file(file))
    }
  }

  /// Refuses to remove more of a file than is likely to be meant.
  private func checkShare(_ summary: MergeSummary, of count: Int, _ path: String) throws(LanguageError) {
    guard summary.removed.count * 100 > count * mostRemoved else { return }
    let values = ["removed": String(summary.removed.count), "count": String(count), "percent": String(mostRemoved)]
    throw LanguageError(.pruneShare, values, at: .file(path))
  }

  private func change(
    _ bytes: [UInt8], _ file: LanguageFiles.File, _ texts: [SourceText]
  ) throws -> LanguageFileChange {
    let catalog = try StringCatalog(bytes, file: file.path)
    let texts = texts.resolved(among: catalog.entries.lazy.map(\.name), table: file.table)
    var merge = SourceMerge(texts, table: file.table)
    merge.removesStale = removesStale
    merge.leavesUnknown = file.isOfSystem
    let (changes, summary) = merge.changes(of: catalog)
    try checkShare(summary, of: catalog.entries.count, file.path)
    return LanguageFileChange(path: file.path, old: bytes, new: catalog.bytes(replacing: changes), summary: summary)
  }

  private func sourceMerge(
    _ texts: [SourceText], _ strings: StringsFile, _ file: LanguageFiles.File
  ) throws -> SourceMerge {
    let known = try Self.dictionaryKeys(beside: file.path)
    let texts = texts.resolved(among: strings.entries.map(\.key) + known, table: file.table)
    var merge = SourceMerge(texts, table: file.table)
    merge.removesStale = removesStale
    merge.leavesUnknown = file.isOfSystem
    merge.known = known
    return merge
  }

  /// The keys that a `.stringsdict` of the same name has.
  private static func dictionaryKeys(beside path: String) throws -> Set<String> {
    let beside = path + "dict"
    guard FileStatus(beside)?.kind == .file else { return [] }
    return Set(try StringsDictionary(try Bytes.mapping(beside).array, file: beside).entries.map(\.key))
  }

  /// The texts of a table in the language of development once its own merge is done.
  private func originals(
    of file: LanguageFiles.File, _ files: LanguageFiles, _ isMain: (LanguageFiles.File) -> Bool, _ merge: SourceMerge
  ) throws -> [String: String] {
    var texts: [String: String] = [:]
    for text in merge.texts { texts[text.key] = text.value ?? text.key }
    let folder = FileSystem.folder(of: FileSystem.folder(of: file.path))
    for main in files.files where main.kind == .strings && main.table == file.table && isMain(main) {
      guard FileSystem.folder(of: FileSystem.folder(of: main.path)) == folder else { continue }
      for entry in try StringsFile(try Bytes.mapping(main.path).array, file: main.path).entries {
        texts[entry.key] = entry.value
      }
    }
    return texts
  }

  /// Brings the texts of other tables into these, with what both began with where that is there.
  package func merge(
    _ theirs: LanguageFiles, base: LanguageFiles?, into files: LanguageFiles
  ) throws -> [LanguageFileChange] {
    let main = files.development(development)
    let their = try theirs.tables(development: development ?? main, language: language)
    let base = try base?.tables(development: development ?? main, language: language) ?? []
    var changes: [LanguageFileChange] = []
    for file in files.files where file.kind == .xcstrings || file.kind == .strings {
      let bytes = try Bytes.mapping(file.path).array
      guard let table = their.first(where: { $0.name == file.table }) ?? (their.count == 1 ? their.first : nil) else {
        continue
      }
      var merge = TranslationMerge(
        table, base: base.first { $0.name == file.table } ?? (base.count == 1 ? base.first : nil))
      merge.prefersTheirs = prefersTheirs
      if file.kind == .xcstrings {
        let catalog = try StringCatalog(bytes, file: file.path)
        let (edits, summary) = merge.changes(of: catalog)
        changes.append(
          LanguageFileChange(path: file.path, old: bytes, new: catalog.bytes(replacing: edits), summary: summary))
      } else {
        let strings = try StringsFile(bytes, file: file.path)
        let (edits, summary) = merge.edits(of: strings, language: file.language ?? language ?? main)
        changes.append(
          LanguageFileChange(path: file.path, old: bytes, new: try strings.bytes(edits), summary: summary))
      }
    }
    return changes
  }

  /// Brings what sources ask for into one file of the language of development, which is made where it is not there.
  package func merge(_ sources: SourceTexts, intoFile path: String, language: String) throws -> LanguageFileChange {
    let exists = FileStatus(path)?.kind == .file
    let bytes = exists ? try Bytes.mapping(path).array : nil
    if removesStale { try checkCertainty(of: sources) }
    guard let file = LanguageFiles.file(path) else { throw LanguageError(.noTable, ["path": path], at: .file(path)) }
    if file.kind == .xcstrings {
      let old = bytes ?? StringCatalog.empty(sourceLanguage: language)
      let change = try change(old, file, sources.texts)
      return LanguageFileChange(path: path, old: bytes, new: change.new, summary: change.summary)
    }
    let strings = try StringsFile(bytes ?? [], file: path)
    let (edits, summary) = try sourceMerge(sources.texts, strings, file).edits(of: strings)
    try checkShare(summary, of: strings.entries.count, path)
    return LanguageFileChange(path: path, old: bytes, new: try strings.bytes(edits), summary: summary)
  }
}
