import MPaaSSupport
import Testing

@Suite("Percent encoding") struct PercentEncodingTests {
  @Test(
    "leaves what RFC 3986 leaves, and what is kept",
    arguments: [
      ("Aa0-._~", nil as Unicode.Scalar?, "Aa0-._~"), ("a/b c", nil, "a%2Fb%20c"), ("a/b c", "/", "a/b%20c"),
      ("é%", nil, "%C3%A9%25"), ("", nil, ""),
    ])
  func encodes(_ text: String, _ kept: Unicode.Scalar?, _ encoded: String) {
    #expect(PercentEncoding.encode(text, keeping: kept) == encoded)
    #expect(PercentEncoding.decode(encoded) == text)
    #expect(PercentEncoding.decodeLeniently(encoded.utf8) == text)
  }

  @Test("escapes the bytes that are not kept, in either case of letters")
  func chosen() {
    let bytes = Array("a-é".utf8)
    #expect(PercentEncoding.encode(bytes, keeping: PercentEncoding.isAlphanumeric) == "a%2D%C3%A9")
    #expect(PercentEncoding.encode(bytes, isUppercase: false, keeping: PercentEncoding.isAlphanumeric) == "a%2d%c3%a9")
  }

  @Test("takes no broken triplets, or leaves them, as is asked", arguments: ["%", "a%2", "%zz", "%+1", "100%"])
  func broken(_ text: String) {
    #expect(PercentEncoding.decode(text) == nil)
    #expect(PercentEncoding.decodeLeniently(text.utf8) == text)
  }

  @Test("tells bytes that are no text from those that are")
  func bytes() {
    #expect(PercentEncoding.decode("%ff") == nil)
    #expect(PercentEncoding.decodeLeniently("%ff".utf8) == "\u{fffd}")
    #expect(PercentEncoding.decode("%e4%BD%a0") == "你")
  }
}
