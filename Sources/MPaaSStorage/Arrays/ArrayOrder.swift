import MPaaSSupport

/// The names of an array by their age.
struct ArrayOrder: Sendable {
  /// The numbers of names, whose bytes tell them apart.
  private var numbers: [[UInt8]: Int64] = [:]
  /// The names by number; those that went or have another number now are passed over.
  private var row: [(name: String, number: Int64)] = []
  private var start = 0

  init(_ names: [(name: String, number: Int64)]) {
    row = names.sorted { $0.number < $1.number }
    for (name, number) in row { numbers[Array(name.utf8)] = number }
  }

  var count: Int { numbers.count }

  var names: [String] { row[start...].filter(isCurrent).map(\.name) }

  func number(_ name: String) -> Int64? { numbers[Array(name.utf8)] }

  func contains(_ name: String) -> Bool { number(name) != nil }

  /// Makes a name the newest one, and returns its number.
  mutating func append(_ name: String) -> Int64 {
    let number = (row.last?.number ?? 0) + 1
    numbers[Array(name.utf8)] = number
    row.append((name, number))
    if row.count > 64, row.count - start > 2 * count || start > row.count / 2 {
      row = row[start...].filter(isCurrent)
      start = 0
    }
    return number
  }

  mutating func removeFirst() -> String? {
    while start < row.count {
      let first = row[start]
      start += 1
      guard isCurrent(first) else { continue }
      remove(first.name)
      return first.name
    }
    return nil
  }

  mutating func remove(_ name: String) { numbers[Array(name.utf8)] = nil }

  mutating func rename(_ name: String, to new: String) {
    guard let number = numbers.removeValue(forKey: Array(name.utf8)) else { return }
    numbers[Array(new.utf8)] = number
    if let place = row.firstIndex(where: { $0.number == number && $0.name.utf8.elementsEqual(name.utf8) }) {
      row[place].name = new
    }
  }

  private func isCurrent(_ item: (name: String, number: Int64)) -> Bool { number(item.name) == item.number }
}
