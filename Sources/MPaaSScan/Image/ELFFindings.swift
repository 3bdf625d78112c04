import MPaaSSymbols

/// The findings about one ELF file by itself.
struct ELFFindings {
  let facts: ELFFacts
  let place: ScanPlace

  var all: [ScanFinding] {
    let called = ImportFindings(names: facts.imports.map { $0[...] }, place: place).all
    return facts.pie == .object || facts.kind == .debugInfo ? called : protections + searchPaths + called
  }

  private var protections: [ScanFinding] {
    var found: [ScanFinding] = []
    if facts.pie == .no { found.append(ScanFinding(.notPositionIndependent, place, "ET_EXEC")) }
    if !facts.nx {
      let stack = facts.segments.contains { $0.type == ELFSegment.stack }
      found.append(ScanFinding(.executableStack, place, stack ? "PT_GNU_STACK RWE" : "PT_GNU_STACK -"))
    }
    if !facts.writableAndExecutable.isEmpty {
      found.append(
        ScanFinding(
          .writableCode, place, facts.writableAndExecutable.map { "PT_LOAD[\($0)]" }.joined(separator: ", ")))
    }
    switch facts.relro {
    case .no: found.append(ScanFinding(.noRelro, place, "PT_GNU_RELRO"))
    case .partial: found.append(ScanFinding(.partialRelro, place, "DF_BIND_NOW"))
    case .full: break
    }
    if facts.textRelocations { found.append(ScanFinding(.textRelocations, place, "DT_TEXTREL")) }
    if facts.canaryState == .no { found.append(ScanFinding(.noCanary, place, "__stack_chk_fail")) }
    if facts.fortify == .no {
      found.append(ScanFinding(.noFortify, place, facts.fortifiable.joined(separator: ", ")))
    }
    return found
  }

  private var searchPaths: [ScanFinding] {
    [facts.rpath, facts.runpath].compactMap(\.self).flatMap {
      $0.split(separator: ":", omittingEmptySubsequences: false)
    }
    .filter { SearchPath.isOutside(elf: $0) }.map { ScanFinding(.runPathOutside, place, $0.isEmpty ? "." : String($0)) }
  }
}
