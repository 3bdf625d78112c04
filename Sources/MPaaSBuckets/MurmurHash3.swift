/// A hash of bytes that come one run after another.
///
/// Its members are inlined into other targets: an evaluation of a flag takes 300 ns, half of them here.
/// - Source: Austin Appleby, MurmurHash3_x86_32, as the buckets of Unleash's clients need it.
@frozen package struct MurmurHash3: Equatable, Sendable {
  @usableFromInline var hash: UInt32
  @usableFromInline var tail: UInt32 = 0
  @usableFromInline var count: UInt32 = 0

  @inlinable package init(seed: UInt32) { hash = seed }

  @inlinable static func scrambled(_ word: UInt32) -> UInt32 {
    let product = word &* 0xcc9e_2d51
    return (product << 15 | product >> 17) &* 0x1b87_3593
  }

  @inlinable @inline(__always)
  package mutating func append(_ byte: UInt8) {
    tail |= UInt32(byte) << ((count & 3) * 8)
    count &+= 1
    guard count & 3 == 0 else { return }
    let mixed = hash ^ Self.scrambled(tail)
    hash = (mixed << 13 | mixed >> 19) &* 5 &+ 0xe654_6b64
    tail = 0
  }

  @inlinable package mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    for byte in bytes { append(byte) }
  }

  @inlinable package mutating func append(_ text: String) {
    for byte in text.utf8 { append(byte) }
  }

  /// The hash of all bytes so far.
  @inlinable package var value: UInt32 {
    var value = count & 3 == 0 ? hash : hash ^ Self.scrambled(tail)
    value ^= count
    value = (value ^ value >> 16) &* 0x85eb_ca6b
    value = (value ^ value >> 13) &* 0xc2b2_ae35
    return value ^ value >> 16
  }

  /// The bucket from 1 to `modulus`, which is not 0.
  @inlinable package func bucket(of modulus: UInt32) -> UInt32 { value % modulus + 1 }
}
