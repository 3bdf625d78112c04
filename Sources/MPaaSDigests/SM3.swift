/// The digest SM3 of 32 bytes (GB/T 32905-2016, ISO/IEC 10118-3:2018), which no library of Swift has.
struct SM3: Sendable {
  private var state: [UInt32] = [
    0x7380_166f, 0x4914_b2b9, 0x1724_42d7, 0xda8a_0600, 0xa96f_30bc, 0x1631_38aa, 0xe38d_ee4d, 0xb0fb_0e4e,
  ]
  /// The bytes of a block that is not full yet.
  private var pending: [UInt8] = []
  /// The number of bytes taken, for the length at the end.
  private var count: UInt64 = 0

  static let blockSize = 64

  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    count &+= UInt64(bytes.count)
    var rest = bytes[...]
    if !pending.isEmpty {
      let missing = rest.prefix(Self.blockSize - pending.count)
      pending += missing
      rest = rest.dropFirst(missing.count)
      guard pending.count == Self.blockSize else { return }
      pending.withUnsafeBytes { compress($0) }
      pending.removeAll(keepingCapacity: true)
    }
    while rest.count >= Self.blockSize {
      compress(UnsafeRawBufferPointer(rebasing: rest.prefix(Self.blockSize)))
      rest = rest.dropFirst(Self.blockSize)
    }
    pending += rest
  }

  /// The digest of what was taken; more may come.
  var value: [UInt8] {
    var last = self
    var padding: [UInt8] = [0x80]
    padding += repeatElement(0, count: (Self.blockSize + 55 - pending.count) % Self.blockSize)
    padding += withUnsafeBytes(of: (count &* 8).bigEndian) { Array($0) }
    padding.withUnsafeBytes { last.update($0) }
    return last.state.flatMap { word in withUnsafeBytes(of: word.bigEndian) { Array($0) } }
  }

  /// The compression function of section 5.3, over the 64 bytes of a block.
  private mutating func compress(_ block: UnsafeRawBufferPointer) {
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 68) { words in
      for index in 0..<16 {
        words[index] = UInt32(bigEndian: block.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self))
      }
      for index in 16..<68 {
        let mixed = words[index - 16] ^ words[index - 9] ^ turned(words[index - 3], 15)
        words[index] =
          mixed ^ turned(mixed, 15) ^ turned(mixed, 23) ^ turned(words[index - 13], 7) ^ words[index - 6]
      }
      mix(words)
    }
  }

  /// The 64 steps; the names are those of the standard.
  private mutating func mix(_ words: UnsafeMutableBufferPointer<UInt32>) {
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for step in 0..<64 {
      let isEarly = step < 16
      let constant: UInt32 = isEarly ? 0x79cc_4519 : 0x7a87_9d8a
      let sum = turned(turned(a, 12) &+ e &+ turned(constant, UInt32(step % 32)), 7)
      let first = isEarly ? a ^ b ^ c : (a & b) | (a & c) | (b & c)
      let second = isEarly ? e ^ f ^ g : (e & f) | (~e & g)
      let one = first &+ d &+ (sum ^ turned(a, 12)) &+ (words[step] ^ words[step + 4])
      let two = second &+ h &+ sum &+ words[step]
      (d, c, b, a) = (c, turned(b, 9), a, one)
      (h, g, f, e) = (g, turned(f, 19), e, two ^ turned(two, 9) ^ turned(two, 17))
    }
    for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] ^= word }
  }
}

/// A word turned to the left.
@inline(__always)
private func turned(_ word: UInt32, _ count: UInt32) -> UInt32 {
  word << count | word >> ((32 &- count) & 31)
}
