import Testing

@testable import MPaaSSupport

@Suite("Padded numbers") struct PaddedNumberTests {
  @Test("have zeros in front up to the width, and all their digits beyond it")
  func width() {
    #expect(7.padded(to: 3) == "007")
    #expect(1234.padded(to: 3) == "1234")
    #expect(0.padded(to: 0) == "0")
    #expect(UInt64.max.padded(to: 16, radix: 16) == "ffffffffffffffff")
    #expect(UInt8(10).padded(to: 2, radix: 16, uppercase: true) == "0A")
    #expect(UInt8(8).padded(to: 3, radix: 8) == "010")
  }
}
