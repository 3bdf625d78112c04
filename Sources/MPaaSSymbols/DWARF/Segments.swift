/// A half-open range of addresses and whom it belongs to.
struct OwnedInterval: Sendable {
  let low: UInt64
  let high: UInt64
  let owner: Int32
}

/// Overlapping intervals, cut into segments that each have one owner.
enum Segments {
  /// The owner whose claim counts where several claim the same address.
  enum Winner { case highest, lowest }

  /// - Returns: Rising starts, and the owner from each start to the next; -1 where there is none.
  static func flatten(_ unsorted: [OwnedInterval], winner: Winner) -> (starts: [UInt64], owners: [Int32]) {
    let intervals = unsorted.sorted { $0.low < $1.low }
    var output = Output(capacity: intervals.count + intervals.count / 2)
    // The intervals that cover the current address, the winner at the root; ended ones leave when they surface.
    var heap = IntervalHeap(winner: winner)
    var next = 0
    while next < intervals.count || !heap.isEmpty {
      if next < intervals.count, heap.isEmpty || intervals[next].low < heap.top.high {
        heap.insert(intervals[next])
        output.add(intervals[next].low, heap.top.owner)
        next += 1
        continue
      }
      let end = heap.top.high
      while !heap.isEmpty, heap.top.high <= end { heap.removeTop() }
      output.add(end, heap.isEmpty ? -1 : heap.top.owner)
    }
    return (output.starts, output.owners)
  }

  private struct Output {
    var starts: [UInt64] = []
    var owners: [Int32] = []

    init(capacity: Int) {
      starts.reserveCapacity(capacity)
      owners.reserveCapacity(capacity)
    }

    /// From `start` on `owner` counts; a segment of no length is replaced, one that changes nothing is left out.
    mutating func add(_ start: UInt64, _ owner: Int32) {
      if let last = starts.last, last == start {
        starts.removeLast()
        owners.removeLast()
      }
      if owners.last != owner {
        starts.append(start)
        owners.append(owner)
      }
    }
  }
}

/// A binary heap of intervals by their owners' rank.
private struct IntervalHeap {
  private var items: [OwnedInterval] = []
  private let highestWins: Bool

  init(winner: Segments.Winner) {
    highestWins = winner == .highest
  }

  var isEmpty: Bool { items.isEmpty }
  var top: OwnedInterval { items[0] }

  private func wins(_ a: Int, _ b: Int) -> Bool {
    highestWins ? items[a].owner > items[b].owner : items[a].owner < items[b].owner
  }

  mutating func insert(_ item: OwnedInterval) {
    items.append(item)
    var child = items.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard wins(child, parent) else { return }
      items.swapAt(child, parent)
      child = parent
    }
  }

  mutating func removeTop() {
    let last = items.removeLast()
    guard !items.isEmpty else { return }
    items[0] = last
    var parent = 0
    while true {
      var best = parent
      let left = 2 * parent + 1
      if left < items.count, wins(left, best) { best = left }
      if left + 1 < items.count, wins(left + 1, best) { best = left + 1 }
      if best == parent { return }
      items.swapAt(best, parent)
      parent = best
    }
  }
}
