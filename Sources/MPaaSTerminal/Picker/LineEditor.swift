/// A line of text that is being typed, and where in it.
package struct LineEditor: Sendable, Equatable {
  private var characters: [Character]
  /// Characters before the cursor.
  package private(set) var cursor: Int

  package init(_ text: String = "") {
    characters = Array(text)
    cursor = characters.count
  }

  package var text: String { String(characters) }
  /// The text before the cursor.
  package var head: String { String(characters[..<cursor]) }
  package var tail: String { String(characters[cursor...]) }
  package var isEmpty: Bool { characters.isEmpty }

  /// Does what a key means for a line; false for keys that mean nothing for one.
  package mutating func handle(_ key: TerminalKey) -> Bool {
    switch key {
    case .character(let character): insert(String(character))
    case .paste(let text): insert(Self.oneLine(text))
    case .backspace, .control("h"): replace(max(cursor - 1, 0)..<cursor)
    case .delete, .control("d"): replace(cursor..<min(cursor + 1, characters.count))
    case .control("w"): replace(wordStart(isBlankOnly: true)..<cursor)
    case .altBackspace: replace(wordStart(isBlankOnly: false)..<cursor)
    case .alt("d"): replace(cursor..<wordEnd())
    case .control("u"): replace(0..<cursor)
    case .control("k"): replace(cursor..<characters.count)
    case .left, .control("b"): cursor = max(cursor - 1, 0)
    case .right, .control("f"): cursor = min(cursor + 1, characters.count)
    case .home, .control("a"): cursor = 0
    case .end, .control("e"): cursor = characters.count
    case .wordLeft, .alt("b"): cursor = wordStart(isBlankOnly: false)
    case .wordRight, .alt("f"): cursor = wordEnd()
    default: return false
    }
    return true
  }

  /// Puts text in at the cursor; what belongs to the character before it (a mark, the rest of an emoji) joins that.
  private mutating func insert(_ text: String) {
    let head = self.head + text
    let scalars = head.unicodeScalars.count
    characters = Array(head + tail)
    var place = 0
    cursor = 0
    while cursor < characters.count, place < scalars {
      place += characters[cursor].unicodeScalars.count
      cursor += 1
    }
  }

  private mutating func replace(_ range: Range<Int>) {
    characters.removeSubrange(range)
    cursor = range.lowerBound
    // Characters that stood apart may be one now.
    let joined = Array(String(characters))
    if joined.count != characters.count {
      characters = joined
      cursor = min(cursor, joined.count)
    }
  }

  private func wordStart(isBlankOnly: Bool) -> Int {
    var place = cursor
    while place > 0, !Self.isWord(characters[place - 1], isBlankOnly) { place -= 1 }
    while place > 0, Self.isWord(characters[place - 1], isBlankOnly) { place -= 1 }
    return place
  }

  private func wordEnd() -> Int {
    var place = cursor
    while place < characters.count, !Self.isWord(characters[place], false) { place += 1 }
    while place < characters.count, Self.isWord(characters[place], false) { place += 1 }
    return place
  }

  private static func isWord(_ character: Character, _ isBlankOnly: Bool) -> Bool {
    isBlankOnly ? !character.isWhitespace : character.isLetter || character.isNumber
  }

  /// Pasted text as one line: breaks and tabs become blanks, other control characters nothing.
  private static func oneLine(_ text: String) -> String {
    let text = text.replacing("\r\n", with: " ")
    var line = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x09, 0x0a, 0x0d, 0x2028, 0x2029: line.append(" ")
      case ..<0x20, 0x7f..<0xa0: break
      default: line.append(scalar)
      }
    }
    var result = Substring(String(line))
    while result.last == " " { result.removeLast() }
    return String(result)
  }
}
