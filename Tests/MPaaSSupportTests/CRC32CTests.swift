import MPaaSSupport
import Testing

@Suite("CRC-32C") struct CRC32CTests {
  private func sum(_ pieces: [UInt8]...) -> UInt32 {
    var sum = CRC32C()
    for piece in pieces { piece.withUnsafeBytes { sum.update($0) } }
    return sum.value
  }

  @Test("is that of the examples of RFC 3720, B.4")
  func examples() {
    #expect(sum([UInt8](repeating: 0, count: 32)) == 0x8a91_36aa)
    #expect(sum([UInt8](repeating: 0xff, count: 32)) == 0x62a8_ab43)
    #expect(sum(Array(0..<32)) == 0x46dd_794e)
    #expect(sum(Array("123456789".utf8)) == 0xe306_9283)
  }

  @Test("is the same however the bytes are cut")
  func pieces() {
    let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 13) }
    for cut in [0, 1, 7, 8, 9, 500, 999] {
      #expect(sum(Array(bytes[..<cut]), Array(bytes[cut...])) == sum(bytes))
    }
  }
}
