/// Images by their addresses: which one an address is in, found by bisection.
package struct ImageTable: Sendable {
  private let sorted: [(range: CrashReport.Image, index: Int)]
  /// For each place in `sorted`, the highest offset past the end that any image up to there reaches.
  private let reach: [UInt64]

  package init(_ images: [CrashReport.Image]) {
    sorted = images.enumerated().map { ($0.element, $0.offset) }.sorted {
      ($0.range.base, $0.index) < ($1.range.base, $1.index)
    }
    var highest: UInt64 = 0
    reach = sorted.map { image, _ in
      let (end, overflow) = image.base.addingReportingOverflow(image.size)
      highest = max(highest, overflow ? .max : end)
      return highest
    }
  }

  /// The image that has the address; of several, the first of the report.
  ///
  /// Images that overlap are looked through back to the 64th before the address, so that hostile lists cost no time.
  package func index(of address: UInt64) -> Int? {
    var low = 0
    var high = sorted.count
    while low < high {
      let middle = (low + high) / 2
      if sorted[middle].range.base <= address { low = middle + 1 } else { high = middle }
    }
    var found: Int?
    var place = low - 1
    while place >= 0, reach[place] > address, low - place <= 64 {
      if sorted[place].range.contains(address) { found = min(found ?? .max, sorted[place].index) }
      place -= 1
    }
    return found
  }
}
