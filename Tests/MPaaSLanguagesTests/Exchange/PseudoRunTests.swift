import Foundation
import MPaaSLanguages
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("Tables of a pseudo-language") struct PseudoRunTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func put(_ bytes: [UInt8], _ name: String) throws {
    let url = folder.url.appending(path: name)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
  }

  /// The files that are made, by their paths within the folder.
  private func made() throws -> [String: [UInt8]] {
    var pseudo = PseudoLocalization()
    pseudo.expansion = 0
    let run = PseudoRun(pseudo, language: "zz", development: "en")
    let changes = try run.changes(try LanguageFiles([folder.path]))
    return Dictionary(uniqueKeysWithValues: changes.map { (String($0.path.dropFirst(folder.path.count + 1)), $0.new) })
  }

  @Test("are made of those of the language of development alone, beside them")
  func strings() throws {
    try put(Array("/* c */\n\"k\" = \"a %d\";\n".utf8), "App/en.lproj/A.strings")
    try put(Array("\"k\" = \"x\";\n".utf8), "App/de.lproj/A.strings")
    let made = try made()
    #expect(made.keys.sorted() == ["App/zz.lproj/A.strings"])
    #expect(made.values.first.map { String(decoding: $0, as: UTF8.self) } == "/* c */\n\"k\" = \"[å %d]\";\n")
  }

  @Test("are made of Base where the language of development has no files")
  func base() throws {
    try put(Array("\"k\" = \"a\";\n".utf8), "Base.lproj/A.strings")
    #expect(try made().keys.sorted() == ["zz.lproj/A.strings"])
    try put(Array("\"k\" = \"a\";\n".utf8), "en.lproj/B.strings")
    #expect(try made().keys.sorted() == ["zz.lproj/B.strings"])
  }

  @Test("have each form of a number, in one pair of brackets with the text around it")
  func plurals() throws {
    let text = LocalizedText([.init([.plural("one")], "a"), .init([.plural("other")], "%d b")], .translated)
    try put(try StringsDictionary.bytes([("k", text)], file: "a"), "en.lproj/A.stringsdict")
    let bytes = try #require(try made()["zz.lproj/A.stringsdict"])
    let entries = try StringsDictionary(bytes, file: "a").entries
    let values = try #require(entries.first?.text.variants.map(\.value))
    #expect(values.suffix(2) == ["å", "%d ƀ"])
    #expect(values.count == 3 && values[0].hasPrefix("[%#@") && values[0].hasSuffix("@]"))
  }

  @Test("of a catalogue are a language in it, without what is stale or not to be translated")
  func catalog() throws {
    let empty = try StringCatalog(StringCatalog.empty(sourceLanguage: "en"), file: "a")
    let stale = CatalogNode.object(.init([.init("extractionState", .string("stale"))]))
    let fixed = CatalogNode.object(.init([.init("shouldTranslate", .word("false"))]))
    try put(empty.bytes(replacing: ["a": .object(.init()), "b": stale, "c": fixed]), "L.xcstrings")
    let catalog = try StringCatalog(try #require(try made()["L.xcstrings"]), file: "a")
    #expect(catalog.entry("a")?["localizations", "zz", "stringUnit", "value"]?.string == "[å]")
    #expect(catalog.entry("b")?["localizations"] == nil)
    #expect(catalog.entry("c")?["localizations"] == nil)
  }
}
