import MPaaSSupport

/// The number of entries of range lists that may still be read.
struct RangeBudget {
  fileprivate(set) var left: Int

  init(left: Int) {
    self.left = left
  }

  @inline(__always)
  fileprivate mutating func spend() -> Bool {
    left &-= 1
    return left >= 0
  }
}

extension DWARFUnit {
  /// Calls `body` with each range of code that an entry covers; empty and thrown-away ones are left out.
  @inline(__always)
  func forEachRange(
    lowPC: AttributeValue, highPC: AttributeValue, ranges: AttributeValue, code: CodeRanges,
    _ budget: inout RangeBudget, _ body: (_ low: UInt64, _ high: UInt64) -> Void
  ) {
    if ranges.isPresent { return forEachRange(in: ranges, code: code, &budget, body) }
    guard highPC.isPresent, let low = address(lowPC) else { return }
    let high = highPC.kind == .constant ? low &+ highPC.number : address(highPC) ?? low
    if low < high, code.holds(low, encoding) { body(low, high) }
  }

  private func forEachRange(
    in value: AttributeValue, code: CodeRanges, _ budget: inout RangeBudget,
    _ body: (_ low: UInt64, _ high: UInt64) -> Void
  ) {
    if encoding.version >= 5 {
      guard let offset = value.kind == .rangeListIndex ? rangeListOffset(value.number) : value.offset else { return }
      forEachRange(inListAt: offset, code: code, &budget, body)
    } else if let offset = value.offset {
      // Only GNU split units count from the skeleton's base; the skeleton itself does not.
      let base = skeleton?.root.gnuRangesBase ?? 0
      forEachRange(inOldListAt: offset &+ base, code: code, &budget, body)
    }
  }

  /// The address that a unit's lists count from until they say otherwise (DWARF 5, 3.1.1).
  private var baseAddress: UInt64 {
    address((skeleton ?? self).root.lowPC) ?? address(root.lowPC) ?? 0
  }

  /// The list at `index` of the unit's offsets (DWARF 5, 7.28).
  private func rangeListOffset(_ index: UInt64) -> UInt64? {
    // A split unit's table starts behind the header of its contribution.
    let base = root.rangeListsBase ?? (encoding.is64 ? 20 : 12)
    let (bytes, overflow) = index.multipliedReportingOverflow(by: UInt64(encoding.offsetSize))
    guard !overflow, let place = Int(exactly: bytes &+ base) else { return nil }
    var cursor = SectionCursor(file.rangeLists.buffer, at: place, bigEndian: file.bigEndian)
    let offset = cursor.sectionOffset(is64: encoding.is64)
    return cursor.isBroken ? nil : base &+ offset
  }

  /// Walks over a list of `.debug_rnglists` (DWARF 5, 2.17.3).
  private func forEachRange(
    inListAt offset: UInt64, code: CodeRanges, _ budget: inout RangeBudget,
    _ body: (_ low: UInt64, _ high: UInt64) -> Void
  ) {
    guard let start = Int(exactly: offset) else { return }
    var cursor = SectionCursor(file.rangeLists.buffer, at: start, bigEndian: file.bigEndian)
    var base: UInt64? = baseAddress
    while !cursor.isBroken, budget.spend() {
      var low: UInt64?
      var high: UInt64?
      switch cursor.u8() {
      case RangeEntry.endOfList: return
      case RangeEntry.baseAddressIndex:
        base = usable(address(at: cursor.uleb()))
        continue
      case RangeEntry.baseAddress:
        base = usable(cursor.unsigned(size: encoding.addressSize))
        continue
      case RangeEntry.startIndexEndIndex:
        low = address(at: cursor.uleb())
        high = address(at: cursor.uleb())
      case RangeEntry.startIndexLength:
        low = address(at: cursor.uleb())
        let length = cursor.uleb()
        high = low.map { $0 &+ length }
      case RangeEntry.offsetPair:
        let first = cursor.uleb()
        let second = cursor.uleb()
        low = base.map { $0 &+ first }
        high = base.map { $0 &+ second }
      case RangeEntry.startEnd:
        low = cursor.unsigned(size: encoding.addressSize)
        high = cursor.unsigned(size: encoding.addressSize)
      case RangeEntry.startLength:
        let start = cursor.unsigned(size: encoding.addressSize)
        let length = cursor.uleb()
        low = start
        high = start &+ length
      default: return
      }
      if let low, let high, low < high, !cursor.isBroken, code.holds(low, encoding) { body(low, high) }
    }
  }

  /// Nil for the highest addresses, which stand for code that was thrown away.
  private func usable(_ address: UInt64?) -> UInt64? {
    address.flatMap { $0 < encoding.maximalAddress &- 1 ? $0 : nil }
  }

  /// Walks over a list of `.debug_ranges` (DWARF 4, 2.17.3).
  private func forEachRange(
    inOldListAt offset: UInt64, code: CodeRanges, _ budget: inout RangeBudget,
    _ body: (_ low: UInt64, _ high: UInt64) -> Void
  ) {
    let section = (skeleton?.file ?? file).ranges.buffer
    guard let start = Int(exactly: offset) else { return }
    var cursor = SectionCursor(section, at: start, bigEndian: file.bigEndian)
    let size = encoding.addressSize
    let maximal = encoding.maximalAddress
    var base: UInt64? = baseAddress
    while budget.spend() {
      let low = cursor.unsigned(size: size)
      let high = cursor.unsigned(size: size)
      if cursor.isBroken || (low == 0 && high == 0) { return }
      if low == maximal {
        base = usable(high)
      } else if let base, low < high {
        let first = base &+ low
        let end = base &+ high
        // The sums may pass the end of the address space.
        if first < end, code.holds(first, encoding) { body(first, end) }
      }
    }
  }
}
