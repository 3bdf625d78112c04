import MPaaSSupport
import Testing

@testable import MPaaSLanguages

@Suite("How far languages are") struct LanguageStatisticsTests {
  @Test(
    "is told in words: between blanks, of Chinese and Japanese each character",
    arguments: [
      ("", 0), ("Hello, world", 2), ("don't stop", 2), ("It’s well-known", 2), ("- a -", 1), ("100 %", 1), ("a1 b2", 2),
      ("你好", 2), ("こんにちは", 5), ("カタカナ", 4), ("안녕 하세요", 2), ("共 3 件", 3), ("…!?", 0),
    ])
  func words(text: String, count: Int) {
    #expect(LanguageStatistics.words(text) == count)
  }

  private var table: TextTable {
    var table = TextTable(name: "T", development: "en")
    for (key, state) in [("a", LocalizedText.State.translated), ("b", .new), ("c", .needsReview)] {
      table.update(key) { $0.texts = ["en": LocalizedText("one", .translated), "de": LocalizedText("ein", state)] }
    }
    table.update("d") { $0.texts = ["en": LocalizedText("two words", .translated)] }
    return table
  }

  private func row(_ table: TextTable, _ language: String) throws -> LanguageStatistics.Row {
    try #require(LanguageStatistics([table], languages: [language]).rows.first)
  }

  @Test("counts each key by its state, and those that are missing")
  func states() throws {
    let row = try row(table, "de")
    #expect(row.total == 4)
    #expect(row.translated == 1)
    #expect(row.untranslated == 1)
    #expect(row.review == 1)
    #expect(row.missing == 1)
    #expect(row.percent == 25)
  }

  @Test("is whole in the language of development, new texts or not")
  func development() throws {
    var table = table
    table.update("e") { $0.texts = ["en": LocalizedText("new", .new)] }
    #expect(try row(table, "en").percent == 100)
    #expect(try row(table, "en").words == 6)
  }

  @Test("leaves out texts that are not translated, and counts stale ones apart")
  func leftOut() throws {
    var table = table
    table.update("b") { $0.isTranslated = false }
    table.update("c") { $0.isStale = true }
    let row = try row(table, "de")
    #expect(row.total == 2)
    #expect(row.stale == 1)
  }

  @Test("is whole where there is nothing to translate")
  func nothing() throws {
    #expect(try row(TextTable(name: "T", development: "en"), "de").percent == 100)
  }

  @Test("has a row for each language of any table")
  func languages() {
    let other = TextTable(name: "U", development: "en")
    #expect(LanguageStatistics([table, other]).rows.map { $0.table + $0.language } == ["Tde", "Ten", "Ude", "Uen"])
  }
}
