extension StringProtocol {
  /// The text in lines of at most `columns` terminal columns.
  ///
  /// Lines break at blanks and beside wide characters, but not before closing nor behind opening punctuation; a word is
  /// never cut, so that one that is wider than a line goes over it. Blanks at breaks go.
  ///
  /// - Parameter indent: The columns that are taken on the first line already.
  /// - Parameter hanging: The blanks before each further line.
  package func wrapped(to columns: Int, indent: Int = 0, hanging: Int = 0) -> [String] {
    var lines: [String] = []
    var line = ""
    var used = indent
    for piece in pieces {
      let gap = line.isEmpty ? 0 : piece.blanks
      if used + gap + piece.width > columns, !line.isEmpty {
        lines.append(line)
        line = String(repeating: " ", count: hanging) + piece.text
        used = hanging + piece.width
      } else {
        line += String(repeating: " ", count: gap) + piece.text
        used += gap + piece.width
      }
    }
    return lines + [line]
  }

  /// The parts between which a line may break, each with the blanks before it.
  private var pieces: [WrappedPiece] {
    var pieces: [WrappedPiece] = []
    var blanks = 0
    for word in split(separator: " ", omittingEmptySubsequences: false) {
      if word.utf8.allSatisfy({ $0 < 0x80 }) {
        if !word.isEmpty { pieces.append(WrappedPiece(blanks: blanks, String(word), word.utf8.count)) }
      } else {
        pieces += Self.pieces(ofWide: word, blanks)
      }
      blanks = word.isEmpty ? blanks + 1 : 1
    }
    return pieces
  }

  /// The parts of a word that has characters beyond ASCII.
  private static func pieces(ofWide word: SubSequence, _ blanks: Int) -> [WrappedPiece] {
    var pieces: [WrappedPiece] = []
    var joins = false
    for character in word {
      let width = character.displayWidth
      let sticks = WrappedPiece.closing.contains(character) || (width < 2 && pieces.last?.endsNarrow == true)
      if !pieces.isEmpty, joins || sticks {
        pieces[pieces.count - 1].append(character, width)
      } else {
        pieces.append(WrappedPiece(blanks: pieces.isEmpty ? blanks : 0, String(character), width))
      }
      joins = WrappedPiece.opening.contains(character)
    }
    return pieces
  }
}

/// A word, or a wide character with the punctuation that stays beside it.
private struct WrappedPiece {
  /// Punctuation that begins no line.
  static let closing: Set<Character> = [
    "，", "。", "、", "；", "：", "？", "！", "）", "」", "』", "】", "》", "”", "’", "…", ")", "]", "}", ",", ".", ";", ":", "?",
    "!",
  ]
  /// Punctuation that ends no line.
  static let opening: Set<Character> = ["（", "「", "『", "【", "《", "“", "‘"]

  let blanks: Int
  var text: String
  var width: Int
  var endsNarrow: Bool

  init(blanks: Int, _ text: String, _ width: Int) {
    self.blanks = blanks
    self.text = text
    self.width = width
    endsNarrow = width < 2
  }

  mutating func append(_ character: Character, _ width: Int) {
    text.append(character)
    self.width += width
    endsNarrow = width < 2
  }
}
