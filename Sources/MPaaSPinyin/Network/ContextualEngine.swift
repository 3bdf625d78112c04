/// Reads by a small network that sees the whole sentence.
package struct ContextualEngine: ReadingEngine {
  private let dictionary: DictionaryEngine

  package init(_ data: PinyinData) {
    dictionary = DictionaryEngine(data)
  }

  package func read(
    _ scalars: UnsafeBufferPointer<UInt32>, as kind: TextKind,
    into choices: UnsafeMutableBufferPointer<ReadingChoice>
  ) {
    dictionary.read(scalars, as: kind, into: choices)
  }
}
