import MPaaSSupport

/// One entry of the symbol table.
///
/// Source: `mach-o/nlist.h`, `mach-o/stab.h`.
struct MachONlist: Sendable {
  let name: UInt32
  let type: UInt8
  /// The section's number from 1; 0 for none.
  let section: UInt8
  let description: UInt16
  let value: UInt64

  /// Tells whether it is for debuggers and names no symbol (`N_STAB`).
  var isStab: Bool { type & 0xe0 != 0 }
  /// Tells whether it stands in a section of this image (`N_SECT`).
  var isDefined: Bool { !isStab && type & 0x0e == 0x0e }
  /// Tells whether other images see it (`N_EXT`), and not only those that were linked into this one (`N_PEXT`).
  var isExternal: Bool { type & 0x01 != 0 && type & 0x10 == 0 }
}

extension MachOImage {
  /// Tells whether the names of local symbols were stripped; Apple's `strip` leaves one that is of no code.
  var isStripped: Bool { commands.localSymbolCount.map { $0 <= 1 } ?? false }

  private var nlistSize: Int { header.is64 ? 16 : 12 }

  /// The number of whole entries of the symbol table has inside the file.
  var nlistCount: Int {
    guard let symbols = commands.symbols, symbols.offset <= UInt64(bytes.count) else { return 0 }
    return min(Int(commands.symbolCount), (bytes.count - Int(symbols.offset)) / nlistSize)
  }

  /// The entry at `index`; nil past the end.
  func nlist(_ index: Int) -> MachONlist? {
    guard let symbols = commands.symbols, index >= 0, index < nlistCount else { return nil }
    var cursor = ByteCursor(
      bytes.buffer, at: Int(symbols.offset) + index * nlistSize, bigEndian: header.bigEndian)
    return try? Self.nlist(&cursor, is64: header.is64)
  }

  /// Hands over all entries in order.
  func forEachNlist(_ visit: (MachONlist) -> Void) {
    guard let symbols = commands.symbols else { return }
    let count = nlistCount
    var cursor = ByteCursor(bytes.buffer, at: Int(symbols.offset), bigEndian: header.bigEndian)
    for _ in 0..<count {
      guard let entry = try? Self.nlist(&cursor, is64: header.is64) else { return }
      visit(entry)
    }
  }

  private static func nlist(_ cursor: inout ByteCursor, is64: Bool) throws(ByteError) -> MachONlist {
    let name = try cursor.u32()
    let type = try cursor.u8()
    let section = try cursor.u8()
    let description = try cursor.u16()
    return MachONlist(
      name: name, type: type, section: section, description: description,
      value: try cursor.unsigned(size: is64 ? 8 : 4))
  }

  /// The string at `offset` of the symbol table's strings; empty where there is none.
  func symbolString(_ strings: Bytes, _ offset: UInt32) -> UnsafeRawBufferPointer {
    strings.buffer.cString(at: UInt64(offset)) ?? UnsafeRawBufferPointer(start: nil, count: 0)
  }

  /// The strings of the symbol table.
  var symbolStrings: Bytes { contents(commands.strings) ?? .empty }
}

// MARK: - Function starts

extension MachOImage {
  /// The addresses at which functions start, rising; empty where the linker did not write them down.
  ///
  /// - Source: `LC_FUNCTION_STARTS`: ULEB128 distances from the start of `__TEXT`, ended by 0.
  var functionStarts: [UInt64] {
    guard let table = contents(commands.functionStarts) else { return [] }
    var cursor = ByteCursor(table.buffer)
    var address = loadAddress
    var starts: [UInt64] = []
    starts.reserveCapacity(table.count / 2)
    while let step = try? cursor.uleb(), step > 0 {
      let (next, overflow) = address.addingReportingOverflow(step)
      if overflow { break }
      address = next
      starts.append(header.architecture.hasThumb ? address & ~1 : address)
    }
    return starts
  }
}
