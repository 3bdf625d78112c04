/// The place of an element: its section, and its row there, both from 0.
public struct PinyinSearchPath: Hashable, Comparable, Sendable {
  /// The number of the section, from 0.
  public var section: Int
  /// The number of the row in its section, from 0.
  public var row: Int

  /// Makes a path; both numbers count from 0.
  public init(section: Int, row: Int) {
    self.section = section
    self.row = row
  }

  /// Orders paths by section, then by row.
  public static func < (left: Self, right: Self) -> Bool {
    (left.section, left.row) < (right.section, right.row)
  }
}

/// The text of an element that is meant.
public enum PinyinSearchField: Int, Sendable, CaseIterable {
  /// The text that it is looked for by first: a name.
  case primary
  /// The text that it may be found by: an account, a number.
  case secondary
}

/// An element that a search found, and which part of its text matched.
public struct PinyinSearchMatch<Element> {
  /// The element that matched.
  public let element: Element
  /// The place of the element in the generation that was searched.
  public let path: PinyinSearchPath
  /// The text of the element that matched: the primary or the secondary one.
  public let field: PinyinSearchField
  /// The text of that field.
  public let text: String
  /// The stretch that matched: in characters, in UTF-16 and in scalars.
  public let highlight: PinyinHighlight
  /// The match and its rank.
  public let hit: PinyinHit

  /// The first character that matched, as users see characters (grapheme clusters), from 0.
  public var start: Int { highlight.characters.lowerBound }
  /// The last one.
  public var end: Int { highlight.characters.upperBound - 1 }
  /// Tells whether all of the query was taken as pinyin: no character stands for itself.
  public var isAllPinyin: Bool { hit.isWholePinyin }
  /// Tells whether every character matched by a whole reading or by itself, not by a first letter or the beginning of a
  /// reading.
  public var isAllWholeWords: Bool { hit.isWholeWords }
}

extension PinyinSearchMatch: Sendable where Element: Sendable {}

/// The hits of a search in one generation, the best first.
public struct PinyinSearchResult<Element> {
  /// The generation that answered: a number that grows with every build and change.
  public let generation: Int
  /// Elements whose primary text matches.
  public let primary: [PinyinSearchMatch<Element>]
  /// Elements of which only the secondary text matches.
  public let secondary: [PinyinSearchMatch<Element>]
  /// Tells whether there are more than the limit let through.
  public let hasMore: Bool

  /// All matches, those of primary texts first.
  public var matches: [PinyinSearchMatch<Element>] { primary + secondary }
  /// True where nothing matched.
  public var isEmpty: Bool { primary.isEmpty && secondary.isEmpty }
}

extension PinyinSearchResult: Sendable where Element: Sendable {}
