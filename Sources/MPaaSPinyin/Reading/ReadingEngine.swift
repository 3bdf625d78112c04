/// The kind of a text, which decides how it is read.
public enum TextKind: String, Sendable, CaseIterable {
  /// Running text.
  case text
  /// A person's name, family name first: 单 is Shàn, 仇 is Qiú.
  case name
  /// The name of a place: 六安 is Lù'ān.
  case place
}

/// The evidence of an engine's choice.
package enum ReadingEvidence: UInt8, Sendable {
  /// The character has no reading.
  case none
  /// The character's only reading in common use.
  case only
  /// The reading that the character has most often; nothing around it says more.
  case prior
  /// The text beside the character.
  case context
  /// A word of the dictionary; `ReadingChoice.wordLength` says how long.
  case word
  /// A surname, or the rules for what follows one.
  case name
  /// The table of places.
  case place
  /// The network.
  case network
}

/// The reading that an engine chose for a character: six bytes.
package struct ReadingChoice: Sendable, Equatable {
  /// `.none` where the character has none: it is no Chinese character, or one without a known reading.
  package var reading = Reading.none
  /// The engine's certainty, 0...255; 255 for a character that is only read in one way.
  package var confidence: UInt8 = 0
  /// Tells whether a word begins here, as the engine divided the text.
  package var startsWord = true
  /// The evidence of the choice.
  package var evidence = ReadingEvidence.none
  /// The number of characters of the word whose reading it is; 1 where the character was read by itself.
  package var wordLength: UInt8 = 1

  package init(
    reading: Reading = .none, confidence: UInt8 = 0, startsWord: Bool = true, evidence: ReadingEvidence = .none,
    wordLength: UInt8 = 1
  ) {
    self.reading = reading
    self.confidence = confidence
    self.startsWord = startsWord
    self.evidence = evidence
    self.wordLength = wordLength
  }
}

/// Chooses a reading for every character of a stretch of text.
package protocol ReadingEngine: Sendable {
  /// Writes one choice for each scalar; what `choices` held before does not count.
  ///
  /// - Parameters:
  ///   - scalars: A sentence or a part of one, Unicode scalar values, at most some thousands.
  ///   - choices: As many as there are scalars.
  func read(
    _ scalars: UnsafeBufferPointer<UInt32>, as kind: TextKind,
    into choices: UnsafeMutableBufferPointer<ReadingChoice>)
}
