import MPaaSSupport

/// The spelling of readings: a style, and what stands for ü.
package struct Spelling: Hashable, Sendable {
  package let style: PinyinStyle
  package let umlaut: UmlautSpelling

  package init(_ style: PinyinStyle, umlaut: UmlautSpelling? = nil) {
    self.style = style
    self.umlaut = umlaut ?? style.usualUmlaut
  }

  /// A reading as it is written.
  ///
  /// - Parameters:
  ///   - hasErhua: Whether 儿 closes the syllable: `huār`.
  ///   - isCapital: Whether the first letter is a capital.
  package func text(_ reading: Reading, hasErhua: Bool = false, isCapital: Bool = false) -> String {
    let text = spelled(reading, hasErhua: hasErhua)
    guard isCapital, let first = text.first else { return text }
    return first.uppercased() + text.dropFirst()
  }

  private func spelled(_ reading: Reading, hasErhua: Bool) -> String {
    let syllable = reading.syllable
    let r = hasErhua ? "r" : ""
    switch style {
    case .marks: return ToneMark.marked(syllable.spelling, reading.tone, umlaut) + r
    case .digits: return written(syllable.spelling) + r + String(reading.tone.rawValue)
    case .innerDigits:
      let letters = syllable.spelling
      let place = ToneMark.place(in: letters)
      let end = letters.index(after: place)
      return written(String(letters[..<end])) + String(reading.tone.rawValue) + written(String(letters[end...])) + r
    case .plain: return written(syllable.spelling) + r
    case .initials: return Self.initial(syllable)
    case .letters: return syllable.spelling.first.map(String.init) ?? ""
    case .finals: return written(Self.final(syllable)) + r
    case .passport: return (written(syllable.spelling).replacing(each: "ê", with: "e") + r).uppercased()
    case .zhuyin: return Zhuyin.text(reading) + (hasErhua ? "ㄦ" : "")
    case .wadeGiles:
      return written(WadeGiles.letters(syllable)) + (hasErhua ? "rh" : "") + WadeGiles.digit(reading.tone)
    }
  }

  private func written(_ letters: String) -> String {
    umlaut == .v ? letters : letters.replacing(each: "v", with: umlaut.rawValue)
  }

  private static func initial(_ syllable: Syllable) -> String {
    guard syllable.initial == .none else { return syllable.initial.letters }
    return syllable.spelling.first.flatMap { $0 == "y" || $0 == "w" ? String($0) : nil } ?? ""
  }

  private static func final(_ syllable: Syllable) -> String {
    switch syllable.final {
    case .eh: "ê"
    case .ueng where syllable.initial != .none: "ong"
    default: "\(syllable.final)"
    }
  }
}

extension Reading {
  /// The reading in a style.
  ///
  /// - Parameters:
  ///   - style: The style that the reading is written in.
  ///   - umlaut: What stands for ü; nil for what is usual in the style.
  public func spelled(_ style: PinyinStyle, umlaut: UmlautSpelling? = nil) -> String {
    Spelling(style, umlaut: umlaut).text(self)
  }

  /// A reading with its tone mark (`zhòng`, `lǚ`), its digit (`zhong4`) or in zhuyin (`ㄓㄨㄥˋ`); nil where it is neither.
  ///
  /// Capital letters count as small ones. Without a mark it is neutral in pinyin and of the first tone in zhuyin.
  public init?(spelling: some StringProtocol) {
    if let reading = Reading(digits: spelling) {
      self = reading
    } else if let reading = Self.bySpelling[spelling.lowercased()] {
      self = reading
    } else {
      return nil
    }
  }

  private static let bySpelling: [String: Reading] = {
    var found: [String: Reading] = [:]
    let spellings = [Spelling(.marks), Spelling(.marks, umlaut: .v), Spelling(.zhuyin)]
    for syllable in Syllable.bySpelling.values {
      for tone in Tone.allCases {
        let reading = Reading(syllable, tone)
        for spelling in spellings { found[spelling.text(reading)] = reading }
      }
    }
    return found
  }()
}
