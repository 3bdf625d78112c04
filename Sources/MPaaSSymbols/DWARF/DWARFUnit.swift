import MPaaSSupport
import Synchronization

/// One compilation unit: how to read its entries, and where its addresses, strings and lines stand.
///
/// Its file keeps it, and it must not outlive the file; a split unit is kept by its skeleton, with its file.
final class DWARFUnit: Sendable {
  unowned let file: DWARFFile
  let header: UnitHeader
  /// Its place among the file's units.
  let index: Int
  let abbreviations: AbbreviationTable
  let root: RootAttributes
  /// The unit in the linked file that a split unit belongs to: it knows addresses, old range lists and lines.
  unowned let skeleton: DWARFUnit?

  private struct State {
    var functions: FunctionTable?
    var split: SplitUnit??
    var lines: LineTable??
  }

  private let state = Mutex(State())

  /// Reads the unit's first entry.
  init?(_ file: DWARFFile, _ header: UnitHeader, index: Int, skeleton: DWARFUnit? = nil) {
    guard let abbreviations = file.abbreviations(of: header),
      let root = RootAttributes(file, header, abbreviations)
    else { return nil }
    self.file = file
    self.header = header
    self.index = index
    self.abbreviations = abbreviations
    self.root = root
    self.skeleton = skeleton
  }

  var encoding: UnitEncoding { header.encoding }

  /// A cursor over the unit's entries.
  func cursor(at offset: Int) -> SectionCursor {
    SectionCursor(file.info.buffer, at: offset, end: header.end, bigEndian: file.bigEndian)
  }

  /// The functions of the unit, read at the first call.
  func functions(code: CodeRanges) -> FunctionTable {
    if let known = state.withLock({ $0.functions }) { return known }
    let table = FunctionTable(self, code: code)
    return state.withLock { state in
      if let other = state.functions { return other }
      state.functions = table
      return table
    }
  }

  /// The line table of the unit, read at the first call; nil where it has none.
  func lines(code: CodeRanges) -> LineTable? {
    if let known = state.withLock({ $0.lines }) { return known }
    let table = root.statementList.offset.flatMap { file.lineTable(at: $0, of: self, code: code) }
    state.withLock { $0.lines = .some(table) }
    return table
  }

  /// The split unit of a skeleton, loaded at the first call; nil where this is none or the file is not there.
  func split(_ load: (DWARFUnit) -> SplitUnit?) -> DWARFUnit? {
    guard root.splitName.isPresent else { return nil }
    if let known = state.withLock({ $0.split }) { return known?.unit }
    let split = load(self)
    return state.withLock { state in
      if let other = state.split { return other?.unit }
      state.split = .some(split)
      return split?.unit
    }
  }

  /// The identifier that ties a skeleton to its split unit.
  var splitID: UInt64? {
    header.splitID ?? root.splitID
  }
}

/// A split unit and the file that it stands in, which somebody must keep.
struct SplitUnit: Sendable {
  let unit: DWARFUnit
  let file: DWARFFile
}

// MARK: - Strings and addresses

extension DWARFUnit {
  /// The text that a string attribute names.
  ///
  /// - Parameter section: Where inline strings stand: `.debug_info`, or `.debug_line` for a line table's.
  func text(_ value: AttributeValue, in section: Bytes? = nil) -> UnsafeRawBufferPointer? {
    switch value.kind {
    case .inlineString: (section ?? file.info).buffer.cString(at: value.number)
    case .string: file.strings.buffer.cString(at: value.number)
    case .lineString: file.lineStrings.buffer.cString(at: value.number)
    case .alternateString: file.alternate?.strings.buffer.cString(at: value.number)
    case .stringIndex: stringOffset(value.number).flatMap { file.strings.buffer.cString(at: $0) }
    default: nil
    }
  }

  /// The offset in `.debug_str` that stands at `index` of the unit's table (DWARF 5, 7.26).
  private func stringOffset(_ index: UInt64) -> UInt64? {
    let base = root.stringOffsetsBase ?? defaultStringOffsetsBase
    guard let place = place(index, width: encoding.offsetSize, base: base) else { return nil }
    var cursor = SectionCursor(file.stringOffsets.buffer, at: place, bigEndian: file.bigEndian)
    let offset = cursor.sectionOffset(is64: encoding.is64)
    return cursor.isBroken ? nil : offset
  }

  /// A split unit's table has no attribute that names it: it starts behind the header that DWARF 5 put there.
  private var defaultStringOffsetsBase: UInt64 {
    guard encoding.version >= 5 else { return 0 }
    return encoding.is64 ? 16 : 8
  }

  /// The address that an attribute gives; nil where it gives none.
  func address(_ value: AttributeValue) -> UInt64? {
    switch value.kind {
    case .address: value.number
    case .addressIndex: address(at: value.number)
    default: nil
    }
  }

  /// The address at `index` of the unit's table in `.debug_addr` (DWARF 5, 7.27).
  func address(at index: UInt64) -> UInt64? {
    if let skeleton { return skeleton.address(at: index) }
    guard let place = place(index, width: encoding.addressSize, base: root.addressBase ?? defaultAddressBase) else {
      return nil
    }
    var cursor = SectionCursor(file.addresses.buffer, at: place, bigEndian: file.bigEndian)
    let address = cursor.unsigned(size: encoding.addressSize)
    return cursor.isBroken ? nil : address
  }

  private var defaultAddressBase: UInt64 {
    guard encoding.version >= 5 else { return 0 }
    return encoding.is64 ? 16 : 8
  }

  private func place(_ index: UInt64, width: UInt8, base: UInt64) -> Int? {
    let (bytes, overflow) = index.multipliedReportingOverflow(by: UInt64(width))
    let (sum, carry) = bytes.addingReportingOverflow(base)
    return overflow || carry ? nil : Int(exactly: sum)
  }

  /// The directory that the compiler ran in.
  var compilationDirectory: UnsafeRawBufferPointer? {
    text(root.compilationDirectory)
  }
}
