/// The keys by which readings are typed.
public enum PinyinKeyboard: String, Sendable, CaseIterable {
  /// A key for each letter.
  case letters
  /// Double pinyin as Xiaohe (小鹤双拼) has it: two keys a reading.
  case xiaohe
  /// Double pinyin as Ziranma (自然码) has it.
  case ziranma
  /// Double pinyin as Microsoft's input method has it; `;` is a key too.
  case microsoft
  /// Double pinyin as Sogou's input method has it; `;` is a key too.
  case sogou
  /// Nine keys, as telephones have them: 2 for a, b, c … 9 for w, x, y, z.
  case t9

  /// The keys for a spelling in small letters, ü as v; none where the keyboard has no keys for it.
  func forms(of spelling: [UInt32]) -> [[UInt32]] {
    switch self {
    case .letters: return [spelling]
    case .t9:
      let digits = spelling.compactMap(Self.digit)
      return digits.count == spelling.count ? [digits] : []
    default:
      guard spelling.allSatisfy({ 0x61...0x7A ~= $0 }) else { return [] }
      let text = String(String.UnicodeScalarView(spelling.compactMap(Unicode.Scalar.init)))
      return DoublePinyin.scheme(self)?.keys(of: text).map { $0.unicodeScalars.map(\.value) } ?? []
    }
  }

  /// The digit on whose key a small letter stands; nil for all else.
  static func digit(_ letter: UInt32) -> UInt32? {
    guard 0x61...0x7A ~= letter else { return nil }
    return digits.withUTF8Buffer { UInt32($0[Int(letter) - 0x61]) }
  }

  private static let digits: StaticString = "22233344455566677778889999"
}

/// Two keys for each reading: one for how it begins, one for how it ends.
///
/// Sources: the key charts that the input methods' makers publish.
struct DoublePinyin: Sendable {
  /// The keys of what readings end in; those with several stand in the order of preference.
  private let finals: [String: String]
  /// The key before a reading that begins with a vowel; nil where its first letter is that.
  private let zero: String?

  static func scheme(_ keyboard: PinyinKeyboard) -> DoublePinyin? {
    switch keyboard {
    case .xiaohe: xiaohe
    case .ziranma: ziranma
    case .microsoft: microsoft
    case .sogou: sogou
    case .letters, .t9: nil
    }
  }

  private static let xiaohe = DoublePinyin(
    "iu q ei w uan r van r ue t ve t un y vn y uo o ie p ong s iong s ai d en f eng g ang h an j uai k ing k uang l "
      + "iang l ou z ua x ia x ao c ui v in b iao n ian m", zero: nil)
  private static let ziranma = DoublePinyin(
    "iu q ia w ua w uan r van r ue t ve t uai y ing y uo o un p vn p ong s iong s iang d uang d en f eng g ang h an j "
      + "ao k ai l ei z ie x iao c ui v ou b in n ian m", zero: nil)
  private static let microsoft = DoublePinyin(
    "iu q ia w ua w er r uan r van r ue t ve tv uai y v y uo o un p vn p ong s iong s iang d uang d en f eng g ang h "
      + "an j ao k ai l ing ; ei z ie x iao c ui v ou b in n ian m", zero: "o")
  private static let sogou = DoublePinyin(
    "iu q ia w ua w er r uan r van r ue t ve t uai y v y uo o un p vn p ong s iong s iang d uang d en f eng g ang h "
      + "an j ao k ai l ing ; ei z ie x iao c ui v ou b in n ian m", zero: "o")

  private init(_ table: String, zero: String?) {
    var finals = ["a": "a", "o": "o", "e": "e", "i": "i", "u": "u", "v": "v"]
    let words = table.split(separator: " ").map(String.init)
    for index in stride(from: 0, to: words.count - 1, by: 2) { finals[words[index]] = words[index + 1] }
    self.finals = finals
    self.zero = zero
  }

  /// The pairs of keys for a reading; none where it has no vowel.
  func keys(of reading: String) -> [String] {
    let initial = String(reading.prefix { !"aeiouv".contains($0) })
    let final = String(reading.dropFirst(initial.count))
    guard !initial.isEmpty else { return zero.map { start in ends(of: final).map { start + $0 } } ?? vowels(final) }
    let start =
      switch initial {
      case "zh": "v"
      case "ch": "i"
      case "sh": "u"
      default: initial
      }
    return start.count == 1 ? ends(of: final).map { start + $0 } : []
  }

  private func ends(of final: String) -> [String] { finals[final]?.map { String($0) } ?? [] }

  /// A reading of vowels where its own letters are the keys: doubled, as they are, or the first and the key of the end.
  private func vowels(_ reading: String) -> [String] {
    switch reading.count {
    case 1: [reading + reading]
    case 2: [reading]
    default: ends(of: reading).map { String(reading.prefix(1)) + $0 }
    }
  }
}
