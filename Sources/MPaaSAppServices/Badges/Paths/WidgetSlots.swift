/// The badges of each widget: the widget's hash leads to the last of them, and each to the one before.
struct WidgetSlots: Sendable {
  private var table: SlotTable
  /// The place before with the same hash, plus one; 0 for none.
  private var before: [UInt32]

  init(_ hashes: [UInt32]) {
    var before = [UInt32](repeating: 0, count: hashes.count)
    table = SlotTable(hashes, isSame: { _, _ in true }) { before[$1] = UInt32(truncatingIfNeeded: $0 + 1) }
    self.before = before
  }

  /// Adds the next place; false where there is no room, and the table is to be made anew.
  mutating func append(_ hash: UInt32) -> Bool {
    guard !table.isFull else { return false }
    add(hash)
    return true
  }

  private mutating func add(_ hash: UInt32) {
    let former = table.put(before.count, hash) { _ in true }
    before.append(former.map { UInt32(truncatingIfNeeded: $0 + 1) } ?? 0)
  }

  /// The places with a hash, the first to come first.
  func slots(_ hash: UInt32) -> [Int] {
    var found: [Int] = []
    var next = table.first(hash) { _ in true }
    while let slot = next {
      found.append(slot)
      next = before[slot] == 0 ? nil : Int(before[slot]) - 1
    }
    return found.reversed()
  }
}
