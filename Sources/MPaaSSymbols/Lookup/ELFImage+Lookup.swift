import MPaaSSupport

extension ELFImage {
  /// What the symbol tables say about an address.
  package func symbolMatch(at address: UInt64, isOwn: Bool = true) -> SymbolMatch? {
    let table = symbols
    guard let match = table.find(address) else { return nil }
    let covers = match.isInside || match.size == 0
    return SymbolMatch(
      name: table.name(match.index), offset: match.offset, isInside: match.isInside,
      file: covers ? table.sourceFile(match.index) : nil, isOwn: isOwn)
  }

  /// Look-ups in this image alone, or with the debug file that belongs to it.
  ///
  /// - Parameters:
  ///   - debug: The file with the DWARF, where it is another one.
  ///   - companions: Files that the DWARF points to.
  package func lookup(debug: ELFImage? = nil, companions: DebugCompanions = .none) -> AddressLookup {
    let holder = debug ?? self
    return AddressLookup(
      holder.hasDebugInfo ? holder.dwarfSections : nil, code: executableRanges, companions: companions
    ) { [self] address in
      let own = symbolMatch(at: address)
      guard let debug, own?.isInside != true else { return own }
      guard let other = debug.symbolMatch(at: address, isOwn: false) else { return own }
      guard let own, !other.isInside else { return other }
      return own.offset <= other.offset ? own : other
    } symbolBounds: { [self] in
      symbols.bounds + (debug?.symbols.bounds ?? [])
    }
  }
}
