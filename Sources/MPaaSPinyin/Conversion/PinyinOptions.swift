/// The ways in which text is read and how its readings are written.
public struct PinyinOptions: Hashable, Sendable {
  /// The choice of the further readings of a character that are listed.
  public enum Heteronyms: Sendable, Hashable {
    /// Only the reading that was chosen.
    case chosenOnly
    /// All readings in common use.
    case common
    /// Rare and historic ones too.
    case all
  }

  // MARK: Reading

  /// The kind of text: running text, names, or places.
  public var kind = TextKind.text
  /// The engine that chooses the readings; for names and places `auto` is the dictionary.
  public var engine = PinyinEngine.auto
  /// Tells whether 一 and 不 have the tones that they are spoken with: yí gè, bú shì, kàn yi kàn.
  public var appliesSandhi = false
  /// Tells whether a third tone before a third tone of the same word becomes a second: shuíguǒ.
  public var appliesThirdToneSandhi = false
  /// Tells whether 儿 closes the syllable before it where it is no word of its own: huār, but nǚ'ér.
  public var mergesErhua = false
  /// The readings that `PinyinSyllable.readings` lists; written text has them after the chosen one: `zhòng/chóng`.
  public var heteronyms = Heteronyms.chosenOnly

  // MARK: Writing

  /// The style of readings.
  public var style = PinyinStyle.marks
  /// The spelling of ü; nil for what is usual in the style.
  public var umlaut: UmlautSpelling?
  /// The text between syllables, or between words where they are joined.
  public var separator = " "
  /// Tells whether the syllables of a word are put together (GB/T 16159), with an apostrophe before a vowel: `Xī'ān`.
  ///
  /// The passport spelling of names and places is always joined.
  public var joinsWords = false
  /// Tells whether sentences begin with a capital letter; of names and places every word does.
  public var capitalizes = false

  /// Makes the options that have their default throughout: running text, in pinyin with tone marks.
  public init() {}

  /// The usual options for a kind of text and a style.
  public init(_ style: PinyinStyle, kind: TextKind = .text, engine: PinyinEngine = .auto) {
    self.style = style
    self.kind = kind
    self.engine = engine
  }

  var spelling: Spelling { Spelling(style, umlaut: umlaut) }

  var isJoined: Bool {
    heteronyms == .chosenOnly && (joinsWords || style == .passport && kind != .text)
  }

  /// The engine that answers: a name is too short for a network.
  var chosenEngine: PinyinEngine {
    engine == .auto && kind != .text ? .dictionary : engine
  }
}
