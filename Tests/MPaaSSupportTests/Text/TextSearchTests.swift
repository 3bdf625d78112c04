import Testing

@testable import MPaaSSupport

@Suite("Searching in texts on any system") struct TextSearchTests {
  static let texts = [
    "", "a", "aa", "aab", "abcab", "http://host/path", "e\u{301}a", "\u{e9}a", "a\r\nb", "数据数据库", "👨‍👩‍👧 a",
  ]
  static let parts = ["", "a", "ab", "aab", "://", "e", "\u{e9}", "\r", "\n", "\r\n", "数据库", "👨", "abcabc"]

  @Test("finds what the standard library finds", arguments: texts)
  func search(_ text: String) {
    for part in Self.parts {
      #expect(text.search(for: part) == text.firstRange(of: part), "\(part.debugDescription)")
      #expect(text.firstPlace(of: part) == text.firstRange(of: part))
      #expect(text[...].has(part[...]) == text.contains(part))
      if !part.isEmpty { #expect(text.replacing(all: part, with: "<b>") == text.replacing(part, with: "<b>")) }
      if part.count == 1, let letter = part.first {
        #expect(text.replacing(each: letter, with: "<b>") == text.replacing(part, with: "<b>"))
      }
    }
  }

  @Test(
    "takes the bytes that the standard library takes for UTF-8",
    arguments: [
      [], [0x61, 0], [0xc3, 0xa9], [0xc3], [0xff], [0xef, 0xbf, 0xbd], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80],
      [0xf0, 0x9f, 0x91, 0xa8], [0xc0, 0x80], [0x61, 0xcc, 0x81],
    ] as [[UInt8]])
  func validation(_ bytes: [UInt8]) {
    let text = String(validating: bytes, as: UTF8.self)
    #expect(String(unrepaired: bytes).map { Array($0.utf8) } == text.map { Array($0.utf8) })
    #expect(String(validUTF8: bytes).map { Array($0.utf8) } == text.map { Array($0.utf8) })
  }
}
