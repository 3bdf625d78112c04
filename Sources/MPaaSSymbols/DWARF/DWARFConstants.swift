/// Tags of debugging information entries that the reader looks at (DWARF 5, 7.5.3).
enum Tag {
  static let arrayType: UInt16 = 0x01
  static let enumerationType: UInt16 = 0x04
  static let compileUnit: UInt16 = 0x11
  static let subroutineType: UInt16 = 0x15
  static let inlinedSubroutine: UInt16 = 0x1d
  static let subprogram: UInt16 = 0x2e
  static let partialUnit: UInt16 = 0x3c
  static let skeletonUnit: UInt16 = 0x4a
}

/// Attributes that the reader looks at (DWARF 5, 7.5.4; `gnu…`: the split DWARF of GCC 4.7 and later).
enum Attribute {
  static let sibling: UInt16 = 0x01
  static let name: UInt16 = 0x03
  static let statementList: UInt16 = 0x10
  static let lowPC: UInt16 = 0x11
  static let highPC: UInt16 = 0x12
  static let compilationDirectory: UInt16 = 0x1b
  static let abstractOrigin: UInt16 = 0x31
  static let specification: UInt16 = 0x47
  static let ranges: UInt16 = 0x55
  static let callColumn: UInt16 = 0x57
  static let callFile: UInt16 = 0x58
  static let callLine: UInt16 = 0x59
  static let linkageName: UInt16 = 0x6e
  static let stringOffsetsBase: UInt16 = 0x72
  static let addressBase: UInt16 = 0x73
  static let rangeListsBase: UInt16 = 0x74
  static let splitName: UInt16 = 0x76
  static let mipsLinkageName: UInt16 = 0x2007
  static let gnuSplitName: UInt16 = 0x2130
  static let gnuSplitID: UInt16 = 0x2131
  static let gnuRangesBase: UInt16 = 0x2132
  static let gnuAddressBase: UInt16 = 0x2133

  /// Tells whether the value may matter although it takes no bytes: a constant that all entries of a kind share.
  static func isAskedFor(_ name: UInt16) -> Bool {
    switch name {
    case highPC, statementList, callColumn, callFile, callLine, gnuSplitID: true
    default: false
    }
  }
}

/// The encoding of an attribute's value (DWARF 5, 7.5.6).
enum Form {
  static let address: UInt16 = 0x01
  static let block2: UInt16 = 0x03
  static let block4: UInt16 = 0x04
  static let data2: UInt16 = 0x05
  static let data4: UInt16 = 0x06
  static let data8: UInt16 = 0x07
  static let string: UInt16 = 0x08
  static let block: UInt16 = 0x09
  static let block1: UInt16 = 0x0a
  static let data1: UInt16 = 0x0b
  static let flag: UInt16 = 0x0c
  static let sdata: UInt16 = 0x0d
  static let strp: UInt16 = 0x0e
  static let udata: UInt16 = 0x0f
  static let refAddress: UInt16 = 0x10
  static let ref1: UInt16 = 0x11
  static let ref2: UInt16 = 0x12
  static let ref4: UInt16 = 0x13
  static let ref8: UInt16 = 0x14
  static let refUdata: UInt16 = 0x15
  static let indirect: UInt16 = 0x16
  static let sectionOffset: UInt16 = 0x17
  static let expression: UInt16 = 0x18
  static let flagPresent: UInt16 = 0x19
  static let strx: UInt16 = 0x1a
  static let addrx: UInt16 = 0x1b
  static let refSup4: UInt16 = 0x1c
  static let strpSup: UInt16 = 0x1d
  static let data16: UInt16 = 0x1e
  static let lineStrp: UInt16 = 0x1f
  static let refSig8: UInt16 = 0x20
  static let implicitConst: UInt16 = 0x21
  static let loclistx: UInt16 = 0x22
  static let rnglistx: UInt16 = 0x23
  static let refSup8: UInt16 = 0x24
  static let strx1: UInt16 = 0x25
  static let strx2: UInt16 = 0x26
  static let strx3: UInt16 = 0x27
  static let strx4: UInt16 = 0x28
  static let addrx1: UInt16 = 0x29
  static let addrx2: UInt16 = 0x2a
  static let addrx3: UInt16 = 0x2b
  static let addrx4: UInt16 = 0x2c
  static let gnuAddressIndex: UInt16 = 0x1f01
  static let gnuStringIndex: UInt16 = 0x1f02
  static let gnuRefAlt: UInt16 = 0x1f20
  static let gnuStrpAlt: UInt16 = 0x1f21
}

/// Kinds of units that a DWARF 5 header names (7.5.1).
enum UnitType {
  static let compile: UInt8 = 0x01
  static let type: UInt8 = 0x02
  static let partial: UInt8 = 0x03
  static let skeleton: UInt8 = 0x04
  static let splitCompile: UInt8 = 0x05
  static let splitType: UInt8 = 0x06
}

/// Entries of a range list (DWARF 5, 7.25).
enum RangeEntry {
  static let endOfList: UInt8 = 0x00
  static let baseAddressIndex: UInt8 = 0x01
  static let startIndexEndIndex: UInt8 = 0x02
  static let startIndexLength: UInt8 = 0x03
  static let offsetPair: UInt8 = 0x04
  static let baseAddress: UInt8 = 0x05
  static let startEnd: UInt8 = 0x06
  static let startLength: UInt8 = 0x07
}

/// Opcodes of a line number program (DWARF 5, 7.22).
enum LineOpcode {
  static let extended: UInt8 = 0x00
  static let copy: UInt8 = 0x01
  static let advancePC: UInt8 = 0x02
  static let advanceLine: UInt8 = 0x03
  static let setFile: UInt8 = 0x04
  static let setColumn: UInt8 = 0x05
  static let constAddPC: UInt8 = 0x08
  static let fixedAdvancePC: UInt8 = 0x09
  static let extendedEndSequence: UInt8 = 0x01
  static let extendedSetAddress: UInt8 = 0x02
  static let extendedDefineFile: UInt8 = 0x03
  static let extendedSetDiscriminator: UInt8 = 0x04
}

/// The content of a column of a DWARF 5 directory or file table (7.22).
enum LineContent {
  static let path: UInt64 = 0x1
  static let directoryIndex: UInt64 = 0x2
  static let md5: UInt64 = 0x5
}
