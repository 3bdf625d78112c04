import MPaaSSupport
import Testing

@Suite("A text that looks like what it is") struct PlainTextTests {
  @Test("is composed, and has no controls", arguments: ["", "abc", "a b", "é", "价 👍", "가", "ﬁ", "~"])
  func plain(text: String) {
    #expect(text.isPlainText)
  }

  @Test("has no controls of C0 and C1", arguments: ["\0", "\n", "a\tb", "\u{1b}[31m", "\u{7f}", "\u{85}", "\u{9f}"])
  func controls(text: String) {
    #expect(!text.isPlainText)
  }

  @Test(
    "does not change the direction of writing, or the line",
    arguments: [
      "\u{61c}", "\u{200e}", "\u{200f}", "\u{2028}", "\u{2029}", "\u{202a}", "a\u{202e}b", "\u{2066}", "\u{2069}",
    ])
  func directions(text: String) {
    #expect(!text.isPlainText)
  }

  @Test("has no parts that compose", arguments: ["e\u{301}", "\u{212b}", "\u{1100}\u{1161}"])
  func decomposed(text: String) {
    #expect(!text.isPlainText)
  }
}
