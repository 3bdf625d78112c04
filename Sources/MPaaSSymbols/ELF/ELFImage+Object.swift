import MPaaSSupport

extension ELFImage: ObjectImage {
  package var format: ObjectFormat { .elf }
  package var architecture: String { header.machine.name }
  package var isBigEndian: Bool { header.bigEndian }
  package var addressSize: Int { header.addressSize }
  package var symbolCount: Int { symbols.count }

  package var kind: ObjectKind {
    if hasSplitSections, !hasCode { return .splitDebugInfo }
    switch header.type {
    case .relocatable: return .object
    case .core: return .core
    case .other: return .other
    case .executable: return hasCode ? .executable : .debugInfo
    case .sharedObject:
      guard hasCode else { return .debugInfo }
      return section(named: ".interp") != nil ? .executable : .sharedLibrary
    }
  }

  package var answers: SymbolAnswers {
    if hasDebugInfo { return .lines }
    if symbols.isEmpty { return .nothing }
    let sections = offeredSections
    return sections.contains("symtab") || sections.contains("gnu_debugdata") ? .functions : .exported
  }

  package var hasCode: Bool {
    sections.contains { $0.flags.contains(.executable) && $0.type != .noBits && $0.size > 0 }
      || (sections.isEmpty && !segments.isEmpty)
  }

  package var offeredSections: [String] {
    let names = [
      "debug_info", "debug_line", "debug_cu_index", "symtab", "dynsym", "gnu_debugdata", "gnu_debugaltlink", "eh_frame",
    ]
    return names.filter { name in
      [".\(name)", ".z\(name)", ".\(name).dwo"].contains { candidate in
        section(named: candidate).map { $0.type != .noBits && $0.size > 0 } ?? false
      }
    }
  }

  package func frameLookup(debug: (any ObjectImage)?, companions: DebugCompanions) -> any FrameLookup {
    lookup(debug: debug as? ELFImage, companions: companions)
  }
}
