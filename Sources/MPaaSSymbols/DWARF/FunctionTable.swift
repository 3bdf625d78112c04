import MPaaSSupport

/// A function of a unit, or a call that was inlined into one.
struct FunctionNode: Sendable {
  /// The offset of its entry, in bytes from the start of the unit.
  let entry: UInt32
  /// The function or call that it was inlined into; negative for a function itself.
  let parent: Int32
  /// The place of the call: the line table's file, the line and the column, 0 where unknown.
  let callFile: UInt32
  let callLine: UInt32
  let callColumn: UInt32
  /// The entry that names it, from the start of the unit; 0 where that is another unit's, or it has a name itself.
  let origin: UInt32
}

/// The functions and inlined calls of a unit, and which of them is innermost at each address.
///
/// `starts` and `owners` cut the addresses into segments: from `starts[i]` on, `owners[i]` is innermost, or none
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
    (starts, owners) = Segments.flatten(scan.intervals, winner: .highest)
  }

  /// The innermost function or inlined call at `address`.
  @inline(__always)
  func innermost(at address: UInt64) -> Int32? {
    guard let place = starts.lastIndex(notAbove: address), owners[place] >= 0 else { return nil }
    return owners[place]
  }

  /// Calls `body` with each run of addresses that has an innermost function or call, by rising address.
  func forEachSegment(_ body: (_ low: UInt64, _ high: UInt64, _ innermost: Int32) -> Void) {
    for place in starts.indices.dropLast() where owners[place] >= 0 {
      body(starts[place], starts[place + 1], owners[place])
    }
  }
}

extension [UInt64] {
  /// The index of the last element that is not above `value`; the array must rise.
  @inline(__always)
  func lastIndex(notAbove value: UInt64) -> Int? {
    let above = firstIndex(above: value)
    return above == 0 ? nil : above &- 1
  }

  /// The index of the first element above `value`, `count` where there is none; the array must rise.
  @inline(__always)
  func firstIndex(above value: UInt64) -> Int {
    withUnsafeBufferPointer { elements in
      var low = 0
      var high = elements.count
      while low < high {
        let middle = (low &+ high) &>> 1
        if elements[middle] <= value { low = middle &+ 1 } else { high = middle }
      }
      return low
    }
  }
}
