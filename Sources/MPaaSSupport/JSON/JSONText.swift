/// The inside of a JSON string, gone through eight bytes at a time.
package enum JSONText {
  /// The place of the quotation mark that ends the string which began before `place`; `end` where it does not end.
  ///
  /// Escapes are gone past, whatever they are.
  @inlinable
  package static func end(_ base: UnsafePointer<UInt8>, _ place: Int, _ end: Int) -> Int {
    var place = place
    while true {
      place = mark(base, place, end)
      guard place < end, base[place] == UInt8(ascii: "\\") else { return min(place, end) }
      place += 2
    }
  }

  /// The place of the first quotation mark or backslash from `place` on; `end` or more where there is none.
  @inlinable
  package static func mark(_ base: UnsafePointer<UInt8>, _ place: Int, _ end: Int) -> Int {
    let ones: UInt64 = 0x0101_0101_0101_0101
    var place = place
    while place &+ 8 <= end {
      let word = UInt64(littleEndian: UnsafeRawPointer(base + place).loadUnaligned(as: UInt64.self))
      let quote = word ^ 0x2222_2222_2222_2222
      let slash = word ^ 0x5c5c_5c5c_5c5c_5c5c
      // The lowest bit that this sets is that of the first zero byte ("Bit Twiddling Hacks", determine if a word has one).
      let found = (((quote &- ones) & ~quote) | ((slash &- ones) & ~slash)) & (ones << 7)
      if found != 0 { return place &+ found.trailingZeroBitCount / 8 }
      place &+= 8
    }
    while place < end, base[place] != UInt8(ascii: "\""), base[place] != UInt8(ascii: "\\") { place &+= 1 }
    return place
  }
}
