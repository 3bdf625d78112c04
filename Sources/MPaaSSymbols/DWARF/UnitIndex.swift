import MPaaSSupport

/// The unit of a file that an address belongs to.
///
/// The first in the file wins among several units that claim the same address.
final class UnitIndex: Sendable {
  /// Rising addresses, and the unit from each to the next; negative where there is none.
  let starts: [UInt64]
  let owners: [Int32]

  init(_ intervals: [OwnedInterval]) {
    (starts, owners) = Segments.flatten(intervals, winner: .lowest)
  }

  /// The unit's place among the file's units.
  @inline(__always)
  func unit(at address: UInt64) -> Int? {
    guard let place = starts.lastIndex(notAbove: address), owners[place] >= 0 else { return nil }
    return Int(owners[place])
  }

  /// Takes what the units' first entries say about their code.
  static func fromRoots(_ file: DWARFFile, code: CodeRanges) -> UnitIndex {
    var intervals: [OwnedInterval] = []
    file.withRangeBudget { budget in
      for index in file.headers.indices {
        guard let unit = file.unit(index) else { continue }
        unit.forEachRange(
          lowPC: unit.root.lowPC, highPC: unit.root.highPC, ranges: unit.root.ranges, code: code, &budget
        ) { low, high in
          intervals.append(OwnedInterval(low: low, high: high, owner: Int32(clamping: index)))
        }
      }
    }
    return UnitIndex(intervals)
  }

  /// Takes what else tells where the units' code is.
  ///
  /// These are `.debug_aranges`, where a wrong entry only costs a look into the wrong unit, and the functions and line
  /// tables of units whose first entry names no code.
  ///
  /// - Parameter load: Gives the split unit of a skeleton.
  static func fromContents(
    _ file: DWARFFile, code: CodeRanges, load: (DWARFUnit) -> SplitUnit?
  ) -> UnitIndex {
    var intervals: [OwnedInterval] = []
    let hints = AddressRangeHints(file, code: code)
    // Units may name one another's line tables; no more is read than the section has.
    var lineBytes = 2 * file.lines.count + 4096
    for index in file.headers.indices {
      guard let unit = file.unit(index), unit.root.tag != Tag.partialUnit else { continue }
      let owner = Int32(clamping: index)
      let before = intervals.count
      for range in hints[unit.header.offset] {
        intervals.append(OwnedInterval(low: range.lowerBound, high: range.upperBound, owner: owner))
      }
      if unit.namesItsCode { continue }
      let functions = (unit.split(load) ?? unit).functions(code: code)
      functions.forEachSegment { low, high, _ in
        intervals.append(OwnedInterval(low: low, high: high, owner: owner))
      }
      guard intervals.count == before, lineBytes > 0, let lines = unit.lines(code: code) else { continue }
      lineBytes -= lines.header.program.count + 64
      for sequence in lines.sequences {
        intervals.append(OwnedInterval(low: sequence.low, high: sequence.high, owner: owner))
      }
    }
    return UnitIndex(intervals)
  }
}

extension DWARFUnit {
  /// Tells whether the first entry says where the code of the unit is.
  fileprivate var namesItsCode: Bool {
    root.ranges.isPresent || (root.lowPC.isPresent && root.highPC.isPresent)
  }
}

/// `.debug_aranges`: units and their addresses, a table that may be absent or out of date (DWARF 5, 6.1.2).
struct AddressRangeHints {
  /// By where the unit starts.
  private(set) var ranges: [Int: [Range<UInt64>]] = [:]

  init(_ file: DWARFFile, code: CodeRanges) {
    var cursor = SectionCursor(file.arangesBytes.buffer, bigEndian: file.bigEndian)
    while !cursor.isAtEnd {
      let start = cursor.offset
      let (length, is64) = cursor.initialLength()
      guard !cursor.isBroken, length <= UInt64(cursor.end - cursor.offset) else { return }
      let end = cursor.offset + Int(length)
      let version = cursor.u16()
      let unit = Int(clamping: cursor.sectionOffset(is64: is64))
      let addressSize = cursor.u8()
      let segmentSize = cursor.u8()
      if version == 2, segmentSize == 0, addressSize == 4 || addressSize == 8 {
        let encoding = UnitEncoding(version: 2, addressSize: addressSize, is64: is64)
        let tuple = 2 * Int(addressSize)
        cursor.skip((tuple - (cursor.offset - start) % tuple) % tuple)
        while cursor.offset <= end - tuple {
          let low = cursor.unsigned(size: addressSize)
          let size = cursor.unsigned(size: addressSize)
          if low == 0, size == 0 { break }
          let (high, overflow) = low.addingReportingOverflow(size)
          if !overflow, low < high, code.holds(low, encoding) { ranges[unit, default: []].append(low..<high) }
        }
      }
      cursor.move(to: end)
    }
  }

  /// The ranges of the unit that starts at `offset`.
  subscript(offset: Int) -> [Range<UInt64>] { ranges[offset] ?? [] }
}
