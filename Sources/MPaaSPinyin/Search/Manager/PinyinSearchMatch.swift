/// Where an element stands: its section, and its row there, both from 0.
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

/// Which text of an element is meant.
public enum PinyinSearchField: Int, Sendable, CaseIterable {
  /// What it is looked for by first: a name.
  case primary
  /// What else it may be found by: an account, a number.
  case secondary
}

/// An element that a search found, and which part of its text matched.
public struct PinyinSearchMatch<Element> {
  /// The element that matched.
  public let element: Element
  /// Where the element stands in the generation that was searched.
  public let path: PinyinSearchPath
  /// The text of the element that matched: the primary or the secondary one.
  public let field: PinyinSearchField
  /// The text of that field.
  public let text: String
  /// The stretch that matched: in characters, in UTF-16 and in scalars.
  public let highlight: PinyinHighlight
  /// How it matched and how it is ranked.
  public let hit: PinyinHit

  /// The first character that matched, as users see characters (grapheme clusters), from 0.
  public var start: Int { highlight.characters.lowerBound }
  /// The last one.
  public var end: Int { highlight.characters.upperBound - 1 }
  /// Whether all of the query was taken as pinyin: no character stands for itself.
  public var isAllPinyin: Bool { hit.isWholePinyin }
  /// Whether every character matched by a whole reading or by itself, not by a first letter or the beginning of a reading.
  public var isAllWholeWords: Bool { hit.isWholeWords }
}

extension PinyinSearchMatch: Sendable where Element: Sendable {}

/// What a search found in one generation, the best first.
public struct PinyinSearchResult<Element> {
  /// The generation that answered: a number that grows with every build and change.
  public let generation: Int
  /// Elements whose primary text matches.
  public let primary: [PinyinSearchMatch<Element>]
  /// Elements of which only the secondary text matches.
  public let secondary: [PinyinSearchMatch<Element>]
  /// Whether there are more than the limit let through.
  public let hasMore: Bool

  /// All matches, those of primary texts first.
  public var matches: [PinyinSearchMatch<Element>] { primary + secondary }
  /// True where nothing matched.
  public var isEmpty: Bool { primary.isEmpty && secondary.isEmpty }
}

extension PinyinSearchResult: Sendable where Element: Sendable {}
