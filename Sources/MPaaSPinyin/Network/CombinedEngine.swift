/// Reads by dictionary and network, each where it is better.
package struct CombinedEngine: ReadingEngine {
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
