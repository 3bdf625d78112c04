/// Reads by a small network that sees the whole sentence; what it was not trained to read is left to the dictionary, and
/// so are names and places, of which it knows little.
package struct ContextualEngine: ReadingEngine {
  private let dictionary: DictionaryEngine
  private let network: Network?

  package init(_ data: PinyinData) {
    dictionary = DictionaryEngine(data)
    network = Network(data)
  }

  package func read(
    _ scalars: UnsafeBufferPointer<UInt32>, as kind: TextKind,
    into choices: UnsafeMutableBufferPointer<ReadingChoice>
  ) {
    dictionary.read(scalars, as: kind, into: choices)
    guard kind == .text, let network else { return }
    network.answers(scalars, where: { _ in true }) { position, answer in
      let (reading, probability) = answer.best
      choices[position].reading = reading
      choices[position].confidence = UInt8(probability * 255)
      choices[position].evidence = .network
    }
  }
}
