/// A Chinese character of a text with its reading.
public struct PinyinSyllable: Hashable, Sendable {
  /// The character as it stands in the text, with what hangs on it; two where 儿 closes the syllable.
  public let text: String
  /// The reading here; nil for a character without a known reading.
  public let reading: Reading?
  /// The reading in the converter's style; empty where there is none.
  public let pinyin: String
  /// The character's readings in common use, or all, the usual one first; empty unless they are asked for.
  public let readings: [Reading]
  /// The engine's certainty of the reading, 0…1.
  public let confidence: Double
  /// The number of its word in the text, from 0.
  public let word: Int
  /// Tells whether a word begins with it.
  public let startsWord: Bool
  /// Tells whether 儿 closes the syllable.
  public let hasErhua: Bool
  /// The indexes of the text's graphemes (`Character`), from 0.
  public let graphemes: ClosedRange<Int>
  /// The same in UTF-16, as `NSRange` counts; the ends are those of graphemes.
  public let utf16: Range<Int>
}
