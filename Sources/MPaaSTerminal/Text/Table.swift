/// Rows under headings, aligned by display width.
package struct Table: Sendable, Equatable {
  package struct Column: Sendable, Equatable {
    package let heading: String
    package let isNumeric: Bool
    /// Tells whether a narrow terminal may do without it.
    package let isOptional: Bool

    package init(_ heading: String, isNumeric: Bool = false, isOptional: Bool = false) {
      self.heading = heading
      self.isNumeric = isNumeric
      self.isOptional = isOptional
    }
  }

  package let columns: [Column]
  package var rows: [[StyledText]]

  package init(columns: [Column], rows: [[StyledText]] = []) {
    self.columns = columns
    self.rows = rows
  }

  /// The lines of the table; where the terminal is narrower than the table, the last text column gives way as far as it
  /// stays readable, then optional columns are left out from the right, and then it gives way further.
  ///
  /// A cell that is wider than its column goes on in lines below: nothing of it is cut.
  package func lines(width: Int?) -> [StyledText] {
    Table(columns: columns, rows: rows.map { $0.map(\.inCell) }).fitted(to: width)
  }

  private func fitted(to width: Int?) -> [StyledText] {
    guard let width, let last = columns.lastIndex(where: { !$0.isNumeric }),
      let optional = columns.lastIndex(where: \.isOptional)
    else { return fitted(width: width) }
    var widths = naturalWidths
    widths[last] = min(widths[last], Self.readable)
    guard widths.reduce(0, +) + 2 * max(0, widths.count - 1) > width else { return fitted(width: width) }
    let table = Table(
      columns: columns.indices.filter { $0 != optional }.map { columns[$0] },
      rows: rows.map { row in row.indices.filter { $0 != optional }.map { row[$0] } })
    return table.fitted(to: width)
  }

  /// Columns: the width that the last text column keeps while there are optional ones.
  private static let readable = 30

  private var naturalWidths: [Int] {
    var widths = columns.map(\.heading.displayWidth)
    for row in rows {
      for (index, cell) in row.prefix(widths.count).enumerated() {
        widths[index] = max(widths[index], cell.displayWidth)
      }
    }
    return widths
  }

  private func fitted(width: Int?) -> [StyledText] {
    let widths = width.map { fitting($0) } ?? naturalWidths
    return ([columns.map { StyledText($0.heading, .heading) }] + rows).flatMap { lines($0, widths) }
  }

  /// The widths of columns that fit together into a width: the last text column gives way first as far as it can be
  /// read, then whichever is the widest.
  private func fitting(_ width: Int) -> [Int] {
    var widths = naturalWidths
    var excess = widths.reduce(0, +) + 2 * max(0, widths.count - 1) - width
    if excess > 0, let last = columns.lastIndex(where: { !$0.isNumeric }), widths[last] > Self.narrow {
      let less = min(excess, widths[last] - Self.narrow)
      widths[last] -= less
      excess -= less
    }
    let least = leastWidths
    while excess > 0,
      let widest = widths.indices.filter({ widths[$0] > least[$0] }).max(by: { widths[$0] < widths[$1] })
    {
      widths[widest] -= 1
      excess -= 1
    }
    return widths
  }

  /// Columns: the width that the last text column keeps while others may give way.
  private static let narrow = 12

  /// The widths below which columns do not go: numbers stay whole, and their headings wrap.
  private var leastWidths: [Int] {
    columns.indices.map { index in
      guard columns[index].isNumeric else { return 6 }
      return max(4, rows.map { index < $0.count ? $0[index].displayWidth : 0 }.max() ?? 0)
    }
  }

  /// The lines of a row: as many as its highest cell has.
  private func lines(_ cells: [StyledText], _ widths: [Int]) -> [StyledText] {
    let wrapped = zip(cells, widths).map { $0.wrapped(toWidth: $1) }
    return (0..<(wrapped.map(\.count).max() ?? 0)).map { number in
      line(wrapped.map { number < $0.count ? $0[number] : StyledText() }, widths)
    }
  }

  private func line(_ cells: [StyledText], _ widths: [Int]) -> StyledText {
    var line = StyledText()
    for (index, text) in cells.prefix(columns.count).enumerated() {
      let space = String(repeating: " ", count: max(0, widths[index] - text.displayWidth))
      if index > 0 { line.append("  ") }
      let isLast = index == columns.count - 1
      line += columns[index].isNumeric ? StyledText(space) + text : text + StyledText(isLast ? "" : space)
    }
    return line
  }
}
