import MPaaSSupport
import Synchronization

/// Units that are found by `.debug_aranges` alone, so that a large compressed `.debug_info` need not be read to its end
/// for one address.
///
/// The table may be absent or out of date: a unit counts only where its own first entry claims the address too.
final class PartialUnits: Sendable {
  private let file: DWARFFile
  private let code: CodeRanges
  private let offsets: [Int]
  private let index: UnitIndex

  /// A unit, and where its first entry says that its code is.
  private struct Known {
    let unit: DWARFUnit
    let claims: UnitIndex
  }

  private let units = Mutex<[Int: Known]>([:])

  /// Nil where nothing would be saved.
  init?(_ file: DWARFFile, code: CodeRanges) {
    guard file.isPartlyRead else { return nil }
    let hints = AddressRangeHints(file, code: code)
    offsets = hints.ranges.keys.sorted()
    guard !offsets.isEmpty else { return nil }
    var intervals: [OwnedInterval] = []
    for (owner, offset) in offsets.enumerated() {
      for range in hints[offset] {
        intervals.append(OwnedInterval(low: range.lowerBound, high: range.upperBound, owner: Int32(clamping: owner)))
      }
    }
    index = UnitIndex(intervals)
    self.file = file
    self.code = code
  }

  /// The unit at `address`; nil where the table knows none, or the unit does not.
  func unit(at address: UInt64) -> DWARFUnit? {
    guard let place = index.unit(at: address), let known = known(offsets[place]) else { return nil }
    return known.claims.unit(at: address) == nil ? nil : known.unit
  }

  private func known(_ offset: Int) -> Known? {
    if let known = units.withLock({ $0[offset] }) { return known }
    // More than a header has.
    file.require(offset, min(offset + 64, file.info.count))
    var cursor = SectionCursor(file.info.buffer, at: offset, bigEndian: file.bigEndian)
    guard let header = UnitHeader(&cursor), header.hasCode else { return nil }
    file.require(offset, header.end)
    guard let unit = DWARFUnit(file, header, index: -1) else { return nil }
    var claims: [OwnedInterval] = []
    file.withRangeBudget { budget in
      unit.forEachRange(
        lowPC: unit.root.lowPC, highPC: unit.root.highPC, ranges: unit.root.ranges, code: code, &budget
      ) { low, high in
        claims.append(OwnedInterval(low: low, high: high, owner: 0))
      }
    }
    let made = Known(unit: unit, claims: UnitIndex(claims))
    return units.withLock { units in
      if let other = units[offset] { return other }
      units[offset] = made
      return made
    }
  }
}
