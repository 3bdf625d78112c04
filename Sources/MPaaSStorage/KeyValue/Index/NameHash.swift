/// A business and a key as bytes, and their hash.
struct EntryName {
  let business: UnsafeRawBufferPointer
  let key: UnsafeRawBufferPointer
  let hash: UInt64

  @inline(__always)
  init(_ business: UnsafeRawBufferPointer, _ key: UnsafeRawBufferPointer, seed: UInt64) {
    self.business = business
    self.key = key
    hash = FoldedHash.mixed(FoldedHash.mixed(seed ^ UInt64(business.count), business), key)
  }
}

/// A hash of bytes in memory, which is never written to a file.
enum FoldedHash {
  /// Multiplications of 64 bits folded to 64, eight bytes at a time: fast for short names, and by a random seed no one
  /// can make names that fall on one another.
  @inline(__always)
  static func mixed(_ start: UInt64, _ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var value = start
    var place = 0
    while place &+ 8 <= bytes.count {
      value = folded(value ^ bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
      place &+= 8
    }
    var rest = UInt64(bytes.count &- place) << 56
    if bytes.count &- place >= 4 {
      rest |= UInt64(bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)) << 24
      place &+= 4
    }
    while place < bytes.count {
      rest = rest << 8 ^ UInt64(bytes[place])
      place &+= 1
    }
    return folded(value ^ rest)
  }

  @inline(__always)
  private static func folded(_ value: UInt64) -> UInt64 {
    let product = (value ^ 0x9e37_79b9_7f4a_7c15).multipliedFullWidth(by: 0xd6e8_feb8_6659_fd93)
    return product.low ^ product.high
  }
}
