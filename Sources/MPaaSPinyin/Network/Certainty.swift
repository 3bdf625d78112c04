#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The certainty of an engine, as the logarithm of the odds that it is right.
///
/// The numbers come from CPP's development part and the everyday sentences, where a model of the dictionary that has
/// not seen the sentence and the network were compared (`python3 scripts/pinyin-data --combine` computes them, each
/// tenth by the other nine).
enum Certainty {
  /// The weight of the network's own certainty: it believes too much in itself.
  static let network: Float = 0.431

  /// The weights when both engines say the same: what stands for itself, and what the certainty of each counts.
  static let agreed: (own: Float, network: Float, dictionary: Float) = (0.545, 0.306, 0.668)

  /// The weights when they differ: what speaks for the dictionary by itself, by its certainty and by a word, and what
  /// counts for the network by how much less probable it finds the dictionary's reading (`advantage`, not less than
  /// `floor`).
  ///
  /// `product` is for certainty times advantage, `square` for the advantage's square: of a network that is very sure
  /// the dictionary's own certainty changes little.
  static let differing: (own: Float, dictionary: Float, network: Float, word: Float, product: Float, square: Float) =
    (-0.35, 2.144, 0.976, -1.111, 0.2187, 0.0817)
  static let floor: Float = -10

  /// The confidence of a word that holds: the network is not asked about words that are as sure.
  static let holding: UInt8 = 245

  /// The weights of the certainty that the better one is right when they differ.
  static let chosen: (own: Float, difference: Float) = (1.104, 0.475)

  /// The evidence for the dictionary where both differ: above 0 its reading is the likelier one.
  static func difference(odds: Float, advantage: Float, isWord: Bool) -> Float {
    let counts = differing
    return counts.own + counts.dictionary * odds + (isWord ? counts.word : 0)
      + (counts.network + counts.product * odds + counts.square * advantage) * advantage
  }

  /// The odds of a probability, given as the dictionary's confidence, 250 for 1.
  static let odds: [Float] = (0...255).map { confidence in
    let probability = min(max(Float(confidence) / 250, 0.02), 0.998)
    return log(probability / (1 - probability))
  }

  /// The odds of a probability, given as its logarithm.
  static func odds(likelihood: Float) -> Float {
    let probability = min(max(exp(likelihood), 1e-5), 1 - 1e-5)
    return log(probability / (1 - probability))
  }

  /// The probability in 255ths; 255 is left to what is only read in one way.
  static func confidence(_ odds: Float) -> UInt8 {
    let probability = 255 / (1 + exp(-odds))
    // Damaged weights may give no number.
    return probability >= 1 ? UInt8(min(probability, 254)) : 1
  }
}
