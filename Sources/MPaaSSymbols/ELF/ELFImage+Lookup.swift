import MPaaSSupport

extension ELFImage {
  /// The symbol that has an address inside its size, or without a size reaches to it; nil where there is none.
  package func symbolMatch(at address: UInt64, isOwn: Bool = true) -> SymbolMatch? {
    let table = symbols
    guard let match = table.find(address) else { return nil }
    return SymbolMatch(
      name: table.name(match.index), offset: match.offset, isInside: match.isInside, isOwn: isOwn)
  }

  /// Look-ups in this image alone, or with the debug file that belongs to it.
  ///
  /// - Parameters:
  ///   - debug: The file with the DWARF, where it is another one.
  ///   - companions: Files that the DWARF points to.
  package func lookup(debug: ELFImage? = nil, companions: DebugCompanions = .none) -> AddressLookup {
    let holder = debug ?? self
    let functions = functionBounds(debug: debug)
    return AddressLookup(
      holder.hasDebugInfo ? holder.dwarfSections : nil, code: executableRanges, companions: companions
    ) { [self] address in
      let own = symbolMatch(at: address)
      if let own, own.isInside { return own }
      let other = debug?.symbolMatch(at: address, isOwn: false)
      if let other, other.isInside { return other }
      let label = [own, other].compactMap { $0 }.min { $0.offset < $1.offset }
      // A label of one file may end where only the other knows a symbol.
      let isEnded = label.map { label in
        [symbols, debug?.symbols].contains { $0?.endsLabel(at: address - label.offset, before: address) == true }
      }
      return functions.match(isEnded == true ? nil : label, at: address)
    } symbolBounds: { [self] in
      let unwound = functions.bounds { address in
        symbols.find(address)?.isInside == true || debug?.symbols.find(address)?.isInside == true
      }
      return symbols.bounds + (debug?.symbols.bounds ?? []) + unwound
    }
  }

  /// The functions that `.eh_frame` knows, and for what that leaves out `.debug_frame`.
  private func functionBounds(debug: ELFImage?) -> FunctionBounds {
    let stubs = sections.filter { name(of: $0).hasPrefix(".plt") }.compactMap(\.addresses)
    return FunctionBounds(stubs: stubs) { [self] in
      let images = [self] + (debug.map { [$0] } ?? [])
      return images.compactMap { $0.callFrames(".eh_frame", .ehFrame) }
        + images.compactMap {
          $0.callFrames(".debug_frame", .debugFrame) ?? $0.callFrames(".zdebug_frame", .debugFrame)
        }
    }
  }
}
