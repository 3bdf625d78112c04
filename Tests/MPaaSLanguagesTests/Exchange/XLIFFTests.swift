import MPaaSLanguages
import Testing

@Suite("A table as XLIFF") struct XLIFFTests {
  private func table(_ change: (inout TextKey) -> Void = { _ in }) -> TextTable {
    var table = TextTable(name: "T", development: "en")
    table.update("k") { key in
      key.texts = ["en": LocalizedText("one", .translated), "de": LocalizedText("eins", .translated)]
      change(&key)
    }
    return table
  }

  @Test("has a file for each language but that of development")
  func languages() {
    let text = table().xliff(["en", "de", "fr"])
    #expect(text.contains("target-language=\"de\""))
    #expect(text.contains("target-language=\"fr\""))
    #expect(!text.contains("target-language=\"en\""))
  }

  @Test("has a target only where there is a text")
  func targets() {
    #expect(table().xliff(["de"]).contains("<target state=\"translated\">eins</target>"))
    #expect(!table().xliff(["fr"]).contains("<target"))
  }

  @Test(
    "tells how far a text is",
    arguments: [
      (LocalizedText.State.translated, "translated"), (.new, "new"), (.needsReview, "needs-review-translation"),
    ])
  func states(state: LocalizedText.State, word: String) {
    let text = table { $0.texts["de"]?.state = state }.xliff(["de"])
    #expect(text.contains("<target state=\"\(word)\">"))
  }

  @Test("leaves out what is not to be translated")
  func notTranslated() {
    #expect(!table { $0.isTranslated = false }.xliff(["de"]).contains("<trans-unit"))
  }

  @Test("says no markup where a text, a comment or a name holds some", arguments: ["<b>&\"x\"", "]]>", "--><a"])
  func markup(text: String) {
    let table = table { key in
      key.comment = text
      key.texts = ["en": LocalizedText(text, .translated), "de": LocalizedText(text, .translated)]
    }
    #expect(!table.xliff(["de"]).contains(text))
    #expect(table.xliff(["de"]).contains("<note>"))
  }
}
