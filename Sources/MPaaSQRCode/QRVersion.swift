/// A size of symbols, 1 to 40, with the facts of the standard about it.
///
/// - Source: ISO/IEC 18004:2015, tables 1, 3, 9 and annex E.
package struct QRVersion: Sendable, Equatable {
  package let number: Int

  static let all = 1...40

  /// The modules of a side.
  package var size: Int { 17 + 4 * number }

  /// Codewords of data and of error correction together.
  var codewords: Int {
    var modules = (16 * number + 128) * number + 64
    if number >= 2 {
      let positions = number / 7 + 2
      modules -= (25 * positions - 10) * positions - 55
      if number >= 7 { modules -= 36 }
    }
    return modules / 8
  }

  /// The modules behind the last codeword, which are light before the mask.
  var remainder: Int {
    switch number {
    case 2...6: 7
    case 14...20, 28...34: 3
    case 21...27: 4
    default: 0
    }
  }

  func blocks(_ level: QRLevel) -> Int { Int(Self.blocks[level]?[number - 1] ?? 1) }

  /// Codewords of error correction of each block.
  func correction(_ level: QRLevel) -> Int { Int(Self.correction[level]?[number - 1] ?? 0) }

  func data(_ level: QRLevel) -> Int { codewords - blocks(level) * correction(level) }

  /// Bits of the number of bytes in byte mode.
  var countBits: Int { number < 10 ? 8 : 16 }

  /// The most bytes of a text.
  package func capacity(_ level: QRLevel) -> Int { (data(level) * 8 - 4 - countBits) / 8 }

  /// The rows and columns of the centers of alignment patterns.
  var alignments: [Int] {
    guard number > 1 else { return [] }
    let count = number / 7 + 2
    let step = number == 32 ? 26 : (number * 4 + count * 2 + 1) / (count * 2 - 2) * 2
    return [6] + (0..<count - 1).map { size - 7 - step * $0 }.reversed()
  }

  /// The smallest version that holds so many bytes; nil where none does.
  static func smallest(_ count: Int, _ level: QRLevel) -> QRVersion? {
    all.lazy.map { QRVersion(number: $0) }.first { $0.capacity(level) >= count }
  }

  private static let correction: [QRLevel: [UInt8]] = [
    .low: [
      7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28, 28, 28, 30, 30, 26, 28, 30, 30,
      30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
    ],
    .medium: [
      10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26, 26, 28, 28, 28, 28, 28, 28, 28,
      28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28,
    ],
    .quartile: [
      13, 22, 18, 26, 18, 24, 18, 22, 20, 24, 28, 26, 24, 20, 30, 24, 28, 28, 26, 30, 28, 30, 30, 30, 30, 28, 30, 30,
      30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
    ],
    .high: [
      17, 28, 22, 16, 22, 28, 26, 26, 24, 28, 24, 28, 22, 24, 24, 30, 28, 28, 26, 28, 30, 24, 30, 30, 30, 30, 30, 30,
      30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
    ],
  ]

  private static let blocks: [QRLevel: [UInt8]] = [
    .low: [
      1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8, 8, 9, 9, 10, 12, 12, 12, 13, 14, 15, 16, 17, 18, 19,
      19, 20, 21, 22, 24, 25,
    ],
    .medium: [
      1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16, 17, 17, 18, 20, 21, 23, 25, 26, 28, 29, 31, 33,
      35, 37, 38, 40, 43, 45, 47, 49,
    ],
    .quartile: [
      1, 1, 2, 2, 4, 4, 6, 6, 8, 8, 8, 10, 12, 16, 12, 17, 16, 18, 21, 20, 23, 23, 25, 27, 29, 34, 34, 35, 38, 40, 43,
      45, 48, 51, 53, 56, 59, 62, 65, 68,
    ],
    .high: [
      1, 1, 2, 4, 4, 4, 5, 6, 8, 8, 11, 11, 16, 16, 18, 16, 19, 21, 25, 25, 25, 34, 30, 32, 35, 37, 40, 42, 45, 48, 51,
      54, 57, 60, 63, 66, 70, 74, 77, 81,
    ],
  ]
}
