import MPaaSLanguages
import Testing

@Suite("Texts of a pseudo-language") struct PseudoTextTests {
  /// Accents alone.
  private var accents: PseudoLocalization {
    var pseudo = PseudoLocalization()
    pseudo.expansion = 0
    pseudo.hasBrackets = false
    return pseudo
  }

  @Test("are accented letter by letter")
  func letters() {
    #expect(accents.text("Abc xyz") == "Åƀç ẋýž")
  }

  @Test("are nothing where there is nothing")
  func empty() {
    #expect(PseudoLocalization().text("") == "")
  }

  @Test(
    "keep what programs read",
    arguments: [
      "%1$@", "%lld", "%%", "%#@apples@", "<b>", "</b>", "<a href=\"x\">", "&amp;", "&#39;", "{0}", "{name}", "\\n",
      "https://example.com/a?b=c", "http://x",
    ])
  func kept(part: String) {
    #expect(accents.text("a " + part + " b") == "å " + part + " ƀ")
  }

  @Test("end an address where it ends", arguments: [" ", ")", "\""])
  func addresses(end: String) {
    #expect(accents.text("https://a.b" + end + "c") == "https://a.b" + end + "ç")
  }

  @Test("take for words what only begins like something that is kept", arguments: ["< a", "{\na}", "http a", "& a"])
  func words(text: String) {
    #expect(accents.text(text).contains("å"))
  }

  @Test("become longer, short ones more than long ones")
  func expansion() {
    var pseudo = accents
    pseudo.expansion = 50
    let (short, long) = ("Okay", String(repeating: "word ", count: 20))
    #expect(pseudo.text(short).count >= short.count * 2)
    #expect(pseudo.text(long).count > long.count * 7 / 5)
    #expect(pseudo.text(long).count < long.count * 2)
  }

  @Test("do not become longer where they have no letters", arguments: ["%d", "100 %", "<br>", "…"])
  func noLetters(text: String) {
    #expect(PseudoLocalization().text(text) == "[" + text + "]")
  }

  @Test("run from right to left word by word, specifiers left out")
  func rightToLeft() {
    var pseudo = accents
    pseudo.hasAccents = false
    pseudo.direction = .rightToLeft
    #expect(pseudo.text("a %d b") == "\u{200f}\u{202e}a\u{202c}\u{200f} %d \u{200f}\u{202e}b\u{202c}\u{200f}")
  }
}
