/// Rows under headings, aligned by display width.
package struct Table: Sendable, Equatable {
  package struct Column: Sendable, Equatable {
    package let heading: String
    package let isNumeric: Bool

    package init(_ heading: String, isNumeric: Bool = false) {
      self.heading = heading
      self.isNumeric = isNumeric
    }
  }

  package let columns: [Column]
  package var rows: [[StyledText]]

  package init(columns: [Column], rows: [[StyledText]] = []) {
    self.columns = columns
    self.rows = rows
  }

  /// The lines of the table; the last text column gives way where the terminal is narrower than the table.
  package func lines(width: Int?) -> [StyledText] {
    var widths = columns.map(\.heading.displayWidth)
    for row in rows {
      for (index, cell) in row.prefix(widths.count).enumerated() {
        widths[index] = max(widths[index], cell.displayWidth)
      }
    }
    if let width, let last = columns.lastIndex(where: { !$0.isNumeric }) {
      let total = widths.reduce(0, +) + 2 * max(0, widths.count - 1)
      if total > width { widths[last] = max(12, widths[last] - (total - width)) }
    }
    let heading = line(columns.map { StyledText($0.heading, .heading) }, widths)
    return [heading] + rows.map { line($0, widths) }
  }

  private func line(_ cells: [StyledText], _ widths: [Int]) -> StyledText {
    var line = StyledText()
    for (index, cell) in cells.prefix(columns.count).enumerated() {
      let text = cell.truncated(toWidth: widths[index])
      let space = String(repeating: " ", count: max(0, widths[index] - text.displayWidth))
      if index > 0 { line.append("  ") }
      let isLast = index == columns.count - 1
      line += columns[index].isNumeric ? StyledText(space) + text : text + StyledText(isLast ? "" : space)
    }
    return line
  }
}
