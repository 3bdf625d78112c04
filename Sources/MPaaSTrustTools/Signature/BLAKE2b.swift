import MPaaSTrust

/// The hash function of minisign, without a key (RFC 7693).
struct BLAKE2b {
  private static let initial: [UInt64] = [
    0x6a09_e667_f3bc_c908, 0xbb67_ae85_84ca_a73b, 0x3c6e_f372_fe94_f82b, 0xa54f_f53a_5f1d_36f1,
    0x510e_527f_ade6_82d1, 0x9b05_688c_2b3e_6c1f, 0x1f83_d9ab_fb41_bd6b, 0x5be0_cd19_137e_2179,
  ]
  private static let blockSize = 128

  /// The digest of `message`.
  ///
  /// - Parameter size: Of the digest in bytes, 1 to 64.
  static func digest(_ message: UnsafeRawBufferPointer, size: Int = 64) -> [UInt8] {
    var state = initial
    state[0] ^= 0x0101_0000 ^ UInt64(size)
    var offset = 0
    state.withUnsafeMutableBufferPointer { state in
      while message.count - offset > blockSize {
        let block = UnsafeRawBufferPointer(rebasing: message[offset..<(offset + blockSize)])
        offset += blockSize
        compress(block, state, counter: UInt64(offset), isLast: false)
      }
      var last = [UInt8](repeating: 0, count: blockSize)
      last.replaceSubrange(0..<(message.count - offset), with: message[offset...])
      last.withUnsafeBytes { compress($0, state, counter: UInt64(message.count), isLast: true) }
    }
    return Array(
      state.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * UInt64($0))) } }.prefix(size))
  }

  /// - Parameter counter: Bytes of the message up to the end of this block.
  private static func compress(
    _ block: UnsafeRawBufferPointer, _ h: UnsafeMutableBufferPointer<UInt64>, counter: UInt64, isLast: Bool
  ) {
    var v = Words(
      v0: h[0], v1: h[1], v2: h[2], v3: h[3], v4: h[4], v5: h[5], v6: h[6], v7: h[7])
    // No message has 2^64 bytes: the upper half of the counter is zero.
    v.v12 ^= counter
    if isLast { v.v14 = ~v.v14 }
    // The words of the block that the steps of each round take (RFC 7693 section 2.7).
    v.round(block, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
    v.round(block, 14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3)
    v.round(block, 11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4)
    v.round(block, 7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8)
    v.round(block, 9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13)
    v.round(block, 2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9)
    v.round(block, 12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11)
    v.round(block, 13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10)
    v.round(block, 6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5)
    v.round(block, 10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0)
    v.round(block, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
    v.round(block, 14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3)
    h[0] ^= v.v0 ^ v.v8
    h[1] ^= v.v1 ^ v.v9
    h[2] ^= v.v2 ^ v.v10
    h[3] ^= v.v3 ^ v.v11
    h[4] ^= v.v4 ^ v.v12
    h[5] ^= v.v5 ^ v.v13
    h[6] ^= v.v6 ^ v.v14
    h[7] ^= v.v7 ^ v.v15
  }

  /// The working vector: one by one, so that they are kept in registers, which elements of an array are not.
  private struct Words {
    var v0, v1, v2, v3, v4, v5, v6, v7: UInt64
    var v8 = 0x6a09_e667_f3bc_c908 as UInt64, v9 = 0xbb67_ae85_84ca_a73b as UInt64
    var v10 = 0x3c6e_f372_fe94_f82b as UInt64, v11 = 0xa54f_f53a_5f1d_36f1 as UInt64
    var v12 = 0x510e_527f_ade6_82d1 as UInt64, v13 = 0x9b05_688c_2b3e_6c1f as UInt64
    var v14 = 0x1f83_d9ab_fb41_bd6b as UInt64, v15 = 0x5be0_cd19_137e_2179 as UInt64

    /// A round with the words of the block in this order.
    @inline(__always)
    mutating func round(
      _ block: UnsafeRawBufferPointer, _ s0: Int, _ s1: Int, _ s2: Int, _ s3: Int, _ s4: Int, _ s5: Int, _ s6: Int,
      _ s7: Int, _ s8: Int, _ s9: Int, _ s10: Int, _ s11: Int, _ s12: Int, _ s13: Int, _ s14: Int, _ s15: Int
    ) {
      func word(_ index: Int) -> UInt64 {
        UInt64(littleEndian: block.loadUnaligned(fromByteOffset: 8 * index, as: UInt64.self))
      }
      BLAKE2b.mix(&v0, &v4, &v8, &v12, word(s0), word(s1))
      BLAKE2b.mix(&v1, &v5, &v9, &v13, word(s2), word(s3))
      BLAKE2b.mix(&v2, &v6, &v10, &v14, word(s4), word(s5))
      BLAKE2b.mix(&v3, &v7, &v11, &v15, word(s6), word(s7))
      BLAKE2b.mix(&v0, &v5, &v10, &v15, word(s8), word(s9))
      BLAKE2b.mix(&v1, &v6, &v11, &v12, word(s10), word(s11))
      BLAKE2b.mix(&v2, &v7, &v8, &v13, word(s12), word(s13))
      BLAKE2b.mix(&v3, &v4, &v9, &v14, word(s14), word(s15))
    }
  }

  /// The function G (RFC 7693 section 3.1).
  @inline(__always)
  private static func mix(
    _ a: inout UInt64, _ b: inout UInt64, _ c: inout UInt64, _ d: inout UInt64, _ x: UInt64, _ y: UInt64
  ) {
    a = a &+ b &+ x
    d ^= a
    d = d &>> 32 | d &<< 32
    c = c &+ d
    b ^= c
    b = b &>> 24 | b &<< 40
    a = a &+ b &+ y
    d ^= a
    d = d &>> 16 | d &<< 48
    c = c &+ d
    b ^= c
    b = b &>> 63 | b &<< 1
  }
}
