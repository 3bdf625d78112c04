package import MPaaSCrashReport

/// Images by their addresses: which one an address is in, found by bisection.
package struct ImageTable: Sendable {
  /// The addresses of an image.
  package struct Span: Sendable {
    package let base: UInt64
    package let size: UInt64

    package init(base: UInt64, size: UInt64) {
      self.base = base
      self.size = size
    }

    fileprivate func contains(_ address: UInt64) -> Bool { address >= base && address - base < size }
  }

  private let sorted: [(span: Span, index: Int)]
  /// For each place in `sorted`, the highest offset past the end that any image up to there reaches.
  private let reach: [UInt64]

  package init(_ images: [CrashReport.Image]) {
    self.init(images.lazy.map { Span(base: $0.base, size: $0.size) })
  }

  package init(_ spans: some Collection<Span>) {
    sorted = spans.enumerated().map { ($0.element, $0.offset) }.sorted {
      ($0.span.base, $0.index) < ($1.span.base, $1.index)
    }
    var highest: UInt64 = 0
    reach = sorted.map { span, _ in
      let (end, overflow) = span.base.addingReportingOverflow(span.size)
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
      if sorted[middle].span.base <= address { low = middle + 1 } else { high = middle }
    }
    var found: Int?
    var place = low - 1
    while place >= 0, reach[place] > address, low - place <= 64 {
      if sorted[place].span.contains(address) { found = min(found ?? .max, sorted[place].index) }
      place -= 1
    }
    return found
  }
}
