import MPaaSSupport

/// The reading of a character with several readings, given what stands beside it: the section CTXT of the data file, a
/// log-linear model whose weights are sixteenths of a nat.
///
/// UInt32 numbers of the rows' values, of buckets and of weights; three Int16, what a word of two, three, more
/// characters counts for its own reading; 6 bytes of 0. Then columns, each filled up to 8 bytes: for U+4E00...U+9FFF
/// one more than the node of WORD and than the place in the rows (UInt16 each); the rows: how many readings, then for
/// each its index among the character's readings (high byte) and its bias (low); where every 16th bucket begins
/// (UInt32), how far behind that each begins (UInt8); the weights (UInt32): check (16 bits), index of the reading (8),
/// weight (8, signed).
struct ContextTable: Sendable {
  static let empty = ContextTable()
  /// The characters that can begin a word or have a row.
  static let characters: ClosedRange<UInt16> = 0x4E00...0x9FFF
  /// The number of readings of a character that can have weights.
  static let width = 16
  /// The most weights of a bucket.
  private static let mostInBucket = 64
  /// Lower than any sum of weights: a reading that is not possible.
  static let impossible = Int32.min / 2

  private let owner: Bytes
  private let starts: DataColumn<UInt32>
  private let rows: DataColumn<UInt16>
  private let bases: DataColumn<UInt32>
  private let steps: DataColumn<UInt8>
  private let weights: DataColumn<UInt32>
  private let buckets: UInt64
  /// The weights of a word of two, three and more characters for its own reading.
  private let wordWeights: (Int32, Int32, Int32)

  private init() {
    owner = .empty
    starts = .empty
    rows = .empty
    bases = .empty
    steps = .empty
    weights = .empty
    buckets = 0
    wordWeights = (0, 0, 0)
  }

  init?(_ bytes: Bytes) {
    var cursor = ByteCursor(bytes.buffer)
    func number() -> Int? { (try? cursor.u32()).map(Int.init) }
    func signed() -> Int32? { (try? cursor.u16()).map { Int32(Int16(bitPattern: $0)) } }
    guard let rowCount = number(), let buckets = number(), let weightCount = number(), let two = signed(),
      let three = signed(), let more = signed(), (try? cursor.skip(6)) != nil,
      let starts = DataColumn<UInt32>(&cursor, count: Self.characters.count),
      let rows = DataColumn<UInt16>(&cursor, count: rowCount),
      let bases = DataColumn<UInt32>(&cursor, count: buckets / 16 + 1),
      let steps = DataColumn<UInt8>(&cursor, count: buckets + 1),
      let weights = DataColumn<UInt32>(&cursor, count: weightCount)
    else { return nil }
    owner = bytes
    self.starts = starts
    self.rows = rows
    self.bases = bases
    self.steps = steps
    self.weights = weights
    self.buckets = UInt64(buckets)
    wordWeights = (two, three, more)
  }

  /// The node of the trie of words at which words that begin with a character begin, -1 where none does.
  @inline(__always) func root(_ character: UInt16) -> Int {
    Int(starts[Int(character) - 0x4E00] & 0xFFFF) - 1
  }

  /// The place of a character's row, -1 where it is only read in one way.
  @inline(__always) func row(_ character: UInt16) -> Int {
    Int(starts[Int(character) - 0x4E00] >> 16) - 1
  }

  /// Fills in how likely each reading of a character is by itself.
  @inline(__always) func fill(_ sums: UnsafeMutablePointer<Int32>, row: Int) {
    for index in 0..<Self.width { sums[index] = Self.impossible }
    let count = min(Int(rows[row]), Self.width)
    for index in 0..<count {
      let value = rows[row + 1 + index]
      sums[Int(value >> 8) & 15] = Int32(Int8(truncatingIfNeeded: value))
    }
  }

  /// Adds the weights of one feature.
  @inline(__always) func add(
    _ kind: UInt64, _ first: UInt16, _ second: UInt16, of character: UInt16, to sums: UnsafeMutablePointer<Int32>
  ) {
    var key = UInt64(character) | UInt64(first) << 16 | UInt64(second) << 32 | kind << 48
    key = key &* 0x9E37_79B9_7F4A_7C15
    key ^= key >> 32
    key = key &* 0xD6E8_FEB8_6659_FD93
    let bucket = Int(((key >> 32) &* buckets) >> 32)
    let check = UInt32(truncatingIfNeeded: key & 0xFFFF)
    var place = Int(bases[bucket >> 4]) + Int(steps[bucket])
    // Damaged data may not let this run for long.
    let end = min(Int(bases[(bucket + 1) >> 4]) + Int(steps[bucket + 1]), place + Self.mostInBucket)
    while place < end {
      let weight = weights[place]
      if weight & 0xFFFF == check { sums[Int(weight >> 16) & 15] += Int32(Int8(truncatingIfNeeded: weight >> 24)) }
      place += 1
    }
  }

  /// Adds what a word of `length` characters counts for the reading that it has.
  @inline(__always) func addWord(
    length: Int, reading: Int, of character: UInt16, to sums: UnsafeMutablePointer<Int32>
  ) {
    sums[reading & 15] += length == 2 ? wordWeights.0 : length == 3 ? wordWeights.1 : wordWeights.2
    add(8, length > 2 ? 1 : 0, UInt16(reading), of: character, to: sums)
  }
}
