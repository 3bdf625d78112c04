/// Rows of words in columns, two blanks apart.
enum ConsoleTable {
  static func text(_ rows: [[String]]) -> String {
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in rows.map { $0.count > column ? width($0[column]) : 0 }.max() ?? 0 }
    return rows.map { row in
      var line = ""
      for (column, word) in row.enumerated() {
        line += word + String(repeating: " ", count: widths[column] - width(word) + 2)
      }
      while line.last == " " { line.removeLast() }
      return line
    }.joined(separator: "\n")
  }

  /// The columns that a terminal uses: two for the scripts of East Asia.
  private static func width(_ text: String) -> Int {
    text.reduce(0) { sum, letter in
      let wide = letter.unicodeScalars.first.map { 0x1100...0x115f ~= $0.value || 0x2e80...0xffe6 ~= $0.value } ?? false
      return sum + (wide ? 2 : 1)
    }
  }
}
