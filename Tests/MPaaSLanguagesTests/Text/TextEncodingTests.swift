import MPaaSLanguages
import Testing

@Suite("The encoding of a table") struct TextEncodingTests {
  static let all: [TextEncoding] = [
    .utf8(hasMark: false), .utf8(hasMark: true), .utf16(isBig: true, hasMark: true),
    .utf16(isBig: false, hasMark: true), .utf16(isBig: true, hasMark: false), .utf16(isBig: false, hasMark: false),
  ]

  @Test("is known by its first bytes, and gives back what it took", arguments: all)
  func roundTrip(encoding: TextEncoding) {
    let text = Array("\"a\" = \"价 👍 \u{301}\";\n".utf8)
    let bytes = encoding.encode(text)
    #expect(TextEncoding(of: bytes) == encoding)
    #expect(encoding.decode(bytes) == text)
  }

  @Test("is UTF-8 where nothing tells", arguments: [[], [0x41], [0, 0], [0, 0, 0x41]] as [[UInt8]])
  func unknown(bytes: [UInt8]) {
    #expect(TextEncoding(of: bytes) == .utf8(hasMark: false))
  }

  @Test("of a mark alone has no text", arguments: [[0xef, 0xbb, 0xbf], [0xfe, 0xff], [0xff, 0xfe]] as [[UInt8]])
  func markAlone(bytes: [UInt8]) {
    #expect(TextEncoding(of: bytes).decode(bytes) == [])
  }

  @Test(
    "refuses bytes that are no text of it",
    arguments: [
      [0x41, 0xff], [0xc3], [0xed, 0xa0, 0x80], [0xc0, 0x80], [0xef, 0xbb, 0xbf, 0x80],
      // Half a unit, and surrogates without their others.
      [0xfe, 0xff, 0x00], [0xfe, 0xff, 0xd8, 0x00], [0xff, 0xfe, 0x00, 0xdc], [0xff, 0xfe, 0x00, 0xd8, 0x41, 0x00],
    ] as [[UInt8]])
  func refused(bytes: [UInt8]) {
    #expect(TextEncoding(of: bytes).decode(bytes) == nil)
  }
}
