/// The way in which a match was made, the best way first.
public enum PinyinMatchKind: UInt8, Sendable, CaseIterable, Comparable {
  /// Every character stands for itself.
  case literal
  /// Every character by a whole reading.
  case full
  /// Some in this way and some in that.
  case mixed
  /// Every character by the first letter of a reading.
  case initials

  /// Orders kinds from the best to the least.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// A text that matches a query, with the best of its stretches.
public struct PinyinHit: Sendable, Hashable {
  /// The number of the text in its index.
  public let text: Int
  private let lower: UInt32
  private let upper: UInt32
  /// The rank, and in the lowest eight bits the ways in which characters were consumed.
  let packed: UInt64

  init(text: Int, start: Int, end: Int, packed: UInt64) {
    self.text = text
    lower = UInt32(truncatingIfNeeded: start)
    upper = UInt32(truncatingIfNeeded: max(start, end))
    self.packed = packed
  }

  /// The group that the text was put in; the lower comes first.
  public var group: Int { Int(rank >> 48) }
  /// The first and the last matched character, counted in Unicode scalars from the beginning of the text.
  public var range: ClosedRange<Int> { Int(lower)...Int(upper) }
  /// The rank of a hit, the lower being the better.
  ///
  /// Equal ones are ordered by pinyin, then by number.
  public var rank: UInt64 { packed >> 8 }

  private var ways: UInt64 { packed & 0xFF }
  /// The kind of the match.
  public var kind: PinyinMatchKind { Ways.kind(UInt8(ways)) }
  /// Tells whether no character stands for itself.
  public var isWholePinyin: Bool { ways & CompiledWord.Way.literal == 0 }
  /// Tells whether every character is matched by a whole reading or by itself.
  public var isWholeWords: Bool { ways & (CompiledWord.Way.initial | CompiledWord.Way.prefix) == 0 }
  /// Tells whether sounds had to be taken as equal.
  public var isFuzzy: Bool { ways & CompiledWord.Way.fuzzy != 0 }
  /// Tells whether a typing error had to be forgiven.
  public var isMistyped: Bool { ways & Ways.mistyped != 0 }
  /// Tells whether a reading was needed that is not the usual one of its character.
  public var usesRareReading: Bool { ways & CompiledWord.Way.rare != 0 }
}

/// The hits of a search.
public struct PinyinSearchResults: Sendable {
  /// The hits that were asked for, in the order that was asked for.
  public let hits: [PinyinHit]
  /// The number of texts that match in all.
  public let total: Int
}

/// The order of hits.
public enum PinyinSearchOrder: Sendable {
  /// The best first.
  case rank
  /// As the texts were given.
  case input
}

/// A stretch of a text in every unit in which texts are counted, always around whole characters.
public struct PinyinHighlight: Sendable, Hashable {
  /// As it matched: Unicode scalars, first and last.
  public let scalars: ClosedRange<Int>
  /// The characters as users see them (grapheme clusters) that it touches.
  public let characters: Range<Int>
  /// The same in UTF-16, as `NSRange` has it.
  public let utf16: Range<Int>

  /// - Parameters:
  ///   - scalars: What matched, in Unicode scalars; what lies outside of the text is left out.
  ///   - text: The text.
  public init(_ scalars: ClosedRange<Int>, in text: String) {
    self.scalars = scalars
    var (scalar, unit, character) = (0, 0, 0)
    var first: (character: Int, unit: Int)?
    var end = (character: 0, unit: 0)
    for grapheme in text {
      let next = scalar + grapheme.unicodeScalars.count
      let nextUnit = unit + grapheme.utf16.count
      if next > scalars.lowerBound {
        if first == nil { first = (character, unit) }
        end = (character + 1, nextUnit)
      }
      (scalar, unit) = (next, nextUnit)
      character += 1
      if scalar > scalars.upperBound { break }
    }
    let start = first ?? (character, unit)
    characters = start.character..<max(end.character, start.character)
    utf16 = start.unit..<max(end.unit, start.unit)
  }
}

/// Sets of ways as they are ranked.
enum Ways {
  /// Beside the ways of characters: whether a typing error was forgiven in one of them.
  static let mistyped: UInt64 = 64

  /// The rank of a match in which an error was forgiven: behind all others of its group.
  static func mistyping(_ packed: UInt64) -> UInt64 { packed | 15 << 52 | mistyped }

  /// Kind, rare, fuzzy.
  @inline(__always) private static func order(_ ways: UInt8) -> UInt8 {
    kind(ways).rawValue << 2 | (ways & 16 != 0 ? 2 : 0) | (ways & 32 != 0 ? 1 : 0)
  }

  @inline(__always) static func kind(_ ways: UInt8) -> PinyinMatchKind {
    switch UInt64(ways) & 15 {
    case CompiledWord.Way.literal: .literal
    case CompiledWord.Way.full: .full
    case CompiledWord.Way.initial: .initials
    default: .mixed
    }
  }

  /// The best of several sets, and its place in the order of ranks.
  @inline(__always) static func best(of sets: UInt64) -> (order: UInt8, ways: UInt8) {
    var best: (order: UInt8, ways: UInt8) = (15, 0)
    var rest = sets
    while rest != 0 {
      let ways = UInt8(rest.trailingZeroBitCount)
      rest &= rest &- 1
      let order = order(ways)
      if order < best.order { best = (order, ways) }
    }
    return best
  }

  /// The rank of a match, below it the ways.
  ///
  /// - Parameters:
  ///   - order: Kind, rare, fuzzy, as `best` gives them.
  ///   - start: Where in the text it begins, and how long it and the text are, in scalars.
  @inline(__always) static func packed(
    group: UInt8, order: UInt8, ways: UInt8, start: Int, matched: Int, length: Int
  ) -> UInt64 {
    let uncovered = 4095 - matched * 4095 / max(length, 1)
    let rank =
      UInt64(group) << 48 | UInt64(order) << 44 | UInt64(min(start, 0xFFFF)) << 28
      | UInt64(max(uncovered, 0)) << 16 | UInt64(min(length, 0xFFFF))
    return rank << 8 | UInt64(ways)
  }
}
