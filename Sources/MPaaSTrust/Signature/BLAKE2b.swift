/// The hash function of minisign, without a key (RFC 7693).
struct BLAKE2b {
  private static let initial: [UInt64] = [
    0x6a09_e667_f3bc_c908, 0xbb67_ae85_84ca_a73b, 0x3c6e_f372_fe94_f82b, 0xa54f_f53a_5f1d_36f1,
    0x510e_527f_ade6_82d1, 0x9b05_688c_2b3e_6c1f, 0x1f83_d9ab_fb41_bd6b, 0x5be0_cd19_137e_2179,
  ]
  /// Which word of the block each step of a round takes (RFC 7693 section 2.7).
  private static let schedule: [[Int]] = [
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15], [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
    [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4], [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
    [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13], [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
    [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11], [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
    [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5], [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
  ]
  private static let blockSize = 128

  /// The digest of `message`.
  ///
  /// - Parameter size: Of the digest in bytes, 1 to 64.
  static func digest(_ message: UnsafeRawBufferPointer, size: Int = 64) -> [UInt8] {
    var state = initial
    state[0] ^= 0x0101_0000 ^ UInt64(size)
    var words = [UInt64](repeating: 0, count: 32)
    var offset = 0
    state.withUnsafeMutableBufferPointer { state in
      words.withUnsafeMutableBufferPointer { words in
        while message.count - offset > blockSize {
          let block = UnsafeRawBufferPointer(rebasing: message[offset..<(offset + blockSize)])
          offset += blockSize
          compress(block, state, words, counter: UInt64(offset), isLast: false)
        }
        var last = [UInt8](repeating: 0, count: blockSize)
        last.replaceSubrange(0..<(message.count - offset), with: message[offset...])
        last.withUnsafeBytes { compress($0, state, words, counter: UInt64(message.count), isLast: true) }
      }
    }
    return Array(
      state.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * UInt64($0))) } }.prefix(size))
  }

  /// - Parameters:
  ///   - words: Room for the 16 words of the working vector, and the 16 of the block behind them.
  ///   - counter: Bytes of the message up to the end of this block.
  private static func compress(
    _ block: UnsafeRawBufferPointer, _ state: UnsafeMutableBufferPointer<UInt64>,
    _ words: UnsafeMutableBufferPointer<UInt64>, counter: UInt64, isLast: Bool
  ) {
    guard let v = words.baseAddress, let h = state.baseAddress else { return }
    let m = v + 16
    for index in 0..<16 {
      m[index] = UInt64(littleEndian: block.loadUnaligned(fromByteOffset: 8 * index, as: UInt64.self))
    }
    for index in 0..<8 {
      v[index] = h[index]
      v[index + 8] = initial[index]
    }
    // No message has 2^64 bytes: the upper half of the counter is zero.
    v[12] ^= counter
    if isLast { v[14] = ~v[14] }
    for round in 0..<12 {
      let order = schedule[round % 10]
      mix(v, 0, 4, 8, 12, m[order[0]], m[order[1]])
      mix(v, 1, 5, 9, 13, m[order[2]], m[order[3]])
      mix(v, 2, 6, 10, 14, m[order[4]], m[order[5]])
      mix(v, 3, 7, 11, 15, m[order[6]], m[order[7]])
      mix(v, 0, 5, 10, 15, m[order[8]], m[order[9]])
      mix(v, 1, 6, 11, 12, m[order[10]], m[order[11]])
      mix(v, 2, 7, 8, 13, m[order[12]], m[order[13]])
      mix(v, 3, 4, 9, 14, m[order[14]], m[order[15]])
    }
    for index in 0..<8 { h[index] ^= v[index] ^ v[index + 8] }
  }

  /// The function G (RFC 7693 section 3.1).
  @inline(__always)
  private static func mix(
    _ v: UnsafeMutablePointer<UInt64>, _ a: Int, _ b: Int, _ c: Int, _ d: Int, _ x: UInt64, _ y: UInt64
  ) {
    var va = v[a], vb = v[b], vc = v[c], vd = v[d]
    va = va &+ vb &+ x
    vd ^= va
    vd = vd &>> 32 | vd &<< 32
    vc = vc &+ vd
    vb ^= vc
    vb = vb &>> 24 | vb &<< 40
    va = va &+ vb &+ y
    vd ^= va
    vd = vd &>> 16 | vd &<< 48
    vc = vc &+ vd
    vb ^= vc
    vb = vb &>> 63 | vb &<< 1
    (v[a], v[b], v[c], v[d]) = (va, vb, vc, vd)
  }
}
