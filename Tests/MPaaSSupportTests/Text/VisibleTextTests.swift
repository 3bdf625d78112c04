import MPaaSSupport
import MPaaSToolSupport
import Testing

@Suite("Foreign text") struct VisibleTextTests {
  @Test(
    "what a terminal obeys, what turns the direction and what hides is an escape",
    arguments: [
      ("a\u{1b}[31mb", #"a\u{1b}[31mb"#), ("\r\u{8}\u{7}\u{0}", #"\u{d}\u{8}\u{7}\u{0}"#), ("\r\n", #"\u{d}\u{a}"#),
      ("\u{7f}\u{80}\u{9b}2J", #"\u{7f}\u{80}\u{9b}2J"#), ("a\tb", #"a\u{9}b"#),
      ("\u{61c}\u{200e}\u{200f}", #"\u{61c}\u{200e}\u{200f}"#), ("a\u{202e}b\u{2069}", #"a\u{202e}b\u{2069}"#),
      ("\u{2028}\u{2029}", #"\u{2028}\u{2029}"#), ("pay\u{200b}pal\u{feff}", #"pay\u{200b}pal\u{feff}"#),
      ("pay\u{200c}p\u{200d}al", #"pay\u{200c}p\u{200d}al"#), ("a\u{ad}b\u{2060}", #"a\u{ad}b\u{2060}"#),
      ("x\u{e0061}\u{e007f}", #"x\u{e0061}\u{e007f}"#), ("\u{3164}\u{115f}\u{ffa0}", #"\u{3164}\u{115f}\u{ffa0}"#),
      ("a\u{fe01}😀\u{fe0f}\u{fe01}", "a\\u{fe01}😀\u{fe0f}\\u{fe01}"), ("\u{fff9}\u{1d173}", #"\u{fff9}\u{1d173}"#),
    ])
  func escaped(text: String, shown: String) {
    #expect(VisibleText.of(text) == shown)
    #expect(VisibleText.of(shown) == shown)
  }

  @Test(
    "letters of all scripts, marks and emoji stay",
    arguments: [
      "plain", "中文・かな한글", "é e\u{301}", "👩‍👩‍👧 ❤️ 👍🏽 🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f} 🏳️‍🌈 1️⃣",
      "می\u{200c}خواهم", "क्\u{200d}ष", "עברית العربية \u{600}١", "a\u{a0}b", "葛\u{e0100}", "\u{fffd}\u{e000}",
    ])
  func kept(text: String) {
    #expect(VisibleText.of(text) == text)
  }

  @Test("tabs and line breaks stay where they are asked to, carriage returns never")
  func layout() {
    #expect(VisibleText.of("a\tb\n", keeping: [.tabs, .lines]) == "a\tb\n")
    #expect(VisibleText.of("a\tb\r\n", keeping: [.tabs, .lines]) == "a\tb\\u{d}\n")
    #expect(VisibleText.of("a\tb\n", keeping: .tabs) == "a\tb\\u{a}")
  }

  @Test("in JSON the escapes are its own, of two units where a character has them")
  func json() {
    #expect(VisibleText.of("a\u{1b}\u{202e}\u{e0041}张", as: .json) == #"a\u001b\u202e\udb40\udc41张"#)
  }

  @Test(
    "bytes that are no UTF-8 are shown by their numbers",
    arguments: [
      ([0x61, 0x9b, 0x32], #"a\x9b2"#), ([0xe2, 0x80], #"\xe2\x80"#), ([0xed, 0xa0, 0x80, 0x0a], "\\xed\\xa0\\x80\n"),
      ([0xe5, 0xbc, 0xa0, 0xff, 0x1b], #"张\xff\u{1b}"#), ([], ""),
    ] as [([UInt8], String)])
  func bytes(bytes: [UInt8], shown: String) {
    #expect(bytes.withUnsafeBytes { VisibleText.of($0, keeping: .lines) } == shown)
  }
}
