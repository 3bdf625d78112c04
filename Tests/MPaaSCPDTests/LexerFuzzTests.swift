import MPaaSCPD
import MPaaSTestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite("Lexers of any bytes") struct LexerFuzzTests {
  @Test(
    "give tokens in order inside of the source, whatever was changed in it", .fixtures, arguments: PeerTokenTests.tables
  )
  func mutations(source: String) throws {
    let path = try Fixture.path("scan/cpd/pmd-testdata/" + source)
    let original = [UInt8](try Data(contentsOf: URL(filePath: path)))
    var random = SeededRandom(seed: UInt64(original.count))
    for _ in 0..<SeededRandom.rounds(or: 12) {
      var bytes = Array(original.prefix(4000))
      for _ in 0..<Int.random(in: 1...8, using: &random) where !bytes.isEmpty {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.removeSubrange(place..<min(bytes.count, place + 20))
        case 2: bytes.insert(contentsOf: Self.signs.randomElement(using: &random) ?? [], at: place)
        default: bytes.removeLast(bytes.count - place)
        }
      }
      for language in SourceLanguage.allCases {
        let tokens = PositionedTokens(bytes, language, ignoresImports: random.next().isMultiple(of: 2))
        var last = 0
        // One comparison for all: each expectation costs more than a token.
        let isOrdered = tokens.tokens.lazy.filter { !$0.isCut }.allSatisfy { token in
          defer { last = token.end }
          return token.start >= last && token.end > token.start && token.end <= bytes.count
        }
        #expect(isOrdered, "\(language) of \(bytes)")
      }
    }
  }

  private static let signs = [
    "\"\"\"", "#\"", "`", "/*", "*/", "R\"x(", "[==[", "${", "\\(", "<![CDATA[", "<!--", "'", "CPD-OFF", "// CPD-ON\n",
    "require(", "import {", "\\\n", "/", "\u{feff}",
  ].map { Array($0.utf8) }

  @Test("take time linear in the source, whatever is repeated", arguments: SourceLanguage.allCases)
  func linear(language: SourceLanguage) {
    for unit in [
      "\"", "/", "[=", "`${", "\"\\(", "/*", "<", "#\"", "R\"(", "'", "x", "require(", "import ", "\n#\\\n", "=", "$",
    ] {
      let (short, long) = (Self.time(unit, 5_000, language), Self.time(unit, 40_000, language))
      #expect(long < max(short, .milliseconds(5)) * 60, "\(unit) repeated")
    }
  }

  private static func time(_ unit: String, _ count: Int, _ language: SourceLanguage) -> Duration {
    let bytes = Array(String(repeating: unit, count: count).utf8)
    let start = ProcessorTime()
    _ = PositionedTokens(bytes, language, ignoresImports: true)
    return start.elapsed
  }
}
