/// Codewords of error correction over GF(2⁸) with the polynomial 0x11d and the generator's first root 2⁰.
///
/// - Source: ISO/IEC 18004:2015, 7.5.2 and annex A.
struct ReedSolomon {
  /// The coefficients of the generator polynomial below its highest power, the highest first.
  private let generator: [UInt8]

  /// - Parameter count: Codewords that are made.
  init(_ count: Int) {
    var generator = [UInt8](repeating: 0, count: count)
    generator[count - 1] = 1
    var root: UInt8 = 1
    for _ in 0..<count {
      for place in generator.indices {
        generator[place] = Self.product(generator[place], root)
        if place + 1 < count { generator[place] ^= generator[place + 1] }
      }
      root = Self.product(root, 2)
    }
    self.generator = generator
  }

  /// The remainder of the data behind which as many zeros stand as codewords are made.
  func codewords(_ data: some Sequence<UInt8>) -> [UInt8] {
    var rest = [UInt8](repeating: 0, count: generator.count)
    for byte in data {
      let factor = byte ^ rest.removeFirst()
      rest.append(0)
      for place in rest.indices { rest[place] ^= Self.product(generator[place], factor) }
    }
    return rest
  }

  static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
    var product: UInt16 = 0
    for bit in (0..<8).reversed() {
      product = (product << 1) ^ (product >> 7 != 0 ? 0x11d : 0)
      if right >> bit & 1 != 0 { product ^= UInt16(left) }
    }
    return UInt8(truncatingIfNeeded: product)
  }
}
