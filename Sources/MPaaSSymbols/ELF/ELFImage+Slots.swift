import MPaaSSupport

/// A word that the loader fills with the address of a function or variable of another image.
package struct ELFSlot: Sendable, Equatable {
  /// Its address inside the image.
  package let address: UInt64
  /// The symbol by name, without a version; empty where it has none.
  package let name: String
  /// Tells whether only calls go through it (`JUMP_SLOT`).
  package let isCall: Bool
}

extension ELFImage {
  private static let mostSlots = 1 << 20

  /// The slots of the global offset table: the relocations `JUMP_SLOT` and `GLOB_DAT` of 64-bit images.
  ///
  /// - Source: System V ABI, chapter 4 "Relocation"; the supplements of x86-64 and AArch64 for the types.
  package var slots: [ELFSlot] {
    let types: (call: UInt64, data: UInt64)
    switch header.machine {
    case .x86_64: types = (7, 6)
    case .aarch64: types = (1026, 1025)
    default: return []
    }
    guard header.is64 else { return [] }
    var slots: [ELFSlot] = []
    for section in sections where section.type == .relocationsWithAddends && section.flags.contains(.allocated) {
      guard let table = try? contents(of: section), sections.indices.contains(Int(section.link)),
        sections[Int(section.link)].type == .dynamicSymbols,
        let symbols = try? contents(of: sections[Int(section.link)]),
        sections.indices.contains(Int(sections[Int(section.link)].link)),
        let names = try? contents(of: sections[Int(sections[Int(section.link)].link)])
      else { continue }
      var cursor = ByteCursor(table.buffer, bigEndian: header.bigEndian)
      while slots.count < Self.mostSlots, let address = try? cursor.u64(), let info = try? cursor.u64(),
        (try? cursor.u64()) != nil
      {
        let type = info & 0xffff_ffff
        guard type == types.call || type == types.data else { continue }
        slots.append(
          ELFSlot(address: address, name: name(ofSymbol: info >> 32, symbols, names), isCall: type == types.call))
      }
    }
    return slots
  }

  private func name(ofSymbol index: UInt64, _ symbols: Bytes, _ names: Bytes) -> String {
    guard let entry = symbols.slice(at: index * 24, size: 24) else { return "" }
    var cursor = ByteCursor(entry.buffer, bigEndian: header.bigEndian)
    return String(utf8: Self.cString(names, at: UInt64((try? cursor.u32()) ?? 0)))
  }
}
