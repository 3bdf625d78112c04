import MPaaSPattern
import MPaaSTestSupport
import Testing

@Suite("Where a pattern is found") struct PatternPlaceTests {
  struct Case: Sendable {
    let pattern: String
    let text: String
    /// The match and its groups.
    let found: [String?]?

    init(_ pattern: String, _ text: String, _ found: [String?]?) {
      (self.pattern, self.text, self.found) = (pattern, text, found)
    }
  }

  static let cases = [
    Case("b+", "aabbb", ["bbb"]), Case("b+?", "aabbb", ["b"]), Case("x", "abc", nil),
    Case("(a|ab)(c|bcd)", "abcd", ["abcd", "a", "bcd"]), Case("(a+)(b+)?", "caa", ["aa", "aa", nil]),
    Case("(?:a|b)*(c)", "ababc", ["ababc", "c"]), Case("a{2,3}", "aaaa", ["aaa"]),
    Case("a{2,3}?", "aaaa", ["aa"]), Case("\\bkey=(\\w+)", "monkey=1 key=22", ["key=22", "22"]),
    Case("^b", "ab", nil), Case("b$", "ab", ["b"]), Case("(?i)KEY", "a key", ["key"]),
    Case("(?P<name>é+)", "caféé!", ["éé", "éé"]), Case("", "abc", [""]), Case("(?s)a.b", "a\nb", ["a\nb"]),
    Case("(?:(a)|b)+", "ab", ["ab", "a"]), Case("(x{0,3}?)y", "xxy", ["xxy", "xx"]),
  ]

  @Test("is the leftmost match that Perl would find, with its groups", arguments: cases)
  func places(of item: Case) throws {
    #expect(try found(item.pattern, item.text) == item.found)
    #expect(try Pattern(item.pattern).matches(item.text) == (item.found != nil))
  }

  private func found(_ pattern: String, _ text: String) throws -> [String?]? {
    let bytes = Array(text.utf8)
    return try bytes.withUnsafeBufferPointer { try PatternSearch(pattern).firstMatch(in: $0) }?.map { range in
      range.map { String(decoding: bytes[$0], as: UTF8.self) }
    }
  }

  @Test("knows the most that a match can have")
  func longest() throws {
    #expect(try PatternSearch("a{2,5}(b|cde)?").longestMatch == 8)
    #expect(try PatternSearch("a+").longestMatch == nil)
    #expect(try PatternSearch("(a(b)c)").groupCount == 2)
  }

  @Test("is where RE2's own search tests have it, with all groups", .fixtures)
  func peer() throws {
    #expect(SearchCase.all.count > 1_000)
    for item in SearchCase.all {
      let bytes = Array(item.text.utf8)
      let found = try bytes.withUnsafeBufferPointer { try PatternSearch(item.expression).firstMatch(in: $0) }
      let places = found?.map { $0.map { "\($0.lowerBound)-\($0.upperBound)" } ?? "-" }.joined(separator: " ") ?? "-"
      #expect(places == item.places, "\(item.testDescription)")
    }
  }

  @Test("is there where the automaton says so, whatever the expression and the text")
  func agreement() throws {
    var random = SeededRandom(seed: 28)
    let pieces = [
      "a", "b", "é", "(", ")", "(?:", "|", "*", "+", "?", "??", "{2}", "{1,3}", "[^a]", ".", "^", "$", "\\b",
    ]
    var compared = 0
    for _ in 0..<SeededRandom.rounds(or: 4_000) {
      let expression = (0..<Int.random(in: 1...9, using: &random)).compactMap { _ in
        pieces.randomElement(using: &random)
      }.joined()
      let pattern = try? Pattern(expression), search = try? PatternSearch(expression)
      #expect((pattern == nil) == (search == nil), "\(expression)")
      guard let pattern, let search else { continue }
      for _ in 0..<3 {
        let text = (0..<Int.random(in: 0...8, using: &random)).compactMap { _ in
          ["a", "b", "é", " ", "\n"].randomElement(using: &random)
        }.joined()
        let bytes = Array(text.utf8)
        let found = bytes.withUnsafeBufferPointer { search.firstMatch(in: $0) }
        #expect((found != nil) == pattern.matches(text), "\(expression) in \(text)")
        if found != nil { #expect(bytes.withUnsafeBufferPointer { search.mayMatch($0) }, "\(expression) in \(text)") }
        compared += 1
      }
    }
    #expect(compared > 1_000)
  }
}
