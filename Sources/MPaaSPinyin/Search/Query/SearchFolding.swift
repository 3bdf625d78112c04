/// Takes characters that count as the same to one of them, scalar by scalar.
struct SearchFolding: Sendable {
  /// The value where a character can match nothing as itself.
  static let nothing: UInt32 = .max

  let kinds: PinyinFolding

  /// The value that a character of a text is compared as when it stands for itself.
  func folded(_ scalar: Unicode.Scalar) -> UInt32 {
    var scalar = scalar
    if kinds.contains(.width) { scalar = Self.narrow(scalar) }
    if scalar.isASCII { return scalar.value | (65...90 ~= scalar.value ? 32 : 0) }
    if kinds.contains(.diacritics), let base = Self.base(scalar) { return UInt32(base) }
    if Self.isUncased(scalar) { return kinds.contains(.traditional) ? Self.simplified(scalar.value) : scalar.value }
    let lower = scalar.properties.lowercaseMapping.unicodeScalars
    guard let first = lower.first, lower.count == 1 else { return Self.nothing }
    // The two small sigmas are one letter.
    return kinds.contains(.diacritics) && first.value == 0x3C2 ? 0x3C3 : first.value
  }

  /// Tells whether a character of a text may be passed over between matched ones.
  func isPassedOver(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20, 0xB7, 0x2D, 0x28, 0x29, 0xFF08, 0xFF09, 0x40, 0x2E, 0x2C, 0xFF0C, 0x3002, 0x3001: return true
    case ..<0x300: return false
    default: break
    }
    if kinds.contains(.diacritics), Self.isMark(scalar) { return true }
    guard kinds.contains(.width) else { return false }
    let narrow = Self.narrow(scalar)
    return narrow != scalar && isPassedOver(narrow)
  }

  /// Marks that stand above or below the letter before them.
  static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x300...0x36F, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE00...0xFE0F, 0xFE20...0xFE2F: true
    default: false
    }
  }

  /// The usual form of a full-width character.
  static func narrow(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar.value {
    case 0xFF01...0xFF5E: Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar
    case 0x3000: " "
    default: scalar
    }
  }

  /// Blocks of characters that have no upper and lower case, to be quick.
  private static func isUncased(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x2E80...0xA4CF, 0xAC00...0xFAFF, 0x20000...0x3FFFF: true
    default: false
    }
  }

  /// The simplified form of a traditional character.
  private static func simplified(_ scalar: UInt32) -> UInt32 { PinyinData.builtIn.folding[scalar] }

  /// The small ASCII letter below the marks of a Latin one; nil where it is none.
  static func base(_ scalar: Unicode.Scalar) -> UInt8? {
    let index: Int
    switch scalar.value {
    case 0xC0..<0x250: index = Int(scalar.value) - 0xC0
    case 0x1E00..<0x1F00: index = Int(scalar.value) - 0x1E00 + 0x190
    default: return nil
    }
    let base = bases.withUTF8Buffer { $0[index] }
    return base == 46 ? nil : base
  }

  /// The base letters of U+00C0...024F and U+1E00...1EFF; a full stop where there is none.
  private static let bases: StaticString = """
    aaaaaa.ceeeeiiii.nooooo.ouuuuy..aaaaaa.ceeeeiiii.nooooo.ouuuuy.yaaaaaaccccccccddddeeeeeeeeeegggg\
    gggghhhhiiiiiiiiii..jjkk.llllll..llnnnnnn...oooooo..rrrrrrsssssssstttt..uuuuuuuuuuuuwwyyyzzzzzz.\
    ................................oo.............uu............................aaiioouuuuuuuuuu.aa\
    aa....ggkkoooo..j...gg..nnaa....aaaaeeeeiiiioooorrrruuuusstt..hh......aaeeooooooooyy............\
    ................\
    aabbbbbbccddddddddddeeeeeeeeeeffgghhhhhhhhhhiiiikkkkkkllllllllmmmmmmnnnnnnnnoooooooopppprrrrrrrr\
    ssssssssssttttttttuuuuuuuuuuvvvvwwwwwwwwwwxxxxyyzzzzzzhtwy......aaaaaaaaaaaaaaaaaaaaaaaaeeeeeeee\
    eeeeeeeeiiiioooooooooooooooooooooooouuuuuuuuuuuuuuyyyyyyyy......
    """

  /// The tone that a mark of pinyin stands for; 0 where it is none.
  static func tone(ofMark scalar: UInt32) -> UInt8 {
    switch scalar {
    case 0x304: 1
    case 0x301: 2
    case 0x30C: 3
    case 0x300: 4
    default: 0
    }
  }

  /// The tone that a letter of pinyin bears, and whether it is a ü; nil where it is no such letter.
  static func marked(_ scalar: UInt32) -> (tone: UInt8, isUmlaut: Bool)? {
    switch scalar {
    case 0xDC, 0xFC: (0, true)
    case 0x1D5...0x1DC: (UInt8((scalar - 0x1D5) / 2 + 1), true)
    case 0x100, 0x101, 0x112, 0x113, 0x12A, 0x12B, 0x14C, 0x14D, 0x16A, 0x16B: (1, false)
    case 0xC1, 0xE1, 0xC9, 0xE9, 0xCD, 0xED, 0xD3, 0xF3, 0xDA, 0xFA, 0x143, 0x144, 0x1E3E, 0x1E3F: (2, false)
    case 0x1CD...0x1D4, 0x11A, 0x11B, 0x147, 0x148: (3, false)
    case 0xC0, 0xE0, 0xC8, 0xE8, 0xCC, 0xEC, 0xD2, 0xF2, 0xD9, 0xF9, 0x1F8, 0x1F9: (4, false)
    default: nil
    }
  }
}
