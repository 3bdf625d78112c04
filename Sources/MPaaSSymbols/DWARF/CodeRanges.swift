/// The ranges of the program's code, so that ranges of functions that the linker threw away can be told from real ones.
///
/// Linkers leave the debug information of dropped functions in the file and let it point to 0, 1, or the highest
/// addresses (lld: `--dead-reloc-in-nonalloc`; DWARF issue 200609.1).
package struct CodeRanges: Sendable {
  /// Rising, none touches the next.
  let ranges: [Range<UInt64>]

  /// - Parameter ranges: The executable sections or segments; empty where they are unknown.
  package init(_ ranges: [Range<UInt64>]) {
    var merged: [Range<UInt64>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) where !range.isEmpty {
      if let last = merged.last, range.lowerBound <= last.upperBound {
        merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
    self.ranges = merged
  }

  package static let unknown = CodeRanges([])

  /// Tells whether code of the program can begin at `address`.
  @inline(__always)
  func holds(_ address: UInt64, _ encoding: UnitEncoding) -> Bool {
    if ranges.isEmpty { return address < encoding.maximalAddress &- 1 && address > 1 }
    for range in ranges where range.contains(address) { return true }
    return false
  }

  /// Tells whether `address` lies in the program's code, or where that is unknown.
  func mayHold(_ address: UInt64) -> Bool {
    ranges.isEmpty || ranges.contains { $0.contains(address) }
  }
}
