/// The text that is looked for: a text as it was typed, and how it is to be read.
public struct PinyinQuery: Sendable, Hashable {
  /// The text as it was typed.
  public let text: String
  /// The way in which the text is read, and what it may match.
  public let options: PinyinSearchOptions

  /// Makes a query, with the usual options unless others are given.
  public init(_ text: String, options: PinyinSearchOptions = .standard) {
    self.text = text
    self.options = options
  }

  /// Tells whether nothing is left to look for once blanks and apostrophes are taken away.
  public var isEmpty: Bool { words(SearchFolding(kinds: .all)).isEmpty }

  /// A stretch of the query that is matched without a break.
  struct Word: Hashable {
    /// Its letters as a part of a reading: small, ü as v.
    var letters: [UInt32] = []
    /// Its values when it stands for itself.
    var literals: [UInt32] = []
    /// The tone that a mark asks for, or 0.
    var tones: [UInt8] = []
    /// The places of apostrophes: no reading goes across.
    var boundaries: Set<Int> = []

    var count: Int { letters.count }

    fileprivate mutating func append(_ letter: UInt32, literal: UInt32, tone: UInt8 = 0) {
      letters.append(letter)
      literals.append(literal)
      tones.append(tone)
    }
  }

  /// The words to be looked for, each with something in it.
  func words(_ folding: SearchFolding) -> [Word] {
    var words: [Word] = []
    var word = Word()
    for scalar in text.unicodeScalars {
      let narrow = folding.kinds.contains(.width) ? SearchFolding.narrow(scalar) : scalar
      if narrow == " " || folding.kinds.contains(.width) && narrow.properties.isWhitespace {
        if options.anyOrder, word.count > 0 {
          words.append(word)
          word = Word()
        }
      } else if narrow == "'" || options.boundaries && narrow == "\u{2019}" {
        if options.boundaries, word.count > 0 { word.boundaries.insert(word.count) }
      } else {
        add(scalar, folding, &word)
      }
    }
    if word.count > 0 { words.append(word) }
    return words
  }

  private func add(_ scalar: Unicode.Scalar, _ folding: SearchFolding, _ word: inout Word) {
    guard folding.kinds.contains(.diacritics) else {
      for lower in scalar.properties.lowercaseMapping.unicodeScalars {
        let literal = folding.folded(lower)
        word.append(literal, literal: literal)
      }
      return
    }
    let last = word.count - 1
    if SearchFolding.isMark(scalar) {
      guard last >= 0 else { return }
      if scalar.value == 0x308, word.letters[last] == 0x75 { word.letters[last] = 0x76 }
      let tone = SearchFolding.tone(ofMark: scalar.value)
      if tone != 0, options.tones { word.tones[last] = tone }
      return
    }
    if scalar == ":", last >= 0, word.literals[last] == 0x75, word.letters[last] == 0x75,
      last > 0, word.letters[last - 1] == 0x6C || word.letters[last - 1] == 0x6E
    {
      // lu: and nu: are how ü was typed before there was Unicode.
      word.letters[last] = 0x76
      return
    }
    let literal = folding.folded(scalar)
    guard let marked = SearchFolding.marked(scalar.value) else { return word.append(literal, literal: literal) }
    word.append(
      marked.isUmlaut ? 0x76 : literal, literal: literal, tone: options.tones ? marked.tone : 0)
  }
}
