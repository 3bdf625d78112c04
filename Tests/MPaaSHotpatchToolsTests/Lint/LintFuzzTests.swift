import MPaaSTestSupport
import Testing

@testable import MPaaSHotpatchTools

@Suite("The linter, fuzzed") struct LintFuzzTests {
  static let seeds = PatchLinterTests.clean + PatchLinterTests.wrong.map(\.0)

  @Test("neither crashes nor hangs on mutated patches, and what it mends stays mended")
  func fuzz() {
    var random = SeededRandom(seed: 56)
    for round in 0..<SeededRandom.rounds(or: 200) {
      let program = LuaSyntaxFuzzTests.mutated(Array(Self.seeds[round % Self.seeds.count].utf8), &random)
      let source = LuaSource(program, name: "main.lua")
      let linter = PatchLinter(symbols: Shop.symbols)
      for finding in linter.check([source]) {
        #expect(finding.range.upperBound <= program.count)
        #expect(finding.start.line >= 1)
        #expect(finding.start.column >= 1)
      }
      let mended = LintFixer(linter).mend([source])[0].file
      #expect(LintFixer(linter).mend([mended])[0].file.bytes == mended.bytes)
    }
  }

  static let bombs: [@Sendable (Int) -> String] = [
    { String(repeating: "(", count: $0) }, { String(repeating: "{", count: $0) },
    { "x=" + String(repeating: "-", count: $0 / 2).replacing("--", with: "- -") },
    { String(repeating: "function f() ", count: $0 / 13) }, { String(repeating: "do ", count: $0 / 3) },
    { "x=1" + String(repeating: "+1", count: $0 / 2) }, { "x=a" + String(repeating: ".b", count: $0 / 2) },
    { "f" + String(repeating: "()", count: $0 / 2) }, { String(repeating: "a=b ", count: $0 / 4) },
    { String(repeating: "while true do end ", count: $0 / 18) }, { String(repeating: " \n", count: $0 / 2) },
    { String(repeating: "do local a=1 end ", count: $0 / 17) }, { String(repeating: "goto a ", count: $0 / 7) },
    { (0..<$0 / 12).map { "a\($0)=b\($0) " }.joined() }, { String(repeating: "[", count: $0) },
    { String(repeating: "patch('a.b',f)", count: $0 / 14) }, { String(repeating: "waxClass{'C'}", count: $0 / 13) },
    { "waxClass{'C'}" + (0..<$0 / 24).map { "function m\($0)()end " }.joined() },
    { "x={" + String(repeating: "{},", count: $0 / 3) + "}" }, { "--" + String(repeating: "[=", count: $0 / 2) },
    { "x=" + String(repeating: "a..", count: $0 / 3) + "a" },
    { String(repeating: "-- mpaas: ignore\n", count: $0 / 17) },
  ]

  @Test("ends in time on programs made to last", arguments: bombs.indices)
  func inTime(index: Int) {
    let size = 1 << 14
    let time = ProcessorTime()
    _ = Shop.lint(Self.bombs[index](size))
    #expect(time.elapsed < .seconds(4))
  }
}
