import MPaaSSupport

extension MachOImage: ObjectImage {
  package var format: ObjectFormat { .machO }
  package var buildID: BuildID? { commands.uuid.flatMap { $0.bytes.allSatisfy { $0 == 0 } ? nil : $0 } }
  package var architecture: String { header.architecture.name }
  package var isBigEndian: Bool { header.bigEndian }
  package var addressSize: Int { header.addressSize }
  package var symbolCount: Int { symbols.namedCount }

  package var kind: ObjectKind {
    switch header.fileType {
    case MachOHeader.object: .object
    case 2: .executable
    case 4: .core
    case 3, 6, 7, 8, 9, 11: .sharedLibrary
    case MachOHeader.debugInfo: .debugInfo
    default: .other
    }
  }

  package var loadAddress: UInt64 {
    segments.first { $0.name == "__TEXT" }?.address ?? 0
  }

  package var hasCode: Bool {
    header.fileType != MachOHeader.debugInfo && sections.contains { $0.isCode && stored($0) != nil }
  }

  package var answers: SymbolAnswers {
    if hasDebugInfo { return .lines }
    let table = symbols
    if table.namedCount == 0 { return .nothing }
    return table.hasLocals ? .functions : .exported
  }

  package var offeredSections: [String] {
    var offered = ["debug_info", "debug_line"].filter { dwarfSection($0).map { $0.size > 0 } ?? false }
    if commands.symbolCount > 0, contents(commands.strings) != nil { offered.append("symtab") }
    if contents(commands.exports) != nil { offered.append("exports") }
    if contents(commands.functionStarts) != nil { offered.append("function_starts") }
    if debugMap != nil { offered.append("debug_map") }
    for name in ["eh_frame", "unwind_info"] where section("__TEXT", "__" + name) != nil { offered.append(name) }
    return offered
  }

  /// Look-ups in this image, with its dSYM, or with the object files that its debug map names.
  package func frameLookup(debug: (any ObjectImage)?, companions: DebugCompanions) -> any FrameLookup {
    if let debug, !(debug is MachOImage) { return debug.frameLookup(debug: nil, companions: companions) }
    let other = debug as? MachOImage
    let holder = other ?? self
    let symbol: @Sendable (UInt64) -> SymbolMatch? = { [self] address in
      // A dSYM has the symbols that were stripped from the program.
      let found = other?.symbols.match(at: address)
      guard let own = symbols.match(at: address) else { return found }
      guard let found else { return own }
      // The symbol that begins later has the address: one file may know functions that the other does not.
      if found.offset != own.offset { return found.offset < own.offset ? found : own }
      return found.name != nil ? found : own
    }
    if !holder.hasDebugInfo, let map = debugMap, let open = companions.object {
      return DebugMapLookup(map, code: executableRanges, open: open, symbol: symbol)
    }
    return AddressLookup(
      holder.hasDebugInfo ? holder.dwarfSections : nil, code: executableRanges, companions: companions, symbol: symbol
    ) { [self] in
      symbols.bounds + (other?.symbols.bounds ?? [])
    }
  }
}
