/// The features of a symbol that make it hard to read, as a number.
///
/// - Source: ISO/IEC 18004:2015, 7.8.3, table 11.
enum QRPenalty {
  static func of(_ matrix: QRMatrix) -> Int {
    let size = matrix.size
    let rows = (0..<size).map { row in (0..<size).map { matrix[row, $0] } }
    let columns = (0..<size).map { column in (0..<size).map { matrix[$0, column] } }
    let lines = (rows + columns).reduce(0) { $0 + runs($1) + finders($1) }
    return lines + blocks(rows) + balance(rows)
  }

  /// Five modules of one color in a row are 3, each further one 1.
  private static func runs(_ line: [Bool]) -> Int {
    var (sum, run) = (0, 0)
    for place in line.indices {
      run = place > 0 && line[place] == line[place - 1] ? run + 1 : 1
      if run == 5 { sum += 3 } else if run > 5 { sum += 1 }
    }
    return sum
  }

  private static let finder = [true, false, true, true, true, false, true]

  /// Each pattern as in a finder's middle, with four light modules before or behind it, is 40; outside all is light.
  private static func finders(_ line: [Bool]) -> Int {
    var sum = 0
    guard line.count >= 7 else { return 0 }
    for start in 0...line.count - 7 where line[start] && line[start + 6] {
      guard line[start..<start + 7].elementsEqual(finder) else { continue }
      let isFree = !line[max(start - 4, 0)..<start].contains(true)
      let isFreeBehind = !line[start + 7..<min(start + 11, line.count)].contains(true)
      if isFree || isFreeBehind { sum += 40 }
    }
    return sum
  }

  /// Each square of two by two of one color is 3.
  private static func blocks(_ rows: [[Bool]]) -> Int {
    var sum = 0
    for (upper, lower) in zip(rows, rows.dropFirst()) {
      for column in 1..<upper.count {
        let color = upper[column]
        if upper[column - 1] == color, lower[column] == color, lower[column - 1] == color { sum += 3 }
      }
    }
    return sum
  }

  /// Each whole 5 % that the dark modules are off the half is 10.
  private static func balance(_ rows: [[Bool]]) -> Int {
    let all = rows.count * rows.count
    let dark = rows.reduce(0) { $0 + $1.count(where: \.self) }
    return abs(dark * 20 - all * 10) / all * 10
  }
}
