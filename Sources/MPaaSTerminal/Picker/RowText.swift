import MPaaSSupport
import MPaaSToolSupport

/// A text with ranges that are to be seen, made to fit into a row of a terminal.
package struct RowText: Sendable {
  package let text: String
  /// Places in the text, in Unicode scalars; ascending and apart from each other.
  package let highlights: [Range<Int>]

  /// Tells whether control characters stay as they are: for a pipe, which obeys nothing.
  private let isRaw: Bool

  package init(_ text: String, highlights: [Range<Int>] = [], isRaw: Bool = false) {
    self.text = text
    self.highlights = highlights
    self.isRaw = isRaw
  }

  /// The row in pieces: where the text is too wide, its begin or the
  /// neighbourhood of the first highlight is shown, with `…` where something is left out.
  ///
  /// - Parameters:
  ///   - columns: nil for all of the text.
  ///   - base: What the text is where it is not highlighted.
  package func fitted(to columns: Int?, base: TextRole = .plain, highlight: TextRole = .match) -> StyledText {
    let (cells, isCutBehind) = self.cells(columns)
    guard let columns else { return joined(cells[...], base, highlight) }
    let total = cells.reduce(0) { $0 + $1.width }
    if total <= columns, !isCutBehind { return joined(cells[...], base, highlight) }
    guard columns > 2 else { return StyledText(columns > 0 ? "…" : "", base) }
    let start = firstCell(of: cells, columns)
    var room = columns - (start > 0 ? 1 : 0)
    var end = start
    while end < cells.count, cells[end].width <= room {
      room -= cells[end].width
      end += 1
    }
    let isCut = end < cells.count || isCutBehind
    // The sign for what is left out takes the place of what does not leave it room.
    while isCut, room < 1, end > start {
      end -= 1
      room += cells[end].width
    }
    return StyledText(start > 0 ? "…" : "", .faint) + joined(cells[start..<end], base, highlight)
      + StyledText(isCut ? "…" : "", .faint)
  }

  private struct Cell {
    let text: String
    let width: Int
    let isHighlighted: Bool
  }

  /// The characters that can matter for a row of so many columns; those far behind it are not looked at.
  private func cells(_ columns: Int?) -> (cells: [Cell], isCutBehind: Bool) {
    var cells: [Cell] = []
    var place = 0
    var range = highlights[...]
    // So far behind the first highlight nothing can be seen any more.
    let limit = columns.map { (highlights.first?.upperBound ?? 0) + 4 * $0 + 64 } ?? .max
    for character in text {
      if place > limit { return (cells, true) }
      let count = character.unicodeScalars.count
      while let first = range.first, first.upperBound <= place { range = range.dropFirst() }
      let isHighlighted = range.first.map { $0.lowerBound < place + count } ?? false
      let shown = isRaw ? String(character) : Self.visible(character)
      cells.append(Cell(text: shown, width: max(shown.displayWidth, 0), isHighlighted: isHighlighted))
      place += count
    }
    return (cells, false)
  }

  /// The cell to begin with so that the first highlight is seen.
  private func firstCell(of cells: [Cell], _ columns: Int) -> Int {
    guard let first = cells.firstIndex(where: \.isHighlighted) else { return 0 }
    let last = cells[first...].firstIndex { !$0.isHighlighted } ?? cells.count
    let before = cells[..<last].reduce(0) { $0 + $1.width }
    guard before > columns - 1 else { return 0 }
    // A third of the row stays before the highlight.
    var room = columns / 3
    var start = first
    while start > 0, cells[start - 1].width <= room {
      room -= cells[start - 1].width
      start -= 1
    }
    return start
  }

  private func joined(_ cells: ArraySlice<Cell>, _ base: TextRole, _ highlight: TextRole) -> StyledText {
    var result = StyledText()
    var run = ""
    var isHighlighted = false
    func end() {
      let role = isHighlighted ? highlight : base
      if isRaw { result.append(verbatim: run, role) } else { result.append(run, role) }
    }
    for cell in cells {
      if cell.isHighlighted != isHighlighted {
        end()
        run = ""
        isHighlighted = cell.isHighlighted
      }
      run += cell.text
    }
    end()
    return result
  }

  /// The character as it can stand in a terminal: nothing that a terminal would obey.
  static func visible(_ character: Character) -> String {
    character == "\t" ? " " : VisibleText.of(String(character))
  }
}
