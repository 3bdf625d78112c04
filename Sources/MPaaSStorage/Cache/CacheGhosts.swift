/// Keys of entries that went soon after they came: such a key is no stranger when it comes again.
///
/// There is room for as much as the main queue holds: keys of few large entries where it holds such, not as many keys as its
/// capacity has units.
struct CacheGhosts: Sendable {
  private struct Ghost {
    let key: String
    let cost: Int
  }

  private var numbers: [String: Int] = [:]
  private var row: [Ghost?] = []
  private var start = 0
  private var cost = 0
  var capacity = 0 { didSet { makeRoom(for: 0) } }

  mutating func add(_ key: String, cost: Int) {
    guard capacity > 0 else { return }
    _ = remove(key)
    // An entry that costs nothing has a key all the same.
    let ghost = Ghost(key: key, cost: max(cost, 1))
    makeRoom(for: ghost.cost)
    guard ghost.cost <= capacity else { return }
    numbers[key] = row.count
    row.append(ghost)
    self.cost += ghost.cost
    // Keys that came again have left holes, wherever they stood.
    if row.count > 64, row.count > 2 * numbers.count { pack() }
  }

  /// The places of the row, those of keys that went among them.
  var placeCount: Int { row.count }

  mutating func remove(_ key: String) -> Bool {
    guard let number = numbers.removeValue(forKey: key) else { return false }
    cost -= row[number]?.cost ?? 0
    row[number] = nil
    return true
  }

  private mutating func makeRoom(for cost: Int) {
    while self.cost > capacity - cost, start < row.count {
      if let ghost = row[start] { _ = remove(ghost.key) }
      start += 1
    }
  }

  private mutating func pack() {
    row = row[start...].filter { $0 != nil }
    start = 0
    for (number, ghost) in row.enumerated() { if let ghost { numbers[ghost.key] = number } }
  }
}
