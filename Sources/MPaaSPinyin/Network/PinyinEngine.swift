/// What chooses readings of characters that have several.
public enum PinyinEngine: String, Sendable, CaseIterable {
  /// A dictionary of words, rules for names and places, and how often each reading occurs: the fastest.
  case dictionary
  /// A small neural network that reads the whole sentence, masked to the readings that each character can have.
  case contextual
  /// Each of the two where it is better.
  case auto
}

extension PinyinData {
  /// The engine of a kind over this data; it can be used from several threads at once.
  package func engine(_ kind: PinyinEngine) -> any ReadingEngine {
    switch kind {
    case .dictionary: DictionaryEngine(self)
    case .contextual: ContextualEngine(self)
    case .auto: CombinedEngine(self)
    }
  }
}

extension ReadingEngine {
  /// The choices for a text in an array of its own.
  package func choices(_ scalars: [UInt32], as kind: TextKind) -> [ReadingChoice] {
    var choices = [ReadingChoice](repeating: ReadingChoice(), count: scalars.count)
    scalars.withUnsafeBufferPointer { input in
      choices.withUnsafeMutableBufferPointer { output in read(input, as: kind, into: output) }
    }
    return choices
  }
}
