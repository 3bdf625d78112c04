/// Counts drawn with block characters.
package enum Sparkline {
  private static let blocks = Array(" ▁▂▃▄▅▆▇█")

  /// One line: each count is a character, as high as it is to the greatest; any count is seen.
  package static func line(_ counts: [Int]) -> String {
    let most = max(counts.max() ?? 0, 1)
    return String(counts.map { blocks[height($0, of: most, steps: 8)] })
  }

  /// Several lines, the uppermost first; each column is a count.
  package static func chart(_ counts: [Int], rows: Int, columnWidth: Int = 1) -> [String] {
    let most = max(counts.max() ?? 0, 1)
    let heights = counts.map { height($0, of: most, steps: 8 * rows) }
    return (0..<rows).reversed().map { row in
      heights.map { String(repeating: blocks[min(max($0 - 8 * row, 0), 8)], count: columnWidth) }.joined()
    }
  }

  private static func height(_ count: Int, of most: Int, steps: Int) -> Int {
    guard count > 0 else { return 0 }
    return max(1, Int((Double(count) / Double(most) * Double(steps)).rounded()))
  }
}
