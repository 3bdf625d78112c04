/// Letters of dots for pictures without a text engine: ASCII, five dots wide and eight high, the last row for descenders.
enum DotFont {
  static let width = 5
  static let height = 8
  /// Dots from one letter to the next.
  static let advance = 6

  /// The rows of a character from the top, five bits each, the left dot in the highest; others than ASCII are a frame.
  static func rows(of scalar: Unicode.Scalar) -> UInt64 {
    guard (0x20...0x7e).contains(scalar.value) else { return frame }
    return glyphs[Int(scalar.value) - 0x20]
  }

  private static let frame: UInt64 = 0xfc6318c7e0

  private static let glyphs: [UInt64] = [
    0x0000000000, 0x2108420080, 0x5280000000, 0x52beafa940, 0x23e8e2f880, 0xce44444e60, 0x64a88ac9a0, 0x2100000000,
    0x1110841040, 0x4104211100, 0x012aea9000, 0x0109f21000, 0x0000001088, 0x0001f00000, 0x0000000080, 0x0844444200,
    0x74675cc5c0, 0x23084211c0, 0x74426443e0, 0x744260c5c0, 0x11952f8840, 0xfc3c10c5c0, 0x3221e8c5c0, 0xf844221080,
    0x7462e8c5c0, 0x7462f08980, 0x0008001000, 0x0008001088, 0x0888820820, 0x003e0f8000, 0x8208222200, 0x7442220080,
    0x746f5bc1c0, 0x22a31fc620, 0xf463e8c7c0, 0x74610845c0, 0xe4a318cb80, 0xfc21e843e0, 0xfc21e84200, 0x746138c5e0,
    0x8c63f8c620, 0x71084211c0, 0x3884214980, 0x8ca98a4a20, 0x84210843e0, 0x8eeb58c620, 0x8e6b38c620, 0x746318c5c0,
    0xf463e84200, 0x74631ac9a0, 0xf463ea4a20, 0x7c20e087c0, 0xf908421080, 0x8c6318c5c0, 0x8c63152880, 0x8c635aee20,
    0x8c54454620, 0x8c54421080, 0xf8444443e0, 0x72108421c0, 0x8410410420, 0x70842109c0, 0x22a2000000, 0x000000001f,
    0x4100000000, 0x001c17c5e0, 0x843d18c7c0, 0x001f0841e0, 0x085f18c5e0, 0x001d1fc1c0, 0x3238842100, 0x001f18bc2e,
    0x843d18c620, 0x20184211c0, 0x100c210a4c, 0x84254c5240, 0x61084211c0, 0x00355ad6a0, 0x003d18c620, 0x001d18c5c0,
    0x003d18fa10, 0x001f18bc21, 0x0016c42100, 0x001f0707c0, 0x42388420c0, 0x002318c5e0, 0x002318a880, 0x00235ad540,
    0x0022a22a20, 0x002318bc2e, 0x003e2223e0, 0x1908821060, 0x2108421084, 0xc108221300, 0x0011510000,
  ]
}
