extension Character {
  /// The number of terminal columns that the character takes: 0 for controls and lone marks, 2 for wide ones, else 1.
  ///
  /// Source: Unicode Standard Annex 11 (East Asian Width W and F) and emoji presentation.
  package var displayWidth: Int {
    guard let first = unicodeScalars.first else { return 0 }
    if first.isASCII { return first.value >= 0x20 && first.value != 0x7f ? 1 : 0 }
    if unicodeScalars.contains(where: { $0.value == 0xfe0f }) { return 2 }
    switch first.properties.generalCategory {
    case .control, .format, .nonspacingMark, .enclosingMark: return 0
    default: break
    }
    return first.isWide ? 2 : 1
  }
}

extension StringProtocol {
  /// The number of terminal columns that the text takes.
  package var displayWidth: Int {
    reduce(0) { $0 + $1.displayWidth }
  }

  /// The longest beginning that fits into `columns`, with `…` at its end where something was cut.
  package func truncated(toWidth columns: Int) -> String {
    guard displayWidth > columns else { return String(self) }
    guard columns > 1 else { return columns == 1 ? "…" : "" }
    var result = ""
    var used = 0
    for character in self {
      let width = character.displayWidth
      if used + width > columns - 1 { break }
      result.append(character)
      used += width
    }
    return result + "…"
  }

  /// The text with spaces behind it (before it, where `trailing` is set) up to `columns`.
  package func padded(toWidth columns: Int, trailing: Bool = false) -> String {
    let space = String(repeating: " ", count: Swift.max(0, columns - displayWidth))
    return trailing ? space + self : self + space
  }
}

extension Unicode.Scalar {
  fileprivate var isWide: Bool {
    if properties.isEmojiPresentation { return true }
    switch value {
    case 0x1100...0x115f, 0x2329...0x232a, 0x2e80...0x303e, 0x3041...0x33ff, 0x3400...0x4dbf, 0x4e00...0x9fff,
      0xa000...0xa4cf, 0xa960...0xa97f, 0xac00...0xd7a3, 0xf900...0xfaff, 0xfe10...0xfe19, 0xfe30...0xfe6f,
      0xff00...0xff60, 0xffe0...0xffe6, 0x16fe0...0x18aff, 0x1b000...0x1b2ff, 0x1f200...0x1f2ff,
      0x20000...0x2fffd, 0x30000...0x3fffd:
      return true
    default: return false
    }
  }
}
