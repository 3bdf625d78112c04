import MPaaSSupport

/// A function of a unit, or a call that was inlined into one.
struct FunctionNode: Sendable {
  /// Where its entry stands, in bytes from the start of the unit.
  let entry: UInt32
  /// The function or call that it was inlined into; negative for a function itself.
  let parent: Int32
  /// Where it was called: the line table's file, the line and the column, 0 where unknown.
  let callFile: UInt32
  let callLine: UInt32
  let callColumn: UInt32
}

/// The functions and inlined calls of a unit, and which of them is innermost at each address.
///
/// `starts` and `owners` cut the addresses into segments: from `starts[i]` on, `owners[i]` is innermost, or nobody
/// where it is negative. Where two functions claim the same bytes, the one that comes later in the file wins, so
/// that a call inlined into a function wins over the function.
struct FunctionTable: Sendable {
  private(set) var nodes: [FunctionNode] = []
  private(set) var starts: [UInt64] = []
  private(set) var owners: [Int32] = []

  init(_ unit: DWARFUnit, code: CodeRanges) {
    var scan = FunctionScan(unit, code: code)
    scan.run()
    nodes = scan.nodes
    (starts, owners) = Segments.flatten(scan.intervals, wins: >)
  }

  /// The innermost function or inlined call at `address`.
  @inline(__always)
  func innermost(at address: UInt64) -> Int32? {
    guard let place = starts.lastIndex(notAbove: address), owners[place] >= 0 else { return nil }
    return owners[place]
  }
}

extension [UInt64] {
  /// The index of the last element that is not above `value`; the array must rise.
  @inline(__always)
  func lastIndex(notAbove value: UInt64) -> Int? {
    withUnsafeBufferPointer { elements in
      var low = 0
      var high = elements.count
      while low < high {
        let middle = (low &+ high) &>> 1
        if elements[middle] <= value { low = middle &+ 1 } else { high = middle }
      }
      return low == 0 ? nil : low &- 1
    }
  }
}

/// A half-open range of addresses and whom it belongs to.
struct OwnedInterval: Sendable {
  let low: UInt64
  let high: UInt64
  let owner: Int32
}

/// Overlapping intervals, cut into segments that each have one owner.
enum Segments {
  /// - Parameter wins: Whether the first owner's claim goes before the second's.
  /// - Returns: Rising starts, and the owner from each start to the next; -1 where there is none.
  static func flatten(
    _ unsorted: [OwnedInterval], wins: (Int32, Int32) -> Bool
  ) -> (starts: [UInt64], owners: [Int32]) {
    let intervals = unsorted.sorted { $0.low < $1.low }
    var starts: [UInt64] = []
    var owners: [Int32] = []
    starts.reserveCapacity(intervals.count + intervals.count / 2)
    owners.reserveCapacity(intervals.count + intervals.count / 2)
    func emit(_ start: UInt64, _ owner: Int32) {
      if let last = starts.last, last == start {
        owners[owners.count - 1] = owner
        if owners.count > 1, owners[owners.count - 2] == owner {
          starts.removeLast()
          owners.removeLast()
        }
      } else if owners.last != owner {
        starts.append(start)
        owners.append(owner)
      }
    }
    // The intervals that cover the current address, the winner at the root; ended ones leave when they surface.
    var heap = IntervalHeap(wins: wins)
    var next = 0
    while next < intervals.count || !heap.isEmpty {
      if heap.isEmpty {
        heap.insert(intervals[next])
        emit(intervals[next].low, intervals[next].owner)
        next += 1
        continue
      }
      let top = heap.top
      if next < intervals.count, intervals[next].low < top.high {
        heap.insert(intervals[next])
        if heap.top.owner != top.owner || heap.top.high != top.high { emit(intervals[next].low, heap.top.owner) }
        next += 1
        continue
      }
      let end = top.high
      while !heap.isEmpty, heap.top.high <= end { heap.removeTop() }
      emit(end, heap.isEmpty ? -1 : heap.top.owner)
    }
    return (starts, owners)
  }
}

/// A binary heap of intervals by their owners' rank.
private struct IntervalHeap {
  private var items: [OwnedInterval] = []
  private let wins: (Int32, Int32) -> Bool

  init(wins: @escaping (Int32, Int32) -> Bool) {
    self.wins = wins
  }

  var isEmpty: Bool { items.isEmpty }
  var top: OwnedInterval { items[0] }

  mutating func insert(_ item: OwnedInterval) {
    items.append(item)
    var child = items.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard wins(items[child].owner, items[parent].owner) else { return }
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
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < items.count && wins(items[child].owner, items[best].owner) {
        best = child
      }
      if best == parent { return }
      items.swapAt(best, parent)
      parent = best
    }
  }
}
