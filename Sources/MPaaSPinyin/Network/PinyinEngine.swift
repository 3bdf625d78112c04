/// The engine that chooses readings of characters that have several.
public enum PinyinEngine: String, Sendable, CaseIterable {
  /// A dictionary of words, rules for names and places, and how often each reading occurs: the fastest.
  case dictionary
  /// A small neural network that reads the whole sentence, with the dictionary, each where it is better.
  case contextual
  /// The network alone, masked to the readings that each character can have: to compare with.
  case network
  /// The contextual one for running text; for names and places, which are too short for a network, the dictionary.
  case auto
}

extension PinyinData {
  /// The engine of a kind over this data; it can be used from several threads at once.
  package func engine(_ kind: PinyinEngine) -> any ReadingEngine {
    switch kind {
    case .dictionary: DictionaryEngine(self)
    case .contextual, .auto: ContextualEngine(self)
    case .network: NetworkEngine(self)
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
