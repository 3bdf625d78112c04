import MPaaSSupport

extension ELFImage {
  /// The DWARF of this file: `.debug_*`, compressed or not, and `.zdebug_*`.
  package var dwarfSections: DWARFSections {
    dwarfSections(suffix: "")
  }

  /// The DWARF of a split file (`.dwo`, `.dwp`): each section's name ends in `.dwo`; `debug_cu_index` and
  /// `debug_tu_index` have no such ending.
  package var splitSections: DWARFSections {
    dwarfSections(suffix: ".dwo")
  }

  /// Tells whether there is DWARF that describes functions and lines.
  package var hasDebugInfo: Bool {
    [".debug_info", ".zdebug_info", ".debug_info.dwo", ".zdebug_info.dwo", ".debug_line"].contains { name in
      section(named: name).map { $0.type != .noBits && $0.size > 0 } ?? false
    }
  }

  /// Tells whether it is a split file, or holds split units.
  package var hasSplitSections: Bool {
    section(named: ".debug_info.dwo") != nil || section(named: ".zdebug_info.dwo") != nil
  }

  private func dwarfSections(suffix: String) -> DWARFSections {
    DWARFSections(bigEndian: header.bigEndian, addressSize: header.addressSize) { [self] name in
      let ending = name.hasSuffix("u_index") || name.hasSuffix(suffix) ? "" : suffix
      return contents(named: "." + name + ending) ?? contents(named: ".z" + name + ending)
    } lazily: { [self] name in
      lazyContents(named: "." + name + suffix) ?? lazyContents(named: ".z" + name + suffix)
    }
  }
}
