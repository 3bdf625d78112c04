import MPaaSSupport

extension MachOImage {
  /// One entry of a section's relocations.
  ///
  /// Source: `mach-o/reloc.h`, `relocation_info`.
  private struct Relocation {
    let address: Int
    let symbol: Int
    /// Bytes: 1, 2, 4 or 8.
    let width: Int
    let isExternal: Bool
    let type: UInt32

    init?(_ cursor: inout ByteCursor, bigEndian: Bool) {
      guard let address = try? cursor.u32(), let info = try? cursor.u32() else { return nil }
      // The highest bit marks scattered entries, which only old processors have.
      guard address & 0x8000_0000 == 0 else { return nil }
      self.address = Int(address)
      symbol = Int(bigEndian ? info >> 8 : info & 0xff_ffff)
      let bits = bigEndian ? info & 0xff : info >> 24
      width = 1 << Int(bigEndian ? bits >> 5 & 3 : bits >> 1 & 3)
      isExternal = (bigEndian ? bits >> 4 : bits >> 3) & 1 == 1
      type = bigEndian ? bits & 15 : bits >> 4
    }
  }

  /// A section of an object file with the addresses that the linker would put in, as far as they are plain ones.
  ///
  /// Addresses of a section of the same file stand there already; those relative to a symbol need its address.
  ///
  /// - Source: `mach-o/arm64/reloc.h` and `mach-o/x86_64/reloc.h` (`UNSIGNED` is 0; `SUBTRACTOR` 1 and 5).
  func relocated(_ stored: Bytes, _ section: MachOSection) -> Bytes {
    let (size, overflow) = UInt64(section.relocationCount).multipliedReportingOverflow(by: 8)
    guard !overflow, let table = bytes.slice(at: section.relocationOffset, size: size) else { return stored }
    let subtractor: UInt32 = header.architecture.type == MachOArchitecture.arm64 ? 1 : 5
    var contents = stored.array
    var cursor = ByteCursor(table.buffer, bigEndian: header.bigEndian)
    var isChanged = false
    var subtracted: UInt64 = 0
    while !cursor.isAtEnd {
      guard let entry = Relocation(&cursor, bigEndian: header.bigEndian) else { continue }
      let address = entry.isExternal ? nlist(entry.symbol)?.value ?? 0 : 0
      if entry.type == subtractor {
        subtracted = address
        continue
      }
      let change = address &- subtracted
      subtracted = 0
      guard entry.type == 0, change != 0, entry.address <= contents.count - entry.width else { continue }
      add(change, to: &contents, at: entry.address, width: entry.width)
      isChanged = true
    }
    return isChanged ? Bytes(contents) : stored
  }

  private func add(_ change: UInt64, to contents: inout [UInt8], at place: Int, width: Int) {
    var value: UInt64 = 0
    for index in 0..<width {
      let byte = UInt64(contents[place + index])
      value |= byte << UInt64(8 * (header.bigEndian ? width - 1 - index : index))
    }
    value &+= change
    for index in 0..<width {
      let shift = UInt64(8 * (header.bigEndian ? width - 1 - index : index))
      contents[place + index] = UInt8(truncatingIfNeeded: value >> shift)
    }
  }
}
