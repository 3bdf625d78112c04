import MPaaSSupport
import Testing

@Suite("Pieces of a PNG file") struct PNGTests {
  @Test("bear their length and their checksum")
  func chunks() {
    // The end of every PNG file.
    #expect(PNG.chunk("IEND", []).hexadecimal == "0000000049454e44ae426082")
    #expect(PNG.chunk("IDAT", [1, 2]).prefix(4).elementsEqual([0, 0, 0, 2]))
    #expect(PNG.number(0x0102_0304) == [1, 2, 3, 4])
  }

  @Test("begin with the size of the picture")
  func header() {
    let header = PNG.header(width: 1, height: 1)
    #expect(header.hexadecimal == "0000000d4948445200000001000000010802000000907753de")
  }

  @Test("are compressed with Adler's checksum behind them")
  func adler() {
    #expect(Checksum.adler32([]) == 1)
    #expect(Checksum.adler32(Array("Wikipedia".utf8)) == 0x11e6_0398)
  }
}
