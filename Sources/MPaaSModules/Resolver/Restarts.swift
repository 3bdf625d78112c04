/// The times to begin anew: after 1, 1, 2, 1, 1, 2, 4 … times a hundred contradictions (Luby, Sinclair and Zuckerman,
/// 1993).
struct Restarts {
  private var number = 1
  private var next = 0

  mutating func isDue(_ conflicts: Int) -> Bool {
    guard conflicts >= next else { return false }
    next = conflicts + 100 * Self.luby(number)
    number += 1
    return true
  }

  private static func luby(_ number: Int) -> Int {
    var size = 1
    while size < number + 1 { size *= 2 }
    return size == number + 1 ? size / 2 : luby(number - size / 2 + 1)
  }
}
