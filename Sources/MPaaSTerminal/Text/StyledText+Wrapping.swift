extension StyledText {
  /// The text in lines of at most `columns` terminal columns, each piece with its role; nothing of it is left out but
  /// blanks at breaks.
  ///
  /// Lines break behind blanks and slashes, and beside wide characters; a word that is wider breaks where the line ends.
  func wrapped(toWidth columns: Int) -> [StyledText] {
    guard displayWidth > columns, columns > 1 else { return [self] }
    var rest = spans.flatMap { span in span.text.map { (character: $0, role: span.role) } }[...]
    var lines: [StyledText] = []
    while !rest.isEmpty {
      let end = Self.lineEnd(rest, columns)
      lines.append(Self.joined(rest[..<end]))
      rest = rest[end...].drop { $0.character == " " }
    }
    return lines
  }

  private typealias Cells = ArraySlice<(character: Character, role: TextRole)>

  /// The index behind the last character of the first line; at least one character goes onto it.
  private static func lineEnd(_ cells: Cells, _ columns: Int) -> Int {
    var used = 0
    var end = cells.startIndex
    while end < cells.endIndex, used + cells[end].character.displayWidth <= columns {
      used += cells[end].character.displayWidth
      end += 1
    }
    guard end < cells.endIndex, end > cells.startIndex else { return max(end, cells.startIndex + 1) }
    if cells[end].character == " " { return end }
    let least = cells.startIndex + (end - cells.startIndex) / 2
    return (least..<end).last { index in
      let character = cells[index].character
      return " /".contains(character) || character.displayWidth == 2
    }.map { $0 + 1 } ?? end
  }

  /// The characters as pieces of one role each, without blanks at their end.
  private static func joined(_ cells: Cells) -> StyledText {
    var cells = cells
    while cells.last?.character == " " { cells.removeLast() }
    var line = StyledText()
    while let role = cells.first?.role {
      let same = cells.prefix { $0.role == role }
      line.append(String(same.map(\.character)), role)
      cells = cells.dropFirst(same.count)
    }
    return line
  }
}
