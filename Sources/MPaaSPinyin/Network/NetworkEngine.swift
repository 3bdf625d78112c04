/// Reads by a small network that sees the whole sentence.
///
/// Characters that the network was not trained to read are left to the dictionary, and so are names and places, of
/// which it knows little.
package struct NetworkEngine: ReadingEngine {
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
    network.answers(scalars, in: { _ in true }, where: { _ in true }) { position, answer in
      choices[position].reading = answer.reading
      choices[position].confidence = Certainty.confidence(
        Certainty.network * Certainty.odds(likelihood: answer.likelihood))
      choices[position].evidence = .network
    }
  }
}
