import MPaaSSupport
import Synchronization

/// The DWARF of one file: its sections, its units' headers, and what was already read of them.
///
/// Everything is read on demand; what is read once never changes.
package final class DWARFFile: Sendable {
  let bigEndian: Bool
  let info: Bytes
  let abbreviationBytes: Bytes
  let strings: Bytes
  let lineStrings: Bytes
  let stringOffsets: Bytes
  let addresses: Bytes
  let ranges: Bytes
  let rangeLists: Bytes
  let lines: Bytes
  let arangesBytes: Bytes
  /// The file that dwz moved common entries and strings to.
  let alternate: DWARFFile?
  /// Tells whether the sections are those of a `.dwo` file or one unit's part of a `.dwp`.
  let isSplit: Bool
  /// The map of names and paths that the build hid, where it is known.
  let names: SymbolMap?

  private struct TableKey: Hashable {
    let offset: UInt64
    let encoding: UnitEncoding
  }

  private struct State {
    var tables: [TableKey: AbbreviationTable] = [:]
    var units: [DWARFUnit?] = []
    var headers: [UnitHeader]?
    var lineTables: [UInt64: LineTable] = [:]
    /// Bytes of abbreviations that may still be read: units share tables or have their own, they do not overlap.
    var abbreviationBytes = 0
    /// Entries of range lists that may still be read.
    var rangeEntries = 0
  }

  private let state = Mutex(State())
  /// Fills `info` where it is decompressed as it is read.
  private let lazyInfo: LazyContents?

  /// Takes the sections of a linked file or a debug file, and walks over its unit headers.
  package convenience init(_ sections: DWARFSections, alternate: DWARFFile? = nil) {
    self.init(sections, suffix: "", contribution: nil, alternate: alternate)
  }

  /// Takes the sections of a split file: all of a `.dwo`, or the part of a `.dwp` that is one unit's.
  init(_ sections: DWARFSections, suffix: String, contribution: PackageContribution?, alternate: DWARFFile? = nil) {
    func bytes(_ name: String, _ part: PackageColumn? = nil) -> Bytes {
      guard let whole = sections.section(name) else { return .empty }
      guard let contribution, let part else { return whole }
      guard let range = contribution[part] else { return .empty }
      return whole[checked: range] ?? .empty
    }
    bigEndian = sections.bigEndian
    isSplit = !suffix.isEmpty
    names = sections.names
    self.alternate = alternate
    lazyInfo = isSplit ? nil : sections.lazily("debug_info")
    info = lazyInfo?.bytes ?? bytes("debug_info" + suffix, .info)
    abbreviationBytes = bytes("debug_abbrev" + suffix, .abbreviations)
    strings = bytes("debug_str" + suffix)
    stringOffsets = bytes("debug_str_offsets" + suffix, .stringOffsets)
    rangeLists = bytes("debug_rnglists" + suffix, .rangeLists)
    lineStrings = bytes("debug_line_str")
    addresses = bytes("debug_addr")
    ranges = bytes("debug_ranges")
    lines = isSplit ? .empty : bytes("debug_line")
    arangesBytes = isSplit ? .empty : bytes("debug_aranges")
    state.withLock { state in
      state.abbreviationBytes = 4 * abbreviationBytes.count + 4096
      state.rangeEntries = 1 << 20 + ranges.count / 4 + 2 * rangeLists.count
    }
    if lazyInfo == nil { _ = headers }
  }

  /// The headers of all units that may have code, by rising offset; all of `info` is read for them.
  var headers: [UnitHeader] {
    state.withLock { state in
      if let known = state.headers { return known }
      require(0, info.count)
      var found: [UnitHeader] = []
      var cursor = SectionCursor(info.buffer, bigEndian: bigEndian)
      while cursor.offset < cursor.end, let header = UnitHeader(&cursor) {
        if header.hasCode { found.append(header) }
      }
      state.headers = found
      state.units = [DWARFUnit?](repeating: nil, count: found.count)
      return found
    }
  }

  /// Makes sure that `info` can be read from `start` to `end`.
  @inline(__always)
  func require(_ start: Int, _ end: Int) {
    lazyInfo?.require(start, end)
  }

  /// Tells whether reading only a part of `info` would save work.
  var isPartlyRead: Bool {
    lazyInfo.map { !$0.isWhole } ?? false
  }

  /// Tells whether there is anything to look up.
  package var isEmpty: Bool { lazyInfo == nil && headers.isEmpty }

  /// The unit of `headers[index]`; nil where its version or its first entry cannot be read.
  func unit(_ index: Int) -> DWARFUnit? {
    let headers = headers
    if let known = state.withLock({ $0.units[index] }) { return known }
    guard let unit = DWARFUnit(self, headers[index], index: index) else { return nil }
    return state.withLock { state in
      if let other = state.units[index] { return other }
      state.units[index] = unit
      return unit
    }
  }

  /// The unit whose bytes hold `offset`.
  func unit(containing offset: UInt64) -> DWARFUnit? {
    guard offset < UInt64(info.count) else { return nil }
    let target = Int(offset)
    let headers = headers
    var low = 0
    var high = headers.count
    while low < high {
      let middle = (low + high) / 2
      if headers[middle].end <= target { low = middle + 1 } else { high = middle }
    }
    guard low < headers.count, headers[low].firstEntry <= target else { return nil }
    return unit(low)
  }

  /// The abbreviation table of a unit; units that name the same one share it.
  func abbreviations(of header: UnitHeader) -> AbbreviationTable? {
    guard let offset = Int(exactly: header.abbreviationOffset), offset < abbreviationBytes.count else { return nil }
    let key = TableKey(offset: header.abbreviationOffset, encoding: header.encoding)
    if let known = state.withLock({ $0.tables[key] }) { return known }
    guard state.withLock({ $0.abbreviationBytes }) > 0 else { return nil }
    let table = AbbreviationTable(
      abbreviationBytes.buffer, at: offset, encoding: header.encoding, bigEndian: bigEndian)
    state.withLock { state in
      state.tables[key] = table
      state.abbreviationBytes -= table.size
    }
    return table
  }

  /// The line table at `offset`, read once; units that name the same one share it.
  func lineTable(at offset: UInt64, of unit: DWARFUnit, code: CodeRanges) -> LineTable? {
    if let known = state.withLock({ $0.lineTables[offset] }) { return known }
    guard let table = LineTable(unit, at: offset, code: code) else { return nil }
    return state.withLock { state in
      if let other = state.lineTables[offset] { return other }
      state.lineTables[offset] = table
      return table
    }
  }

  /// Reads range lists with what is left of the file's allowance.
  ///
  /// Lists may be shared, and a hostile file can make every function name the same long one.
  func withRangeBudget<Result>(_ body: (inout RangeBudget) -> Result) -> Result {
    let left = state.withLock { $0.rangeEntries }
    var budget = RangeBudget(left: left)
    let result = body(&budget)
    state.withLock { $0.rangeEntries -= left - max(budget.left, 0) }
    return result
  }
}
