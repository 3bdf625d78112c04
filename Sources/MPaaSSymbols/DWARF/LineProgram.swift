import MPaaSSupport

/// The state machine that turns a line number program into rows (DWARF 5, 6.2.5).
struct LineProgram {
  private(set) var header: LineHeader
  private(set) var addresses: [UInt64] = []
  private(set) var positions: [LinePosition] = []
  private(set) var sequences: [LineTable.Sequence] = []

  private let code: CodeRanges
  private let encoding: UnitEncoding
  private let unit: DWARFUnit

  // Registers.
  private var address: UInt64 = 0
  private var operation: UInt64 = 0
  private var file: UInt32 = 1
  private var line: UInt32 = 1
  private var column: UInt16 = 0
  private var discriminator: UInt32 = 0

  /// The first row of the current sequence.
  private var firstRow = 0
  private var isSorted = true

  init(_ header: LineHeader, _ unit: DWARFUnit, code: CodeRanges) {
    self.header = header
    self.code = code
    self.unit = unit
    encoding = UnitEncoding(version: header.version, addressSize: header.addressSize, is64: header.is64)
  }

  mutating func run() {
    var cursor = SectionCursor(
      unit.file.lines.buffer, at: header.program.lowerBound, end: header.program.upperBound,
      bigEndian: unit.file.bigEndian)
    let guess = cursor.end - cursor.offset
    addresses.reserveCapacity(guess / 4)
    positions.reserveCapacity(guess / 4)
    while !cursor.isAtEnd {
      let opcode = cursor.u8()
      if opcode >= header.opcodeBase {
        special(opcode)
      } else {
        standard(opcode, &cursor)
      }
    }
    // A sequence without an end has no last row either.
    dropSequence()
  }

  @inline(__always)
  private mutating func special(_ opcode: UInt8) {
    guard header.lineRange != 0 else { return addRow() }
    let adjusted = opcode &- header.opcodeBase
    advance(UInt64(adjusted / header.lineRange))
    line = line &+ UInt32(bitPattern: Int32(header.lineBase) &+ Int32(adjusted % header.lineRange))
    addRow()
  }

  @inline(__always)
  private mutating func advance(_ operations: UInt64) {
    if header.maximumOperations <= 1 {
      address = address &+ operations &* UInt64(header.minimumInstructionLength)
    } else {
      let maximum = UInt64(header.maximumOperations)
      let sum = operation &+ operations
      address = address &+ UInt64(header.minimumInstructionLength) &* (sum / maximum)
      operation = sum % maximum
    }
  }

  private mutating func standard(_ opcode: UInt8, _ cursor: inout SectionCursor) {
    switch opcode {
    case LineOpcode.extended: extended(&cursor)
    case LineOpcode.copy: addRow()
    case LineOpcode.advancePC: advance(cursor.uleb())
    case LineOpcode.advanceLine: line = line &+ UInt32(truncatingIfNeeded: cursor.sleb())
    case LineOpcode.setFile: file = UInt32(clamping: cursor.uleb())
    case LineOpcode.setColumn: column = UInt16(clamping: cursor.uleb())
    case LineOpcode.constAddPC:
      if header.lineRange != 0 { advance(UInt64((255 &- header.opcodeBase) / header.lineRange)) }
    case LineOpcode.fixedAdvancePC:
      address = address &+ UInt64(cursor.u16())
      operation = 0
    default:
      for _ in 0..<header.operandCounts[Int(opcode)] { cursor.skipLEB() }
    }
  }

  private mutating func extended(_ cursor: inout SectionCursor) {
    let length = cursor.uleb()
    guard length > 0, length <= UInt64(cursor.end - cursor.offset) else { return cursor.skip(length) }
    let next = cursor.offset + Int(length)
    switch cursor.u8() {
    case LineOpcode.extendedEndSequence: endSequence()
    case LineOpcode.extendedSetAddress:
      address = cursor.unsigned(size: UInt8(clamping: length - 1))
      operation = 0
    case LineOpcode.extendedDefineFile:
      if let file = LineHeader.oldFile(&cursor) { header.add(file) }
    case LineOpcode.extendedSetDiscriminator: discriminator = UInt32(clamping: cursor.uleb())
    default: break
    }
    cursor.move(to: next)
  }

  @inline(__always)
  private mutating func addRow() {
    let position = LinePosition(file: file, line: line, discriminator: discriminator, column: column)
    discriminator = 0
    if addresses.count > firstRow {
      let last = addresses[addresses.count &- 1]
      if last == address {
        positions[positions.count &- 1] = position
        return
      }
      if last > address { isSorted = false }
    }
    addresses.append(address)
    positions.append(position)
  }

  private mutating func endSequence() {
    if !isSorted { sortRows() }
    if addresses.count > firstRow, addresses[firstRow] < address, code.holds(addresses[firstRow], encoding) {
      let rows = firstRow..<addresses.count
      sequences.append(LineTable.Sequence(low: addresses[firstRow], high: address, rows: rows))
      firstRow = addresses.count
    }
    dropSequence()
  }

  /// Forgets the rows since the last sequence and puts the registers back.
  private mutating func dropSequence() {
    addresses.removeLast(addresses.count - firstRow)
    positions.removeLast(positions.count - firstRow)
    address = 0
    operation = 0
    file = 1
    line = 1
    column = 0
    discriminator = 0
    isSorted = true
  }

  /// Puts rows in order that a compiler wrote out of it; of rows at one address the last written counts.
  private mutating func sortRows() {
    let order = (firstRow..<addresses.count).sorted { (addresses[$0], $0) < (addresses[$1], $1) }
    var sortedAddresses: [UInt64] = []
    var sortedPositions: [LinePosition] = []
    for index in order {
      if sortedAddresses.last == addresses[index] {
        sortedPositions[sortedPositions.count - 1] = positions[index]
      } else {
        sortedAddresses.append(addresses[index])
        sortedPositions.append(positions[index])
      }
    }
    addresses.replaceSubrange(firstRow..., with: sortedAddresses)
    positions.replaceSubrange(firstRow..., with: sortedPositions)
  }
}
