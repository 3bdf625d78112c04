import MPaaSHotpatch
import MPaaSTestSupport
import Testing

@testable import MPaaSHotpatchTools

@Suite("The Lua parser, fuzzed") struct LuaSyntaxFuzzTests {
  static let seeds = [
    """
    local a <const>, b = 0x1p4, [==[ long ]==] -- comment
    goto done
    for i = 1, #b do if i % 2 == 0 then t[i] = b:sub(i, i) .. "x\\n" else break end end
    ::done:: return function(...) local c = {...; a = 1, [b] = 2} return c, a end
    """,
    """
    waxClass{"Cart"}
    function total(self, items, rate) local sum <close> = nil
    repeat sum = (sum or 0) + items[1].price // 2 >> 1 ~ 3 until not sum <= 3 ^ 2 ^ .5
    while sum do do local sum = 'a\\z   b\\u{48}' end end return self:ORIGtotal(items, -rate), ~1 & 2 | 3 end
    """,
  ].map { Array($0.utf8) }

  static let words = [
    "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in", "local", "nil",
    "not",
    "or", "repeat", "return", "then", "true", "until", "while", "+", "-", "*", "/", "//", "%", "^", "#", "&", "~", "|",
    "<<", ">>", "==", "~=", "<=", ">=", "<", ">", "=", "(", ")", "{", "}", "[", "]", "::", ";", ":", ",", ".", "..",
    "...", "a", "b", "'s'", "1", "0x1p3", "[[x]]", "::a::", "goto a", "<const>", "<close>", "--", "--[[", "]]", "\n",
  ]

  static func mutated(_ program: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
    var result = program
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let start = Int.random(in: 0...result.count, using: &random)
      let end = min(result.count, start + Int.random(in: 0...6, using: &random))
      switch Int.random(in: 0..<5, using: &random) {
      case 0: result.removeSubrange(start..<end)
      case 1: result.insert(UInt8.random(in: 0...255, using: &random), at: start)
      case 2: result.insert(contentsOf: result[start..<end], at: Int.random(in: 0...result.count, using: &random))
      case 3: result.insert(contentsOf: " \(words.randomElement(using: &random) ?? "") ".utf8, at: start)
      default:
        result.replaceSubrange(start..<end, with: " \(words.randomElement(using: &random) ?? "") ".utf8)
      }
    }
    return result
  }

  @Test("says of mutated programs what Lua 5.4 says", .tool("lua5.4"))
  func mutated() throws {
    var random = SeededRandom(seed: 54)
    let programs = (0..<SeededRandom.rounds(or: 600)).map { Self.mutated(Self.seeds[$0 % 2], &random) }
    let verdicts = try LuaPeer.verdicts(programs)
    #expect(verdicts.count == programs.count)
    for (program, verdict) in zip(programs, verdicts) {
      #expect((LuaPeer.ours(program) == nil) == verdict, "\(String(decoding: program, as: UTF8.self))")
    }
  }

  @Test("says of random words what Lua 5.4 says", .tool("lua5.4"))
  func words() throws {
    var random = SeededRandom(seed: 55)
    let programs = (0..<SeededRandom.rounds(or: 600)).map { _ in
      let count = Int.random(in: 1...12, using: &random)
      return Array((0..<count).compactMap { _ in Self.words.randomElement(using: &random) }.joined(separator: " ").utf8)
    }
    let verdicts = try LuaPeer.verdicts(programs)
    for (program, verdict) in zip(programs, verdicts) {
      #expect((LuaPeer.ours(program) == nil) == verdict, "\(String(decoding: program, as: UTF8.self))")
    }
  }
}
