import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("Hexadecimal digits") struct HexadecimalTests {
  @Test("come back as the bytes that they were written of")
  func roundTrip() {
    var random = SeededRandom(seed: 1)
    for count in 0..<40 {
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      #expect(bytes.hexadecimal.utf8.count == 2 * count)
      #expect([UInt8](hexadecimal: bytes.hexadecimal) == bytes)
      #expect([UInt8](hexadecimal: bytes.hexadecimal.uppercased()) == bytes)
    }
    #expect([0, 9, 10, 0xab, 0xff].hexadecimal == "00090aabff")
  }

  @Test(
    "are refused where they are odd, or something else stands among them", arguments: ["a", "abc", "0g", "0x", "－1"])
  func refused(_ text: String) {
    #expect([UInt8](hexadecimal: text) == nil)
  }
}
