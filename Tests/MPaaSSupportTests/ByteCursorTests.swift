import MPaaSSupport
import Testing

@Suite("The byte cursor") struct ByteCursorTests {
  @Test("reads numbers in both byte orders", arguments: [(false, UInt32(0x0403_0201)), (true, 0x0102_0304)])
  func order(bigEndian: Bool, expected: UInt32) throws {
    let bytes = Bytes([1, 2, 3, 4])
    var cursor = ByteCursor(bytes.buffer, bigEndian: bigEndian)
    #expect(try cursor.u32() == expected)
    #expect(cursor.isAtEnd)
  }

  @Test("refuses to read past the end and names the offset")
  func truncated() {
    let bytes = Bytes([1, 2, 3])
    var cursor = ByteCursor(bytes.buffer, at: 2)
    #expect(throws: ByteError(code: .truncated, offset: 2)) { try cursor.u16() }
  }

  @Test("reads the LEB128 examples of DWARF 5, tables 7.7 and 7.8")
  func leb() throws {
    let unsigned = Bytes([2, 127, 0x80, 1, 0x81, 1, 0xb9, 0x64])
    var cursor = ByteCursor(unsigned.buffer)
    for expected: UInt64 in [2, 127, 128, 129, 12857] { #expect(try cursor.uleb() == expected) }
    let signed = Bytes([2, 0x7e, 0xff, 0, 0x81, 0x7f, 0x80, 1, 0x80, 0x7f])
    cursor = ByteCursor(signed.buffer)
    for expected: Int64 in [2, -2, 127, -127, 128, -128] { #expect(try cursor.sleb() == expected) }
  }

  @Test("refuses a LEB128 number without an end")
  func endless() {
    let bytes = Bytes([UInt8](repeating: 0xff, count: 64))
    var cursor = ByteCursor(bytes.buffer)
    #expect(throws: ByteError.self) { try cursor.uleb() }
  }
}
