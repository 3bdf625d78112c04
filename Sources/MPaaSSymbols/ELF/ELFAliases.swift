import MPaaSSupport

/// The strings of a symbol table, and the versions of its symbols where it has any.
struct ELFSymbolSource: Sendable {
  let names: Bytes
  /// `.gnu.version`: two bytes for each symbol; the highest bit marks a version that new programs are not linked with.
  let versions: Bytes?
  let isBigEndian: Bool
}

/// Chooses one of several names of the same code, as `free`, `cfree` and `__libc_free`.
///
/// In this order counts: the largest symbol, as debuggers have it; functions before labels; what other files see before
/// what is local; the version that new programs are linked with before those for old ones (`cfree`); names that are
/// not reserved for the C implementation (`__libc_free`); global before weak; what stands later in the tables.
struct ELFAliases {
  private let sources: [ELFSymbolSource]

  init(_ sources: [ELFSymbolSource]) {
    self.sources = sources
  }

  /// Keeps one symbol for each address.
  ///
  /// - Parameter sorted: By address, and among equals by size.
  func keepBest(_ sorted: inout [ELFSymbol]) {
    var kept = 0
    for position in sorted.indices {
      let symbol = sorted[position]
      if kept > 0, sorted[kept - 1].address == symbol.address {
        let known = sorted[kept - 1]
        if known.size == symbol.size, rank(symbol) <= rank(known) { continue }
        kept -= 1
      }
      sorted[kept] = symbol
      kept += 1
    }
    sorted.removeSubrange(kept...)
  }

  /// The grounds that count, the most important in the highest bits.
  private func rank(_ symbol: ELFSymbol) -> UInt64 {
    let name = ELFImage.cString(sources[Int(symbol.source)].names, at: UInt64(symbol.nameOffset))
    var rank = UInt64(symbol.kind.rawValue)
    rank = rank << 1 | (symbol.binding == .local ? 0 : 1)
    rank = rank << 1 | (isForOldPrograms(symbol, name) ? 0 : 1)
    rank = rank << 1 | (Self.isReserved(name) ? 0 : 1)
    rank = rank << 2 | UInt64(symbol.binding.rawValue)
    return rank << 40 | UInt64(symbol.source) << 32 | UInt64(symbol.order)
  }

  /// - Source: gABI supplement of GNU, "Symbol Versioning": `VERSYM_HIDDEN`; in `.symtab` names bear one `@` then.
  private func isForOldPrograms(_ symbol: ELFSymbol, _ name: UnsafeRawBufferPointer) -> Bool {
    let source = sources[Int(symbol.source)]
    if let versions = source.versions {
      let place = Int(symbol.order) * 2 + (source.isBigEndian ? 0 : 1)
      return place < versions.count && versions.buffer[place] & 0x80 != 0
    }
    guard let at = name.firstIndex(of: UInt8(ascii: "@")), at > 0 else { return false }
    return at + 1 < name.count && name[at + 1] != UInt8(ascii: "@")
  }

  /// True if a name begins as only compilers and C libraries name things, mangled names aside.
  private static func isReserved(_ name: UnsafeRawBufferPointer) -> Bool {
    guard name.count > 1, name[0] == UInt8(ascii: "_") else { return false }
    return ![UInt8(ascii: "Z"), UInt8(ascii: "R"), UInt8(ascii: "$"), UInt8(ascii: "T")].contains(name[1])
  }
}
