/// A hash of bytes that come one run after another.
///
/// - Source: Austin Appleby, MurmurHash3_x86_32, as the buckets of Unleash's clients need it.
struct MurmurHash3: Equatable, Sendable {
  private var hash: UInt32
  private var tail: UInt32 = 0
  private var count: UInt32 = 0

  init(seed: UInt32) { hash = seed }

  private static func scrambled(_ word: UInt32) -> UInt32 {
    let product = word &* 0xcc9e_2d51
    return (product << 15 | product >> 17) &* 0x1b87_3593
  }

  @inline(__always)
  mutating func append(_ byte: UInt8) {
    tail |= UInt32(byte) << ((count & 3) * 8)
    count &+= 1
    guard count & 3 == 0 else { return }
    let mixed = hash ^ Self.scrambled(tail)
    hash = (mixed << 13 | mixed >> 19) &* 5 &+ 0xe654_6b64
    tail = 0
  }

  mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    for byte in bytes { append(byte) }
  }

  mutating func append(_ text: String) {
    for byte in text.utf8 { append(byte) }
  }

  /// The hash of all bytes so far.
  var value: UInt32 {
    var value = count & 3 == 0 ? hash : hash ^ Self.scrambled(tail)
    value ^= count
    value = (value ^ value >> 16) &* 0x85eb_ca6b
    value = (value ^ value >> 13) &* 0xc2b2_ae35
    return value ^ value >> 16
  }

  /// The bucket from 1 to `modulus`, which is not 0.
  func bucket(of modulus: UInt32) -> UInt32 { value % modulus + 1 }
}
