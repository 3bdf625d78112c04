/// A word of a query against the spellings of an index: what each spelling may consume from each offset.
///
/// Ways of consuming are told apart by kind and by length, ten bits each in one number, so that a match can be ranked.
final class CompiledWord {
  /// The way in which a character was consumed; each as one bit, several together tell how a match was made.
  enum Way {
    static let literal: UInt64 = 1
    static let full: UInt64 = 2
    static let initial: UInt64 = 4
    static let prefix: UInt64 = 8
    static let rare: UInt64 = 16
    static let fuzzy: UInt64 = 32
  }

  /// The ways in the order of their ten bits.
  static let ways: [UInt64] = [
    Way.full, Way.initial, Way.prefix, Way.full | Way.fuzzy, Way.initial | Way.fuzzy, Way.prefix | Way.fuzzy,
  ]

  let count: Int
  let literals: UnsafeMutablePointer<UInt32>
  /// The numbers of letters that may be consumed: bit n - 1 for n.
  ///
  /// By row (a spelling, or a spelling and a tone) and offset.
  let lengths: UnsafeMutablePointer<UInt16>
  /// The same for each way, ten bits each.
  let details: UnsafeMutablePointer<UInt64>
  /// The symbols with which a reading can go on from each offset.
  private(set) var symbols: [UInt64]
  /// Tells whether tones matter: rows then are six for each spelling.
  let isToned: Bool
  /// The highest grade that a reading may have.
  let highestGrade: UInt32
  let gaps: Bool
  /// Tells whether the digits of the word stand for the letters on their keys too.
  let isKeypad: Bool
  private let rows: Int

  /// - Parameter typo: The offset of the reading in which one typing error is forgiven; nil for none.
  init(
    _ word: PinyinQuery.Word, _ options: PinyinSearchOptions, _ spellings: Spellings, forgivingAt typo: Int? = nil
  ) {
    count = word.count
    literals = .allocate(capacity: max(word.count, 1))
    literals.initialize(from: word.literals, count: word.count)
    highestGrade = UInt32(options.heteronyms.rawValue)
    gaps = options.gaps
    isKeypad = options.keyboard == .t9
    // The digits of a keypad are letters.
    isToned =
      options.tones && !isKeypad && (word.tones.contains { $0 != 0 } || word.letters.contains { 0x30...0x35 ~= $0 })
    rows = spellings.names.count * (isToned ? 6 : 1)
    symbols = [UInt64](repeating: 0, count: word.count)
    lengths = .allocate(capacity: max(rows * count, 1))
    lengths.initialize(repeating: 0, count: max(rows * count, 1))
    details = .allocate(capacity: max(rows * count, 1))
    details.initialize(repeating: 0, count: max(rows * count, 1))
    fill(word, options, spellings)
    if let typo { forgive(typo, word, options, spellings) }
  }

  deinit {
    literals.deallocate()
    lengths.deallocate()
    details.deallocate()
  }

  /// The row of a reading in the tables, without the offset.
  @inline(__always) func row(_ entry: SearchReadings.Entry) -> Int {
    (isToned ? entry.spelling * 6 + entry.tone : entry.spelling) * count
  }

  private func fill(_ word: PinyinQuery.Word, _ options: PinyinSearchOptions, _ spellings: Spellings) {
    let variants = spellings.variants(options.fuzzy, options.keyboard)
    for offset in 0..<count {
      let rest = spellings.pack(word.letters[offset...])
      let left = count - offset
      let boundary = word.boundaries.filter { $0 > offset }.min() ?? .max
      for variant in variants[Int(spellings.code(word.letters[offset]))] {
        let same = variant.packed ^ rest
        let common = min(same == 0 ? 8 : same.trailingZeroBitCount / 8, variant.count, left)
        var arcs = Arcs(offset: offset, boundary: boundary, isExact: variant.isExact)
        if options.initials {
          arcs.add(1, 1)
          if variant.hasCluster, common >= 2 { arcs.add(2, 1) }
        }
        if common == variant.count { arcs.add(common, 0) }
        if options.prefixes, common == left, common < variant.count {
          // One letter, or two of a cluster, is the initial.
          let isInitial = common == 1 || common == 2 && variant.hasCluster
          arcs.add(common, isInitial ? 1 : 2)
        }
        add(arcs, variant, word, spellings)
      }
    }
  }

  /// Adds what whole readings may consume from an offset where one letter of them is typed wrongly.
  private func forgive(
    _ offset: Int, _ word: PinyinQuery.Word, _ options: PinyinSearchOptions, _ spellings: Spellings
  ) {
    let boundary = word.boundaries.filter { $0 > offset }.min() ?? .max
    let letters = word.letters[offset...].prefix(Spellings.longest + 1).map { UInt32(spellings.code($0)) }
    for variant in spellings.variants(options.fuzzy, options.keyboard).joined() where variant.count > 1 {
      let own = (0..<variant.count).map { UInt32(variant.packed >> UInt64($0 * 8) & 0xFF) }
      var arcs = Arcs(offset: offset, boundary: boundary, isExact: variant.isExact)
      for length in max(2, variant.count - 1)...variant.count + 1 where length <= letters.count {
        if TypingError.parts(own, letters.prefix(length)) { arcs.add(length, 0) }
      }
      if !arcs.found.isEmpty { add(arcs, variant, word, spellings) }
    }
  }

  /// The literals at an offset: what was typed, and the letters on its key.
  func literals(at offset: Int) -> [UInt32] {
    let literal = literals[offset]
    guard isKeypad, 0x32...0x39 ~= literal else { return [literal] }
    return [literal] + (0x61...0x7A).filter { PinyinKeyboard.digit($0) == literal }
  }

  /// The arcs that a variant may consume from an offset.
  private struct Arcs {
    let offset: Int
    let boundary: Int
    let isExact: Bool
    var found: [(length: Int, way: Int)] = []

    mutating func add(_ length: Int, _ way: Int) {
      if offset + length <= boundary { found.append((length, isExact ? way : way + 3)) }
    }
  }

  private func add(_ arcs: Arcs, _ variant: Spellings.Variant, _ word: PinyinQuery.Word, _ spellings: Spellings) {
    let offset = arcs.offset
    for (length, way) in arcs.found {
      guard isToned else {
        add(row: variant.spelling, offset, length, way)
        symbols[offset] |= 1 << UInt64(spellings.symbols[variant.spelling])
        continue
      }
      let marks = word.tones[offset..<offset + length].filter { $0 != 0 }
      for tone in 0..<6 {
        // Readings without a tone meet any mark, but no digit.
        guard tone == 0 || marks.allSatisfy({ $0 == tone }) else { continue }
        let row = variant.spelling * 6 + tone
        symbols[offset] |= 1 << UInt64(spellings.symbols[variant.spelling])
        add(row: row, offset, length, way)
        let next = offset + length
        guard way % 3 == 0, tone > 0, next < count, next < arcs.boundary else { continue }
        let digit = word.letters[next]
        if digit == 0x30 + UInt32(tone) || tone == 5 && digit == 0x30 { add(row: row, offset, length + 1, way) }
      }
    }
  }

  private func add(row: Int, _ offset: Int, _ length: Int, _ way: Int) {
    lengths[row * count + offset] |= 1 << UInt16(length - 1)
    details[row * count + offset] |= 1 << UInt64(way * 10 + length - 1)
  }
}
