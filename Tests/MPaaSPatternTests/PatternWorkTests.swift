import MPaaSTestSupport
import Testing

@testable import MPaaSPattern

@Suite("The work of a search") struct PatternWorkTests {
  static let hostile = [
    "(a+)+$", "(a|a)*b", "(a|aa)+$", "(.*a){20}b", "(x+x+)+y", "(a{0,500})*b", "(a?){500}b", "[ab]*a[ab]{900}c",
    "(a|b)*a(a|b){14}c", "a([ab]c?){300}d", "(a*b*c*){200}x", "((a*)*)*b", "(.*)(.*)(.*)(.*)(.*)[^a-d]",
    "^(([a-z])+.)+[A-Z]([a-z])+$", "(ab|ba|a|b){250}c", #"\b(\w+\s?)*$"#,
  ]

  static func steps(_ pattern: Pattern, _ text: String) -> Int {
    var (steps, text) = (0, text)
    _ = text.withUTF8 { pattern.matches($0, steps: &steps) }
    return steps
  }

  @Test("grows with the text, and no faster, whatever the expression", arguments: hostile)
  func linear(_ expression: String) throws {
    let pattern = try Pattern(expression)
    var random = SeededRandom(seed: 7)
    let text = String((0..<8192).map { _ in Bool.random(using: &random) ? "a" : "b" } as [Character])
    let (once, twice) = (Self.steps(pattern, text), Self.steps(pattern, text + text))
    #expect(once <= 1024 * (text.utf8.count + 1))
    #expect(twice <= 2 * once)
    let same = String(repeating: "a", count: 8192)
    #expect(Self.steps(pattern, same) <= 1024 * (same.utf8.count + 1))
  }

  @Test("leads to the same whether by a table of states or by sets of positions")
  func same() throws {
    let pieces = [
      "a", "b", ".", "[ab]", "[^a]", #"\b"#, #"\B"#, "^", "$", "(?m)", "(?i)", "(", ")", "|", "*", "+", "?", "{2}",
      "{0,3}",
      "é", #"\d"#, #"\w"#, "\n",
    ]
    var random = SeededRandom(seed: 25)
    var compared = 0
    for _ in 0..<SeededRandom.rounds(or: 2_000) {
      let expression = (0..<Int.random(in: 1...8, using: &random)).map { _ in
        pieces.randomElement(using: &random) ?? ""
      }.joined()
      guard let pattern = try? Pattern(expression) else { continue }
      var parser = PatternParser(expression, ignoresCase: false)
      var budget = StateTable.usualBudget
      let positions = try PositionAutomaton(parser.parse(), budget: &budget)
      for _ in 0..<4 {
        var text = (0..<Int.random(in: 0...6, using: &random)).map { _ in
          ["a", "A", "b", "é", "1", " ", "\n"].randomElement(using: &random) ?? ""
        }.joined()
        var steps = 0
        let found = text.withUTF8 { positions.matches($0, steps: &steps) }
        #expect(found == pattern.matches(text), "\(expression) in \(text)")
        compared += 1
      }
    }
    #expect(compared > 500)
  }

  @Test("ends with a pattern or an error, whatever the expression")
  func anything() {
    var random = SeededRandom(seed: 5)
    let signs = Array(#"()[]{}*+?|\^$.-,:=!<>PQEpdwsxiamU0123456789abñ中"#)
    for _ in 0..<SeededRandom.rounds(or: 5_000) {
      let expression = String(
        (0..<Int.random(in: 0...24, using: &random)).map { _ in
          signs.randomElement(using: &random) ?? "a"
        })
      _ = try? Pattern(expression).matches("ab中 12")
    }
  }
}
