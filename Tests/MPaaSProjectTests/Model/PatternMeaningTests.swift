import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSProject

@Suite("Regular expressions of schemas") struct PatternMeaningTests {
  /// - Source: ECMA-262, "RegExp (Regular Expression) Objects", with the flag `u`.
  @Test(
    "find what ECMA-262 finds",
    arguments: [
      ("a", "xay", true), ("^a", "xa", false), ("a$", "ab", false), ("a$", "a\n", false), ("^a$", "a", true),
      ("^$", "", true), ("", "anything", true), ("^[^a]$", "b", true), ("^[^a]$", "a", false), ("^.$", "😀", true),
      ("^.$", "\n", false), ("^.$", "\u{2028}", false), ("^\\d$", "５", false), ("^\\d$", "5", true),
      ("^\\w$", "é", false),
      ("^\\w+$", "a_9", true), ("^\\W$", "é", true), ("^\\s$", "\u{feff}", true), ("^\\s$", "\u{a0}", true),
      ("^\\S$", "\u{feff}", false),
      ("\\bcat\\b", "a cat.", true), ("\\bcat\\b", "concat", false), ("^\\u4e2d$", "中", true),
      ("^\\u{1f600}$", "😀", true),
      ("^\\x41$", "A", true), ("^\\cJ$", "\n", true), ("^\\0$", "\u{0}", true), ("^\\t\\v\\f$", "\t\u{b}\u{c}", true),
      ("^[\\b]$", "\u{8}", true), ("^[a\\-z]$", "-", true), ("^[a\\-z]$", "m", false), ("^[-a]$", "-", true),
      ("^[a-]$", "-", true),
      ("^[[]$", "[", true), ("^[&&]$", "&", true), ("^[a~~b]$", "~", true), ("^[\\]]$", "]", true),
      ("^[\\s\\S]$", "\n", true),
      ("[]", "a", false), ("^[^]$", "\n", true), ("^a{2}$", "aa", true), ("^a{2,}$", "a", false),
      ("^a{1,2}$", "aaa", false),
      ("^(?:ab)+$", "abab", true), ("^(a)\\1$", "aa", true), ("^(?<n>a)\\k<n>$", "aa", true), ("^a(?=b)", "ab", true),
      ("^a(?!b)", "ab", false), ("^(a|bc)$", "bc", true), ("^a?b*c+?$", "cc", true), ("^\\p{Lu}$", "É", true),
      ("^\\p{Lu}$", "é", false),
      ("^\\P{L}$", "1", true), ("^\\p{Script=Han}+$", "中文", true), ("^\\p{Script=Han}+$", "abc", false),
      ("^\\.\\*\\/\\$$", ".*/$", true),
      ("^[\\w.-]+@[\\w-]+\\.[a-z]{2,}$", "a.b@c-d.org", true), ("^e\u{301}$", "e\u{301}", true),
      ("^e.$", "e\u{301}", true),
      ("^#/$", "#/", true), ("^\\^\\|\\(\\)$", "^|()", true),
    ])
  func meaning(pattern: String, text: String, isFound: Bool) {
    #expect(PatternTranslation.swift(pattern) != nil, "\(pattern)")
    #expect(ModelJudge.isFound(pattern, in: text) == isFound, "\(PatternTranslation.swift(pattern) ?? "none")")
  }

  @Test(
    "are refused where ECMA-262 has none, at any place",
    arguments: [
      "+", "a|*", "(?:", "(?<>a)", "(?<n>a", "[z", "[a\\", "\\", "\\u{110000}", "\\u{}", "\\ud800", "\\c1", "\\xg0",
      "\\p{", "\\p",
      "\\k<n", "x{2}{3}", "^*", "(?<=a)", "(?i)a", "\\e", "\\a", "a+++",
    ])
  func refused(pattern: String) { #expect(PatternTranslation.swift(pattern) == nil) }

  @Test("that are taken are ones for Swift, too, so that none refuses every text")
  func compiles() {
    var random = SeededRandom(seed: 27)
    let pieces = [
      "a", "中", "(", ")", "(?:", "(?=", "[", "]", "[^", "-", "{2}", "{2,3}", "{", "}", "*", "+", "?", "|", "^", "$",
      ".", "\\d", "\\s",
      "\\b", "\\u0041", "\\/", "&", "~", "#", "\\p{L}", "\\x41", "\\cA", "0", ",", "(?<n>", "😀",
    ]
    var taken = 0
    for _ in 0..<SeededRandom.rounds(or: 2500) {
      let pattern = (0..<Int.random(in: 1...6, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
        .joined()
      guard let swift = PatternTranslation.swift(pattern) else { continue }
      taken += 1
      #expect((try? Regex(swift)) != nil, "\(pattern) as \(swift)")
    }
    #expect(taken > 300)
  }
}
