/// Zhuyin (bopomofo), as Taiwan's Ministry of Education writes it in one line.
enum Zhuyin {
  static func text(_ reading: Reading) -> String {
    let syllable = reading.syllable
    let letters = initials[Int(syllable.initial.rawValue)] + final(syllable)
    switch reading.tone {
    case .first: return letters
    case .second: return letters + "ˊ"
    case .third: return letters + "ˇ"
    case .fourth: return letters + "ˋ"
    case .neutral: return "˙" + letters
    }
  }

  private static func final(_ syllable: Syllable) -> String {
    switch (syllable.initial, syllable.final) {
    // Their vowel has no letter.
    case (.zh, .i), (.ch, .i), (.sh, .i), (.r, .i), (.z, .i), (.c, .i), (.s, .i): ""
    default: finals[Int(syllable.final.rawValue)]
    }
  }

  /// In the order of `Initial`.
  private static let initials = [
    "", "ㄅ", "ㄆ", "ㄇ", "ㄈ", "ㄉ", "ㄊ", "ㄋ", "ㄌ", "ㄍ", "ㄎ", "ㄏ", "ㄐ", "ㄑ", "ㄒ", "ㄓ", "ㄔ", "ㄕ", "ㄖ", "ㄗ", "ㄘ",
    "ㄙ",
  ]
  /// In the order of `Final`.
  private static let finals = [
    "ㄚ", "ㄛ", "ㄜ", "ㄝ", "ㄞ", "ㄟ", "ㄠ", "ㄡ", "ㄢ", "ㄣ", "ㄤ", "ㄥ", "ㄦ",
    "ㄧ", "ㄧㄚ", "ㄧㄛ", "ㄧㄝ", "ㄧㄞ", "ㄧㄠ", "ㄧㄡ", "ㄧㄢ", "ㄧㄣ", "ㄧㄤ", "ㄧㄥ", "ㄩㄥ",
    "ㄨ", "ㄨㄚ", "ㄨㄛ", "ㄨㄞ", "ㄨㄟ", "ㄨㄢ", "ㄨㄣ", "ㄨㄤ", "ㄨㄥ",
    "ㄩ", "ㄩㄝ", "ㄩㄢ", "ㄩㄣ", "ㄇ", "ㄋ", "ㄫ",
  ]
}
