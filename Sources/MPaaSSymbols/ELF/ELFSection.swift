import MPaaSSupport

/// One entry of the section table.
///
/// Source: System V ABI, chapter 4, "Sections".
package struct ELFSection: Sendable, Equatable {
  package let index: Int
  /// Bytes into the section names' string table.
  package let nameOffset: UInt32
  package let type: Kind
  package let flags: Flags
  package let address: UInt64
  package let offset: UInt64
  /// Bytes in memory; in the file too, unless the type is `noBits`.
  package let size: UInt64
  package let link: UInt32
  package let info: UInt32
  package let entrySize: UInt64

  package struct Kind: RawRepresentable, Sendable, Hashable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) {
      self.rawValue = rawValue
    }

    package static let null = Kind(rawValue: 0)
    package static let symbols = Kind(rawValue: 2)
    package static let strings = Kind(rawValue: 3)
    package static let relocationsWithAddends = Kind(rawValue: 4)
    package static let note = Kind(rawValue: 7)
    package static let noBits = Kind(rawValue: 8)
    package static let relocations = Kind(rawValue: 9)
    package static let dynamicSymbols = Kind(rawValue: 11)
  }

  package struct Flags: OptionSet, Sendable {
    package let rawValue: UInt64

    package init(rawValue: UInt64) {
      self.rawValue = rawValue
    }

    package static let write = Flags(rawValue: 1)
    package static let allocated = Flags(rawValue: 2)
    package static let executable = Flags(rawValue: 4)
    package static let threadLocal = Flags(rawValue: 0x400)
    package static let compressed = Flags(rawValue: 0x800)
  }

  /// The addresses that it takes in memory; nil where they would pass the end of the address space.
  package var addresses: Range<UInt64>? {
    let (end, overflow) = address.addingReportingOverflow(size)
    return overflow ? nil : address..<end
  }

  static func entrySize(is64: Bool) -> UInt64 { is64 ? 64 : 40 }
  /// The offset of the size in an entry, for errors.
  static func sizeField(is64: Bool) -> UInt64 { is64 ? 32 : 20 }

  init(_ cursor: inout ByteCursor, index: Int, is64: Bool) throws(ByteError) {
    let word = is64 ? 8 : 4
    self.index = index
    nameOffset = try cursor.u32()
    type = Kind(rawValue: try cursor.u32())
    flags = Flags(rawValue: try cursor.unsigned(size: word))
    address = try cursor.unsigned(size: word)
    offset = try cursor.unsigned(size: word)
    size = try cursor.unsigned(size: word)
    link = try cursor.u32()
    info = try cursor.u32()
    _ = try cursor.unsigned(size: word)
    entrySize = try cursor.unsigned(size: word)
  }
}

/// One entry of the program header table: a part of the file that is mapped or that the loader reads.
///
/// Source: System V ABI, chapter 5, "Program Header".
package struct ELFSegment: Sendable, Equatable {
  package let type: UInt32
  package let flags: UInt32
  package let offset: UInt64
  package let address: UInt64
  package let fileSize: UInt64
  package let memorySize: UInt64

  package static let load: UInt32 = 1
  package static let dynamic: UInt32 = 2
  /// The name of the program that loads the file.
  package static let interpreter: UInt32 = 3
  package static let note: UInt32 = 4
  package static let stack: UInt32 = 0x6474_e551
  /// The range that is made read-only after relocation.
  package static let readOnlyAfterRelocation: UInt32 = 0x6474_e552

  package var isExecutable: Bool { flags & 1 != 0 }
  package var isWritable: Bool { flags & 2 != 0 }

  /// The addresses that it takes in memory; nil where they would pass the end of the address space.
  package var addresses: Range<UInt64>? {
    let (end, overflow) = address.addingReportingOverflow(memorySize)
    return overflow ? nil : address..<end
  }

  static func entrySize(is64: Bool) -> UInt64 { is64 ? 56 : 32 }

  init(_ cursor: inout ByteCursor, is64: Bool) throws(ByteError) {
    let word = is64 ? 8 : 4
    type = try cursor.u32()
    let flags64 = is64 ? try cursor.u32() : 0
    offset = try cursor.unsigned(size: word)
    address = try cursor.unsigned(size: word)
    _ = try cursor.unsigned(size: word)
    fileSize = try cursor.unsigned(size: word)
    memorySize = try cursor.unsigned(size: word)
    flags = is64 ? flags64 : try cursor.u32()
    // The alignment, which is not asked for.
    try cursor.skip(word)
  }
}
