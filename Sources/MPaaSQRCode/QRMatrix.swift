/// The modules of a symbol, and those among them that belong to patterns.
///
/// - Source: ISO/IEC 18004:2015, 6.3, 7.7.3, 7.8.2, 7.9 and 7.10.
struct QRMatrix: Sendable, Equatable {
  let size: Int
  private let version: QRVersion
  private var dark: [Bool]
  /// Modules of patterns and of information, which hold no data and are not masked.
  private var isFixed: [Bool]

  /// Draws all patterns; the places of format information are kept free.
  init(_ version: QRVersion) {
    self.version = version
    size = version.size
    dark = [Bool](repeating: false, count: size * size)
    isFixed = dark
    drawTiming()
    for (row, column) in [(3, 3), (3, size - 4), (size - 4, 3)] { drawFinder(row, column) }
    drawAlignments()
    drawFormat(0)
    drawVersion()
  }

  subscript(row: Int, column: Int) -> Bool { dark[row * size + column] }

  private mutating func fix(_ row: Int, _ column: Int, _ isDark: Bool) {
    dark[row * size + column] = isDark
    isFixed[row * size + column] = true
  }

  private mutating func drawTiming() {
    for place in 0..<size {
      fix(6, place, place % 2 == 0)
      fix(place, 6, place % 2 == 0)
    }
  }

  /// A finder pattern around its center, with the light modules that part it from the rest.
  private mutating func drawFinder(_ row: Int, _ column: Int) {
    for down in -4...4 {
      for right in -4...4 where (0..<size).contains(row + down) && (0..<size).contains(column + right) {
        let distance = max(abs(down), abs(right))
        fix(row + down, column + right, distance != 2 && distance != 4)
      }
    }
  }

  private mutating func drawAlignments() {
    let places = version.alignments
    guard let last = places.last else { return }
    for row in places {
      for column in places where ![(6, 6), (6, last), (last, 6)].contains(where: { $0 == (row, column) }) {
        for down in -2...2 {
          for right in -2...2 { fix(row + down, column + right, max(abs(down), abs(right)) != 1) }
        }
      }
    }
  }

  /// The 15 bits of the level and the mask, twice, and the dark module.
  private mutating func drawFormat(_ bits: UInt32) {
    func bit(_ place: Int) -> Bool { bits >> UInt32(place) & 1 != 0 }
    for place in 0...5 { fix(place, 8, bit(place)) }
    fix(7, 8, bit(6))
    fix(8, 8, bit(7))
    fix(8, 7, bit(8))
    for place in 9..<15 { fix(8, 14 - place, bit(place)) }
    for place in 0..<8 { fix(8, size - 1 - place, bit(place)) }
    for place in 8..<15 { fix(size - 15 + place, 8, bit(place)) }
    fix(size - 8, 8, true)
  }

  /// The 18 bits of the version, twice, from version 7 on.
  private mutating func drawVersion() {
    guard version.number >= 7 else { return }
    let bits = Self.extended(UInt32(version.number), by: 12, 0x1f25)
    for place in 0..<18 {
      let (isDark, far, near) = (bits >> UInt32(place) & 1 != 0, size - 11 + place % 3, place / 3)
      fix(near, far, isDark)
      fix(far, near, isDark)
    }
  }

  /// A value with the remainder of its division by a polynomial behind it.
  private static func extended(_ value: UInt32, by count: UInt32, _ polynomial: UInt32) -> UInt32 {
    var rest = value
    for _ in 0..<count { rest = rest << 1 ^ (rest >> (count - 1) & 1) * polynomial }
    return value << count | rest
  }

  /// Places codewords in columns of two, from the right, upwards and downwards in turn.
  mutating func place(_ codewords: [UInt8]) {
    var bit = 0
    var right = size - 1
    while right >= 1 {
      if right == 6 { right = 5 }
      let isUpward = (right + 1) & 2 == 0
      for step in 0..<size {
        let row = isUpward ? size - 1 - step : step
        for column in [right, right - 1] where !isFixed[row * size + column] && bit < codewords.count * 8 {
          dark[row * size + column] = codewords[bit / 8] >> UInt8(7 - bit % 8) & 1 != 0
          bit += 1
        }
      }
      right -= 2
    }
  }

  /// Turns the modules of a mask's pattern over, and writes which mask and level it is.
  mutating func apply(mask: Int, _ level: QRLevel) {
    for row in 0..<size {
      for column in 0..<size where !isFixed[row * size + column] && Self.isTurned(mask, row, column) {
        dark[row * size + column].toggle()
      }
    }
    drawFormat(Self.extended(level.bits << 3 | UInt32(mask), by: 10, 0x537) ^ 0x5412)
  }

  /// The conditions of table 10.
  private static func isTurned(_ mask: Int, _ row: Int, _ column: Int) -> Bool {
    switch mask {
    case 0: (row + column) % 2 == 0
    case 1: row % 2 == 0
    case 2: column % 3 == 0
    case 3: (row + column) % 3 == 0
    case 4: (row / 2 + column / 3) % 2 == 0
    case 5: row * column % 2 + row * column % 3 == 0
    case 6: (row * column % 2 + row * column % 3) % 2 == 0
    default: ((row + column) % 2 + row * column % 3) % 2 == 0
    }
  }
}
