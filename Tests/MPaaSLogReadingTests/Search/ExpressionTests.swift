import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSLogReading
@testable import MPaaSLogUpload
@testable import MPaaSLogs

@Suite("Expressions over bytes") struct ExpressionTests {
  /// Tells whether the engine of regular expressions finds a pattern in a text.
  private static func engine(_ pattern: String, _ text: [UInt8], ignoresCase: Bool) throws -> Bool {
    let regex = try LogPattern.compiled(pattern, ignoresCase)
    return String(decoding: text, as: UTF8.self).firstMatch(of: regex) != nil
  }

  @Test(
    "find what the engine finds, in single lines and in many",
    arguments: [
      "error", "^$", "^", "$", "a*", "ERROR|WARN", "took 9\\d\\d ms$", "^2026-.*T08:", "(?i)warn tag1", "[Tt]ag1[0-6]",
      "x{2,4}y", "[^ ]+/v2/", "\\bfoo\\b", "\\Boo", "o\\B", "\\b", "\\B", "$^", "\\b^a", "\\b\\d+\\b", "x\\b.",
      "(a|b)*c", "支付失败", "失败.{2}$", "\\d+ ms", "(?<name>ab)+c", "a(?=b)", "\\Aab",
      "[0-9a-fA-F]{4}", "\\[\\d\\]", "\\x41\\u0042", "user_(12|34)\\d", ".", "..$", "\\S+\\s\\S+", "(?s)a.b",
      "\\Qa.b\\E",
      "[\\w.-]+@[\\w-]+", "\\p{Han}", "(a)\\1", "a++b", "[^a]b", "é", "[à-ü]", "\\t", "(?i:AB)c",
    ])
  func patterns(pattern: String) throws {
    let texts =
      [
        "", "error", "an ERROR and a WARN", "took 976 ms", "took 976 ms.", "2026-01-01T08:00:00", "WARN Tag1 x",
        "tag15",
        "xxxy xy", "/api/v2/orders", "a foo.", "afoo foob", "abc c", "支付失败", "支付失败 原因", "ababc", "ab", "aab", "b",
        "beef 12AF", "[3] AB", "user_345", "a\nb", "a\r\nb", "a\u{85}b", "a\u{2028}b", "a.b", "me@example-1.org", "aa",
        "é",
        "e\u{301}", "ü", "\t", "aBc", "ABc", "x\u{fffd}y", "  ", "12 ms 支付",
      ].map { Array($0.utf8) } + [[0x61, 0xff, 0x62], [0xe6, 0x94], [0x80], [0x61, 0xe6, 0x94, 0xaf, 0x62, 0x63]]
    for ignoresCase in [false, true] {
      let expected = try texts.map { try Self.engine(pattern, $0, ignoresCase: ignoresCase) }
      try Self.check(pattern, texts, expected, ignoresCase)
    }
  }

  /// Compares what a matcher says of texts, one by one and in lines.
  private static func check(_ pattern: String, _ texts: [[UInt8]], _ expected: [Bool], _ ignoresCase: Bool) throws {
    let matcher = PatternMatcher(try LogPattern(pattern, .expression, ignoresCase: ignoresCase))
    for (text, isMatch) in zip(texts, expected) {
      let found = text.withUnsafeBytes { matcher.matches($0) }
      #expect(found == isMatch, "\(pattern) \(ignoresCase) \(String(decoding: text, as: UTF8.self).debugDescription)")
    }
    guard matcher.findsInLines else { return }
    // Lines of their own, so that records are lines.
    let once = zip(texts, expected).filter { !$0.0.contains(10) && !$0.0.isEmpty }
    // Often enough for the matcher to change its way.
    let lines = (0..<6).flatMap { _ in once }
    let all = Array(lines.map(\.0).joined(separator: [10]))
    var found: [Int] = []
    all.withUnsafeBytes { bytes in
      matcher.begin(bytes)
      var done = 0
      while let place = matcher.place(inLines: bytes, from: done) {
        let (start, end) = (bytes.lineStart(place.offset, notBefore: done), bytes.lineEnd(place.offset))
        let line = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
        if matcher.matches(line, isFound: place.isMatch) { found.append(start) }
        done = end + 1
        if done >= bytes.count { return }
      }
    }
    var start = 0
    var wanted: [Int] = []
    for (text, isMatch) in lines {
      if isMatch { wanted.append(start) }
      start += text.count + 1
    }
    #expect(found == wanted, "\(pattern) \(ignoresCase)")
  }

  @Test("agree with the engine on random patterns and texts")
  func random() throws {
    var random = SeededRandom(seed: 41)
    for round in 0..<SeededRandom.rounds(or: 150) {
      var maker = PatternMaker(random: SeededRandom(seed: UInt64(round)))
      let pattern = maker.choice(3)
      let ignoresCase = Bool.random(using: &random)
      let texts = (0..<12).map { _ in maker.text() }
      guard let expected = try? texts.map({ try Self.engine(pattern, $0, ignoresCase: ignoresCase) }) else { continue }
      try Self.check(pattern, texts, expected, ignoresCase)
    }
  }

  @Test("take a word to end where other tools do", arguments: ["read.timeout", "timeout:3", "a timeout", "timeout"])
  func words(text: String) throws {
    let matcher = PatternMatcher(try LogPattern("\\btimeout\\b", .expression))
    for text in [text, text + " 失败"] {
      #expect(Array(text.utf8).withUnsafeBytes { matcher.matches($0) })
    }
    #expect(!Array("timeouts my_timeout".utf8).withUnsafeBytes { matcher.matches($0) })
  }

  @Test("know texts that every match has in it")
  func literals() throws {
    func literals(_ pattern: String, ignoresCase: Bool = false) throws -> [String] {
      try LogPattern(pattern, .expression, ignoresCase: ignoresCase).literals.map {
        String(decoding: $0.bytes, as: UTF8.self) + ($0.folds ? " (folded)" : "")
      }
    }
    #expect(try literals("took 9\\d\\d ms$") == ["took 9"])
    let tags = (0...6).map { "ERROR Tag1\($0)" } + (0...6).map { "WARN Tag1\($0)" }
    #expect(try literals("(ERROR|WARN) Tag1[0-6]") == tags)
    #expect(try literals("(ERROR|WARN) Tag[0-9]{2}") == ["ERROR Tag", "WARN Tag"])
    #expect(try literals("7{3,}") == ["777"])
    #expect(try literals("[01]x+yz") == ["xyz"])
    #expect(try literals("ERROR|WARNING|timeout") == ["ERROR", "WARNING", "timeout"])
    #expect(try literals("[Tt]ag16") == ["tag16 (folded)"])
    #expect(try literals("Error", ignoresCase: true) == ["error (folded)"])
    #expect(try literals("(?i)Error (?-i:Tag)") == ["error tag (folded)"])
    #expect(try literals("(request )+7{3,}") == ["request 777"])
    #expect(try literals("支付(失败|成功)") == ["支付失败", "支付成功"])
    for none in ["a*bcd*", "\\d+", "(abc)?", "(abc|d)", ".*", "[abc]{3}"] { #expect(try literals(none).isEmpty) }
  }

  @Test("know how far before such a text a match may begin")
  func leads() throws {
    for (pattern, lead) in [
      ("request [13579]+ of", 0), ("\\[\\d\\] request \\d+", 5), ("\\b777\\d*", 0), ("x{2,4}yzw", 4), ("x*yzw", nil),
      (".*timeout", nil), ("(ab?|c)?-error \\d", 2), ("é?error \\d", 4), ("^error \\d", 0),
    ] as [(String, Int?)] {
      #expect(try LogPattern(pattern, .expression).lead == lead, "\(pattern)")
    }
  }

  @Test("find matches around texts that overlap, stand in each other or go over lines")
  func overlaps() throws {
    for (pattern, text, isThere) in [
      ("x?abcd|bcdefgh|cde\\d", "  xabcdefgh", true), ("[ab]{2}(aba|bab)\\d", "abababab7", true),
      ("[ab]{2}(aba|bab)\\d", "abababab", false), ("\\d(abc|bcde)x", "1abcabcdex9abcdex", false),
      ("\\d(abc|abcde)x", "1abcabcdex9abcdex", true), ("a\nbcd\\d", "a\nbcd a\nbcd5", true),
    ] as [(String, String, Bool)] {
      let matcher = PatternMatcher(try LogPattern(pattern, .expression))
      #expect(Array(text.utf8).withUnsafeBytes { matcher.matches($0) } == isThere, "\(pattern) \(text)")
    }
  }

  @Test("go on where more states than are kept come up")
  func manyStates() throws {
    // Every state of the last eleven letters is one of its own.
    let matcher = PatternMatcher(try LogPattern("a[ab]{12}c", .expression))
    var random = SeededRandom(seed: 3)
    var text = (0..<30_000).map { _ in Bool.random(using: &random) ? UInt8(ascii: "a") : UInt8(ascii: "b") }
    #expect(!text.withUnsafeBytes { matcher.matches($0) })
    text += Array("abbbbbbbbbbbbc".utf8)
    #expect(text.withUnsafeBytes { matcher.matches($0) })
  }
}

/// Makes patterns, and texts that have something to do with them.
private struct PatternMaker {
  var random: SeededRandom

  private mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int.random(in: 0..<values.count, using: &random)]
  }

  mutating func choice(_ depth: Int) -> String {
    (0..<pick([1, 1, 1, 2, 3])).map { _ in sequence(depth) }.joined(separator: "|")
  }

  private mutating func sequence(_ depth: Int) -> String {
    (0..<pick([1, 2, 3, 4])).map { _ in atom(depth) + (Bool.random(using: &random) ? "" : quantifier()) }.joined()
  }

  private mutating func quantifier() -> String { pick(["", "*", "+", "?", "{2}", "{1,3}", "{2,}", "*?", "+?"]) }

  private mutating func atom(_ depth: Int) -> String {
    if depth > 0, pick([0, 0, 0, 1]) == 1 {
      return pick(["(", "(?:", "(?i:", "(?<n>"]).replacing("<n>", with: "") + choice(depth - 1) + ")"
    }
    return pick([
      "a", "b", "B", "ab", "Ab", "1", " ", "é", "你", "ß", "\\d", "\\w", "\\s", "\\D", "\\S", ".", "[ab]", "[^a]",
      "[a-c1]",
      "[^ ]", "[é你]", "[^\\d]", "^", "$", "\\b", "\\B", "\\.", "\\n",
    ])
  }

  mutating func text() -> [UInt8] {
    var bytes: [UInt8] = []
    for _ in 0..<pick([0, 1, 2, 4, 8, 16]) {
      bytes += pick([
        Array("a".utf8), Array("b".utf8), Array("A".utf8), Array("c".utf8), Array("1".utf8), Array(" ".utf8),
        Array(".".utf8), Array("é".utf8), Array("É".utf8), Array("你".utf8), Array("ß".utf8), Array("\n".utf8),
        Array("\r".utf8), Array("\u{2028}".utf8), [0xff], [0xe4, 0xbd], Array("٣".utf8),
      ])
    }
    return bytes
  }
}
