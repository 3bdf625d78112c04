import Testing

@testable import MPaaSSupport

@Suite("Text that is valid") struct ValidTextTests {
  @Test("is made of UTF-16, and of no half of a pair")
  func pairs() {
    #expect(String(validUTF16: [0x61, 0xd83d, 0xde00]) == "a😀")
    #expect(String(validUTF16: []) == "")
    #expect(String(validUTF16: [0x61, 0xd83d]) == nil)
    #expect(String(validUTF16: [0xde00, 0xd83d]) == nil)
  }

  @Test("may hold the character that stands for what was repaired")
  func replacement() {
    #expect(String(validUTF16: [0xfffd]) == "\u{fffd}")
    #expect(String(unrepaired: [0xef, 0xbf, 0xbd]) == "\u{fffd}")
  }
}
