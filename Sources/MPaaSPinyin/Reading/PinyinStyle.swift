/// The style of a reading.
public enum PinyinStyle: String, Sendable, CaseIterable {
  /// Tone marks: `zhòng`, `lǚ`, `ma`.
  case marks
  /// The tone's digit behind the syllable, 5 for neutral: `zhong4`, `lv3`, `ma5`.
  case digits
  /// The tone's digit behind the letter that would bear its mark: `zho4ng`, `lv3`, `ma5`.
  case innerDigits = "inner-digits"
  /// Without tones: `zhong`, `lv`, `ma`.
  case plain = "none"
  /// The initial (声母), y and w among them as schools teach it: `zh`, `l`, `y`; empty for 安.
  case initials
  /// The first letter: `z`, `l`, `y`, `a`.
  case letters
  /// The final (韵母) by its full name: `ong`, `v`, `iou` for 六, `uei` for 水.
  case finals
  /// Capital letters without tones, ü as YU: `ZHONG`, `LYU`, as passports have it since 2012.
  case passport
  /// Zhuyin (bopomofo): `ㄓㄨㄥˋ`, `ㄌㄩˇ`, neutral `˙ㄇㄚ`, first tone unmarked.
  case zhuyin
  /// Wade–Giles with superscript tones: `chung⁴`, `lü³`, `ma`.
  case wadeGiles = "wade-giles"

  /// The spelling of ü unless said otherwise: `ü` with tone marks and in Wade–Giles, YU in passports, else `v`.
  public var usualUmlaut: UmlautSpelling {
    switch self {
    case .marks, .wadeGiles: .umlaut
    case .passport: .yu
    default: .v
    }
  }

  /// Tells whether the syllables of a word can be told apart without an apostrophe, or are never put together.
  var needsNoApostrophe: Bool {
    switch self {
    case .marks, .plain, .passport: false
    default: true
    }
  }
}

/// The spelling of the ü of lü, nü, lüe and nüe; 鱼 is yu and 去 is qu in any case.
public enum UmlautSpelling: String, Sendable, CaseIterable {
  /// As ü: `lüe`.
  case umlaut = "ü"
  /// As v: `lve`.
  case v
  /// As yu: `lyue`.
  case yu
  /// As u: `lue`.
  case u
}
