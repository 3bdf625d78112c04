import Foundation
import MPaaSLanguages
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("Merging") struct LanguageMergeTests {
  static func strings(_ text: String) throws -> StringsFile { try StringsFile(Array(text.utf8), file: "a.strings") }

  static func texts(_ source: String) -> [SourceText] { extracted(source).texts }

  static func table(_ text: String, _ language: String) throws -> TextTable {
    var table = TextTable(name: "Localizable", development: "en")
    table.add(try strings(text), language: language)
    return table
  }

  @Test("brings new keys in, marks stale ones and keeps every translation; twice changes nothing more")
  func sources() throws {
    let file = try Self.strings("/* x */\n\"kept\" = \"Behalten\";\n\n\"gone\" = \"Weg\";\n")
    let texts = Self.texts(
      #"""
      NSLocalizedString("kept", comment: "y"); NSLocalizedString("new", value: "New!", comment: "n")
      NSLocalizedString("kept", comment: "z")
      """#)
    let merge = SourceMerge(texts, table: "Localizable")
    let (edits, summary) = merge.edits(of: file, original: ["new": "New!"])
    #expect(summary.added == ["new"])
    #expect(summary.stale == ["gone"])
    #expect(summary.commented.isEmpty)
    let merged = try StringsFile(try file.bytes(edits), file: "a.strings")
    #expect(merged.entries.map(\.value) == ["Behalten", "Weg", "New!"])
    #expect(merged.entries.map(\.isStale) == [false, true, false])
    #expect(merged.entries[2].isNew)
    #expect(merged.entries.map(\.comment) == ["x", nil, "n"])
    #expect(merge.edits(of: merged, original: ["new": "New!"]).edits.isEmpty)
    // Translated meanwhile, and asked for again.
    let translated = try StringsFile(try merged.bytes([.setValue("Neu!", ofEntry: 2)]), file: "a.strings")
    let again = SourceMerge(texts + Self.texts(#"NSLocalizedString("gone", comment: "")"#), table: "Localizable")
    let (more, revived) = again.edits(of: translated, original: ["new": "New!"])
    let last = try StringsFile(try translated.bytes(more), file: "a.strings")
    #expect(revived.revived == ["gone"])
    #expect(last.entries.allSatisfy { !$0.isNew && !$0.isStale })
    #expect(last.entries.map(\.value) == ["Behalten", "Weg", "Neu!"])
  }

  @Test("into a catalogue leaves manual entries, asks for review where a text changed, and adds as Xcode does")
  func catalog() throws {
    var node = CatalogNode.object(.init())
    node.set(.string("extracted_with_value"), at: ["extractionState"])
    node.set(LocalizedText("Old", .new).catalogNode(), at: ["localizations", "en"])
    node.set(LocalizedText("Alt", .translated).catalogNode(), at: ["localizations", "de"])
    let manual = CatalogNode.object(.init([.init("extractionState", .string("manual"))]))
    let empty = try StringCatalog(StringCatalog.empty(sourceLanguage: "en"), file: "a")
    let catalog = try StringCatalog(
      empty.bytes(replacing: ["a": node, "manual": manual, "gone": .object(.init())]), file: "a")
    let texts = Self.texts(
      #"String(localized: "a", defaultValue: "New \(n.count)", comment: "c"); String(localized: "b")"#)
    let (changes, summary) = SourceMerge(texts, table: "Localizable").changes(of: catalog)
    let merged = try StringCatalog(catalog.bytes(replacing: changes), file: "a")
    #expect(summary.added == ["b"])
    #expect(summary.changed == ["a"])
    #expect(summary.stale == ["gone"])
    #expect(merged.entry("a")?["localizations", "en", "stringUnit", "value"]?.string == "New %lld")
    #expect(merged.entry("a")?["localizations", "de", "stringUnit", "state"]?.string == "needs_review")
    #expect(merged.entry("a")?["localizations", "de", "stringUnit", "value"]?.string == "Alt")
    #expect(merged.entry("gone")?["extractionState"]?.string == "stale")
    #expect(merged.entry("manual") == manual)
    let again = SourceMerge(texts, table: "Localizable").changes(of: merged)
    #expect(again.changes.isEmpty)
  }

  @Test("of three sides takes what one side changed, and reports what both did")
  func threeWays() throws {
    let base = try Self.table(#""a"="1"; "b"="1"; "c"="1"; "d"="1"; "gone"="1";"#, "de")
    let theirs = try Self.table(#""a"="2"; "b"="1"; "c"="3"; "d"="1"; "e"="5"; "gone"="1"; "n"="N";"#, "de")
    let ours = try Self.strings(
      #""a"="1"; "b"="2"; "c"="2"; "d"="1"; "own"="1"; /* New: not translated yet. */ "n"="n";"#)
    let (edits, summary) = TranslationMerge(theirs, base: base).edits(of: ours, language: "de")
    let merged = try StringsFile(try ours.bytes(edits), file: "a.strings")
    #expect(merged.entries.map { $0.key + $0.value } == ["a2", "b2", "c2", "d1", "own1", "nN", "e5"])
    #expect(summary.conflicts == ["c"])
    #expect(summary.changed == ["a", "n"])
    #expect(summary.added == ["e"])
    var other = TranslationMerge(theirs)
    #expect(other.edits(of: ours, language: "de").summary.conflicts == ["a", "b", "c"])
    other.prefersTheirs = true
    #expect(other.edits(of: ours, language: "de").summary.changed == ["a", "b", "c", "n"])
  }

  @Test("takes a guessed key for those of the table that differ in the types of their specifiers alone")
  func guessed() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/Localizable.xcstrings"
    let empty = try StringCatalog(StringCatalog.empty(sourceLanguage: "en"), file: "a")
    let catalog = empty.bytes(replacing: [
      "%lld of %@": .object(.init()), "100%% %@": .object(.init()), "%lld of them": .object(.init()),
    ])
    try Data(catalog).write(to: URL(filePath: path))
    var texts = SourceTexts()
    texts.texts = Self.texts(#"String(localized: "\(a.b) of \(c.d)"); String(localized: "100% \(x.y)")"#)
    texts.texts += Self.texts(#"String(localized: "\(a.b) new")"#)
    #expect(texts.texts.map(\.key) == ["%@ of %@", "100%% %@", "%@ new"])
    let changes = try LanguageMerge().merge(texts, into: LanguageFiles([path]))
    #expect(changes[0].summary.added == ["%@ new"])
    #expect(changes[0].summary.stale == ["%lld of them"])
    let findings = LanguageCheck(try LanguageFiles([path]).tables(), sources: texts).findings
    #expect(findings.filter { $0.kind == .missingKey }.map(\.key) == ["%@ new"])
    #expect(findings.filter { $0.kind == .unused }.map(\.key) == ["%lld of them"])
  }

  @Test("into Base takes it for the language of development, in each table that has no file of that language")
  func base() throws {
    let folder = try TemporaryFolder()
    for (name, text) in [
      ("Base.lproj/A.strings", ""), ("de.lproj/A.strings", ""), ("en.lproj/B.strings", ""),
      ("Base.lproj/B.strings", ""),
    ] {
      let url = folder.url.appending(path: name)
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url)
    }
    var texts = SourceTexts()
    texts.texts = Self.texts(#"NSLocalizedString("k", tableName: "A", value: "V", comment: "")"#)
    let changes = try LanguageMerge().merge(texts, into: LanguageFiles([folder.path]))
    func text(_ name: String) -> String {
      changes.first { $0.path.hasSuffix(name) }.map { String(decoding: $0.new, as: UTF8.self) } ?? ""
    }
    #expect(text("Base.lproj/A.strings").contains("\"k\" = \"V\";"))
    #expect(!text("Base.lproj/A.strings").contains("New:"))
    #expect(text("de.lproj/A.strings").contains("New:"))
  }
}
