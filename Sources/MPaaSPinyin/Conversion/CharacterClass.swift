/// The class of a character that is not read as a syllable for the blanks around it.
enum CharacterClass {
  /// A letter, a digit, a symbol or an emoji: a blank parts it from a syllable.
  case word
  /// Punctuation, blanks, controls: nothing is added beside them.
  case other
  /// It belongs to the character before it: combining marks, joiners.
  case mark
  /// A variation selector: it chooses a glyph of the character before it and vanishes with it.
  case selector

  static func of(_ scalar: UInt32) -> CharacterClass {
    if scalar < 0x80 {
      return ascii.0 >> UInt64(scalar & 63) & (scalar < 64 ? 1 : 0) != 0
        || ascii.1 >> UInt64(scalar & 63) & (scalar < 64 ? 0 : 1) != 0 ? .word : .other
    }
    switch scalar {
    case 0x3000...0x3003, 0x3008...0x3011, 0xFF01, 0xFF0C, 0xFF1A...0xFF1B, 0xFF1F, 0xFFFD: return .other
    case 0x3041...0x3096, 0x30A1...0x30FA, 0x3400...0x9FFF, 0xAC00...0xD7A3, 0xE000...0xF8FF: return .word
    case 0xFE00...0xFE0F, 0xE0100...0xE01EF: return .selector
    case 0x200C, 0x200D: return .mark
    default: return byCategory(scalar)
    }
  }

  /// The ASCII characters that are words: letters, digits and `$ % & +`.
  private static let ascii: (UInt64, UInt64) = "$%&+0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    .unicodeScalars.reduce(into: (0, 0)) { bits, scalar in
      if scalar.value < 64 {
        bits.0 |= 1 << UInt64(scalar.value)
      } else {
        bits.1 |= 1 << UInt64(scalar.value - 64)
      }
    }

  private static func byCategory(_ scalar: UInt32) -> CharacterClass {
    guard let properties = Unicode.Scalar(scalar)?.properties else { return .other }
    // The fullwidth forms of the four signs are words as they are.
    if [0xFF04, 0xFF05, 0xFF06, 0xFF0B].contains(scalar) { return .word }
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .spacingMark: return .mark
    // Skin tones and the like.
    case _ where properties.isEmojiModifier: return .mark
    case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
      .finalPunctuation, .otherPunctuation, .spaceSeparator, .lineSeparator, .paragraphSeparator, .control, .format:
      return .other
    default: return .word
    }
  }

  /// Tells whether a character is a Chinese one, read or not (Unicode 15, property Unified_Ideograph, and the
  /// compatibility ideographs).
  static func isHan(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x4E00...0x9FFF, 0x3400...0x4DBF, 0x3005, 0x3007, 0xF900...0xFAFF, 0x20000...0x323AF: true
    default: false
    }
  }

  /// The dots between the parts of names of other peoples: 阿依古丽·买买提.
  static func isMiddleDot(_ scalar: UInt32) -> Bool {
    [0xB7, 0x2022, 0x2027, 0x30FB, 0xFF65].contains(scalar)
  }
}
