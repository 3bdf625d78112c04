import Testing

@testable import MPaaSLanguages

@Suite("Keys that sources only guess") struct GuessedKeysTests {
  private func text(_ key: String, isGuessed: Bool = true, table: String = "T") -> SourceText {
    SourceText(key: key, table: table, file: "a.swift", line: 1, isGuessed: isGuessed)
  }

  @Test(
    "have a shape without the types of specifiers",
    arguments: [
      ("%lld items", "% items"), ("%@ items", "% items"), ("100 %% of %1$@", "100 %% of %"), ("plain", "plain"),
      ("", ""), ("%", "%"), ("价 %d", "价 %"),
    ])
  func shapes(text: String, shape: String) {
    #expect(GuessedKeys.shape(text) == shape)
  }

  @Test("stand for the keys that differ in types only")
  func resolved() {
    let keys = GuessedKeys(["%d items", "%@ items", "%d others", "items"])
    #expect(keys.keys(for: text("%lld items")) == ["%@ items", "%d items"])
  }

  @Test("stand for themselves where the table has them, or none like them")
  func themselves() {
    let keys = GuessedKeys(["%lld items", "%d items"])
    #expect(keys.keys(for: text("%lld items")) == ["%lld items"])
    #expect(keys.keys(for: text("%lld others")) == ["%lld others"])
  }

  @Test("are not replaced where they are known")
  func known() {
    #expect(GuessedKeys(["%d items"]).keys(for: text("%lld items", isGuessed: false)) == ["%lld items"])
  }

  @Test("are those of one table")
  func tables() {
    let texts = [text("%lld a"), text("%lld a", table: "U"), text("b", isGuessed: false)]
    #expect(texts.resolved(among: ["%d a"], table: "T").map(\.key) == ["%d a", "b"])
  }
}
