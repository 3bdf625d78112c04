import Foundation
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("Base64") struct Base64Tests {
  @Test("is written and read as others do, padded or not")
  func peers() {
    var random = SeededRandom(seed: 4)
    for size in 0..<100 {
      let bytes = (0..<size).map { _ in UInt8.random(in: 0...255, using: &random) }
      let text = Data(bytes).base64EncodedString()
      #expect(Base64.encode(bytes) == text)
      #expect(Base64.encode(bytes.lazy.map { $0 }) == text)
      #expect(Base64.digits(bytes) == Array(text.utf8))
      #expect(Base64.decode(text.utf8) == bytes)
      let bare = Base64.encode(bytes, isPadded: false)
      #expect(bare == text.replacing("=", with: ""))
      #expect(Base64.decode(bare.utf8, isPadded: false) == bytes)
      #expect(Base64.decode(loose: Array(bare.utf8)) == bytes)
    }
  }

  @Test("has one spelling for each value, of which only loose reading knows others")
  func spellings() {
    for text in ["QUI", "QUI==", "QU I=", "QUI=\n", "QR=="] {
      #expect(Base64.decode(text.utf8) == nil, "\(text)")
      #expect(Base64.decode(loose: Array(text.utf8)) != nil, "\(text)")
    }
    for text in ["Q", "Q===", "Q-__", "QUI=QUI="] {
      #expect(Base64.decode(text.utf8) == nil, "\(text)")
      #expect(Base64.decode(loose: Array(text.utf8)) == nil, "\(text)")
    }
  }
}
