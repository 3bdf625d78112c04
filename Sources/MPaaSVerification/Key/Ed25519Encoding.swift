/// The encodings that may stand for a point or a number in an Ed25519 signature (RFC 8032 section 5.1).
///
/// Libraries differ in what they let pass beyond it, so that one would accept what another refuses; small orders make
/// signatures that hold for many messages. Both are refused here for all libraries alike.
enum Ed25519Encoding {
  /// 2^255 - 19, the least significant byte first.
  private static let prime: [UInt8] = [0xed] + [UInt8](repeating: 0xff, count: 30) + [0x7f]

  /// The order of the base point, 2^252 + 27742317777372353535851937790883648493.
  private static let order: [UInt8] = [
    0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
  ]

  /// The y of the points whose order divides 8: 1, -1, 0, and the two of order 8.
  private static let smallOrders: Set<[UInt8]> = [
    [1] + [UInt8](repeating: 0, count: 31),
    [0xec] + [UInt8](repeating: 0xff, count: 30) + [0x7f],
    [UInt8](repeating: 0, count: 32),
    [
      0x26, 0xe8, 0x95, 0x8f, 0xc2, 0xb2, 0x27, 0xb0, 0x45, 0xc3, 0xf4, 0x89, 0xf2, 0xef, 0x98, 0xf0,
      0xd5, 0xdf, 0xac, 0x05, 0xd3, 0xc6, 0x33, 0x39, 0xb1, 0x38, 0x02, 0x88, 0x6d, 0x53, 0xfc, 0x05,
    ],
    [
      0xc7, 0x17, 0x6a, 0x70, 0x3d, 0x4d, 0xd8, 0x4f, 0xba, 0x3c, 0x0b, 0x76, 0x0d, 0x10, 0x67, 0x0f,
      0x2a, 0x20, 0x53, 0xfa, 0x2c, 0x39, 0xcc, 0xc6, 0x4e, 0xc7, 0xfd, 0x77, 0x92, 0xac, 0x03, 0x7a,
    ],
  ]

  /// Tells whether 32 bytes can be a point of large order in its one encoding: y below the prime, and none of the small
  /// ones.
  ///
  /// The library finds out whether there is such a point on the curve.
  static func isPoint(_ bytes: some Collection<UInt8>) -> Bool {
    var y = Array(bytes)
    guard y.count == 32 else { return false }
    y[31] &= 0x7f
    return isBelow(y, prime) && !smallOrders.contains(y)
  }

  /// Tells whether 32 bytes are a number below the group's order.
  static func isScalar(_ bytes: some Collection<UInt8>) -> Bool {
    bytes.count == 32 && isBelow(Array(bytes), order)
  }

  private static func isBelow(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.reversed().lexicographicallyPrecedes(right.reversed())
  }
}
