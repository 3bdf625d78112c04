/// Reads by dictionary and network, each where it is better.
///
/// The network was trained on an encyclopaedia and knows little of daily speech: of short sentences, and of those with
/// the characters of daily speech, what the dictionary says stands, and so does what a word that holds, a name or a
/// place says. Elsewhere the network is asked; where the two differ, a logistic model of how sure each is says which is
/// right more often.
package struct ContextualEngine: ReadingEngine {
  private let dictionary: DictionaryEngine
  private let network: Network?
  private let register: RegisterTable
  private let folding: FoldingTable

  package init(_ data: PinyinData) {
    dictionary = DictionaryEngine(data)
    register = data.register
    folding = data.folding
    network = Network(data)
  }

  package func read(
    _ scalars: UnsafeBufferPointer<UInt32>, as kind: TextKind,
    into choices: UnsafeMutableBufferPointer<ReadingChoice>
  ) {
    dictionary.read(scalars, as: kind, into: choices)
    guard kind == .text, let network else { return }
    network.answers(
      scalars, in: { !register.isDaily(scalars, $0, folding) }, where: { isOpen(choices[$0]) }
    ) { position, answer in
      let choice = choices[position]
      let odds = Certainty.odds[Int(choice.confidence)]
      if choice.reading == answer.reading {
        let sure = Certainty.agreed
        let sum = sure.own + sure.dictionary * odds + sure.network * Certainty.odds(likelihood: answer.likelihood)
        choices[position].confidence = Certainty.confidence(sum)
        return
      }
      let difference = Certainty.difference(
        odds: odds, advantage: answer.advantage(of: choice.reading, floor: Certainty.floor),
        isWord: choice.wordLength > 1)
      if difference < 0 {
        choices[position].reading = answer.reading
        choices[position].evidence = .network
        choices[position].wordLength = 1
      }
      choices[position].confidence = Certainty.confidence(
        Certainty.chosen.own + Certainty.chosen.difference * abs(difference))
    }
  }

  /// Tells whether the network is asked: not about names, places, and words that hold.
  ///
  /// About words that it has not seen in training the network is surer of itself than it may be: 会计, 人参.
  @inline(__always) private func isOpen(_ choice: ReadingChoice) -> Bool {
    switch choice.evidence {
    case .none, .name, .place: false
    case .word: choice.wordLength < 2 || choice.confidence < Certainty.holding
    case .only, .prior, .context, .network: true
    }
  }
}
