import Foundation
import MPaaSTestSupport
import Testing

@testable import MPaaSTerminal

@Suite("The catalogue in the program") struct CatalogueTextsTests {
  /// The texts of all files of a language.
  private func files(_ language: Language) throws -> [String: String] {
    let folder = Fixture.package.appending(path: "Sources/MPaaSTerminal/Catalogue/Texts")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    return try names.filter { $0.hasSuffix(".\(language.rawValue).json") }.reduce(into: [:]) { all, name in
      let data = try Data(contentsOf: folder.appending(path: name))
      all.merge(try JSONDecoder().decode([String: String].self, from: data)) { first, _ in first }
    }
  }

  @Test("has each text of the files under its key", arguments: [Language.english, .simplifiedChinese])
  func texts(_ language: Language) throws {
    let texts = CatalogueTexts(language)
    for (key, text) in try files(language) { #expect(texts[key] == text) }
  }

  @Test(
    "has no text for what is no key", arguments: ["", "command", "zzz", "command.common.jso", "command.common.json2"])
  func unknown(_ key: String) {
    #expect(CatalogueTexts(.english)[key] == nil)
  }

  @Test("lists the keys of a beginning in order")
  func beginning() throws {
    let wanted = try files(.english).keys.filter { $0.hasPrefix("command.common.") }.sorted()
    #expect(wanted.count > 3)
    #expect(CatalogueTexts(.english).keys(startingWith: "command.common.") == wanted)
    #expect(CatalogueTexts(.english).keys(startingWith: "~") == [])
  }

  @Test("puts the word that goes with a number, and leaves what it has no value for")
  func plurals() {
    let text = "{count} {count:file is|files are} here, {more} {more:file|files}"
    #expect(Catalogue.fill(text, ["count": "1"]) == "1 file is here, {more} {more:file|files}")
    #expect(Catalogue.fill(text, ["count": "0", "more": "2"]) == "0 files are here, 2 files")
    #expect(Catalogue.fill("{a:b} {:|} {", ["a": "1", "": "1"]) == "{a:b} {:|} {")
  }

  @Test(
    "ends a sentence with one full stop, whatever its last value ends with",
    arguments: [Language.english, .simplifiedChinese])
  func stops(language: Language) {
    let catalogue = Catalogue(language: language)
    let values = ["path": "a", "reason": "No such file."]
    let bare = catalogue.sentence("file-not-created", ["path": "a", "reason": "No such file"])
    #expect(catalogue.sentence("file-not-created", values) == bare)
    #expect(bare.hasSuffix(language == .english ? "file." : "file。"))
    #expect(catalogue.clause("file-not-created", values).hasSuffix("file"))
  }

  @Test("says a reader's reason in words, and leaves any other reason as it is")
  func reasons() {
    for (language, words) in [(Language.english, "an end too early"), (.simplifiedChinese, "内容提前结束")] {
      let catalogue = Catalogue(language: language)
      #expect(catalogue.sentence("dao-json", ["name": "a", "reason": "end-of-input"]).contains(words))
      #expect(catalogue.sentence("dao-json", ["name": "a", "reason": "an end"]).contains("an end"))
    }
  }
}
