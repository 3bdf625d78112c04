import MPaaSSupport

/// The facts of an ELF file for the loader: libraries, search paths, flags.
///
/// Source: System V ABI, chapter 5, "Dynamic Section"; `DT_FLAGS_1` as Solaris and glibc have it.
package struct ELFDynamic: Sendable, Equatable {
  package private(set) var needed: [String] = []
  package private(set) var soname: String?
  package private(set) var rpath: String?
  package private(set) var runpath: String?
  /// Tells whether all symbols are bound before the program starts.
  package private(set) var bindsAtOnce = false
  package private(set) var hasTextRelocations = false
  /// Tells whether a library prefers its own symbols (`-Bsymbolic`).
  package private(set) var isSymbolic = false
  /// Tells whether the linker made a program that is loaded anywhere (`DF_1_PIE`).
  package private(set) var isPositionIndependentProgram = false

  /// No linker writes more.
  private static let mostEntries = 1 << 16
  private static let mostNeeded = 1 << 12
  private static let longestText = 1 << 12

  fileprivate init(_ area: Bytes, _ image: ELFImage) {
    let word = image.header.is64 ? 8 : 4
    var cursor = ByteCursor(area.buffer, bigEndian: image.header.bigEndian)
    var entries: [(tag: UInt64, value: UInt64)] = []
    while entries.count < Self.mostEntries, let tag = try? cursor.unsigned(size: word),
      let value = try? cursor.unsigned(size: word), tag != 0
    {
      entries.append((tag, value))
    }
    let strings = image.dynamicStrings(entries)
    func text(_ offset: UInt64) -> String {
      String(utf8: UnsafeRawBufferPointer(rebasing: ELFImage.cString(strings, at: offset).prefix(Self.longestText)))
    }
    for (tag, value) in entries {
      switch tag {
      case 1: if needed.count < Self.mostNeeded { needed.append(text(value)) }
      case 14: soname = text(value)
      case 15: rpath = text(value)
      case 29: runpath = text(value)
      case 16: isSymbolic = true
      case 22: hasTextRelocations = true
      case 24: bindsAtOnce = true
      case 30:
        if value & 0x8 != 0 { bindsAtOnce = true }
        if value & 0x4 != 0 { hasTextRelocations = true }
        if value & 0x2 != 0 { isSymbolic = true }
      case 0x6fff_fffb:
        if value & 0x1 != 0 { bindsAtOnce = true }
        if value & 0x0800_0000 != 0 { isPositionIndependentProgram = true }
      default: break
      }
    }
  }
}

extension ELFImage {
  /// The facts for the loader; nil where the file is linked with nothing.
  package var dynamic: ELFDynamic? {
    if let segment = segments.first(where: { $0.type == ELFSegment.dynamic }),
      let area = bytes.slice(at: segment.offset, size: segment.fileSize), !area.isEmpty
    {
      return ELFDynamic(area, self)
    }
    guard let section = section(named: ".dynamic"), section.type != .noBits,
      let area = bytes.slice(at: section.offset, size: section.size), !area.isEmpty
    else { return nil }
    return ELFDynamic(area, self)
  }

  /// The strings that entries name by `DT_STRTAB` and `DT_STRSZ`, else those of `.dynstr`.
  fileprivate func dynamicStrings(_ entries: [(tag: UInt64, value: UInt64)]) -> Bytes {
    if let address = entries.first(where: { $0.tag == 5 })?.value,
      let size = entries.first(where: { $0.tag == 10 })?.value,
      let place = fileOffset(ofAddress: address), let strings = bytes.slice(at: place, size: size)
    {
      return strings
    }
    return contents(named: ".dynstr") ?? .empty
  }

  /// The place in the file of an address of the image; nil where no segment has it.
  private func fileOffset(ofAddress address: UInt64) -> UInt64? {
    for segment in segments where segment.type == ELFSegment.load && address >= segment.address {
      let distance = address - segment.address
      guard distance < segment.fileSize else { continue }
      let (place, overflow) = segment.offset.addingReportingOverflow(distance)
      if !overflow { return place }
    }
    return nil
  }
}

// MARK: - Names

/// The names of the table that the loader reads.
package struct ELFDynamicNames: Sendable, Equatable {
  /// The names that the file takes from others, sorted by their bytes, each once, without versions.
  package let imported: [String]
  /// The names of functions that others may put their own in the place of.
  package let exportedFunctions: Int
}

extension ELFImage {
  private static let mostNames = 1 << 20

  /// The names of `.dynsym`.
  ///
  /// Files without sections give none: their table has no length that could be trusted.
  package var dynamicNames: ELFDynamicNames {
    var imported: Set<String> = []
    var exported = 0
    var allowance: Int?
    forEachSymbol(of: .dynamicSymbols) { symbol, strings in
      guard symbol.binding != 0 else { return }
      if symbol.section == 0 {
        // Names that share their ends with others may be more than their table, but not without end.
        let left = allowance ?? 4 * strings.count + (1 << 16)
        guard left > 0 else { return }
        let name = Self.cString(strings, at: symbol.name)
        allowance = left - name.count
        if imported.count < Self.mostNames { imported.insert(String(utf8: name)) }
      } else if symbol.kind == 2, symbol.visibility == 0 {
        exported += 1
      }
    }
    return ELFDynamicNames(
      imported: imported.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }, exportedFunctions: exported)
  }

  /// Tells whether the file has a symbol table beside the loader's.
  package var hasStaticSymbols: Bool {
    let size = UInt64(header.is64 ? 24 : 16)
    return sections.contains { $0.type == .symbols && $0.size >= size }
  }

  /// Tells whether the symbol table that is not the loader's has a name.
  package func hasStaticSymbol(_ wanted: String) -> Bool {
    let wanted = Array(wanted.utf8)
    var found = false
    forEachSymbol(of: .symbols) { symbol, strings in
      guard !found, let end = Int(exactly: symbol.name).map({ $0 + wanted.count }), end < strings.count,
        strings.buffer[end] == 0
      else { return }
      found = strings.buffer[Int(symbol.name)..<end].elementsEqual(wanted)
    }
    return found
  }

  private struct Symbol {
    let name: UInt64
    let binding: UInt8
    let kind: UInt8
    let visibility: UInt8
    let section: UInt16
  }

  private func forEachSymbol(of kind: ELFSection.Kind, _ visit: (Symbol, _ strings: Bytes) -> Void) {
    let size = header.is64 ? 24 : 16
    // There is one of each kind.
    for section in sections.filter({ $0.type == kind }).prefix(1) {
      guard let table = bytes.slice(at: section.offset, size: section.size),
        sections.indices.contains(Int(section.link)), sections[Int(section.link)].type == .strings,
        let strings = bytes.slice(at: sections[Int(section.link)].offset, size: sections[Int(section.link)].size)
      else { continue }
      var cursor = ByteCursor(table.buffer, bigEndian: header.bigEndian)
      for index in 0..<(table.count / size) {
        cursor.offset = index * size
        guard let name = try? cursor.u32(), name != 0 else { continue }
        // The 64-bit form has its small fields before the address, the other behind the size.
        if !header.is64 { cursor.offset += 8 }
        guard let info = try? cursor.u8(), let other = try? cursor.u8(), let index = try? cursor.u16() else { return }
        visit(
          Symbol(
            name: UInt64(name), binding: info >> 4, kind: info & 15, visibility: other & 3, section: index),
          strings)
      }
    }
  }
}

// MARK: - Properties and notes

extension ELFImage {
  /// The features that all code of the file has by its `NT_GNU_PROPERTY_TYPE_0` note, as the processor's bits.
  ///
  /// x86: 1 IBT, 2 SHSTK. AArch64: 1 BTI, 2 PAC. Nil where there is no such note.
  package var codeFeatures: UInt32? {
    let property: UInt32 = header.machine == .aarch64 ? 0xc000_0000 : 0xc000_0002
    for note in notes(owner: "GNU", type: 5) {
      var cursor = ByteCursor(note.descriptor.buffer, bigEndian: header.bigEndian)
      while cursor.remaining >= 8, let type = try? cursor.u32(), let size = try? cursor.u32() {
        if type == property, size >= 4 { return try? cursor.u32() }
        let step = header.is64 ? 8 : 4
        let (padded, overflow) = Int(size).addingReportingOverflow(step - 1)
        guard !overflow, (try? cursor.skip(padded / step * step)) != nil else { break }
      }
    }
    return nil
  }

  /// The oldest version of Android's interfaces that the file was built for; nil where it does not say.
  package var androidLevel: UInt32? {
    guard let note = notes(owner: "Android", type: 1).first else { return nil }
    var cursor = ByteCursor(note.descriptor.buffer, bigEndian: header.bigEndian)
    return try? cursor.u32()
  }

  private func notes(owner: String, type: UInt32) -> [ELFNote] {
    let areas = segments.filter { $0.type == ELFSegment.note }.map { ($0.offset, $0.fileSize) }
    let others = sections.filter { $0.type == .note }.map { ($0.offset, $0.size) }
    for (offset, size) in (areas + others).prefix(Self.mostNoteAreas) {
      guard let area = bytes.slice(at: offset, size: size) else { continue }
      var found: [ELFNote] = []
      forEachNote(in: area) { note in
        if note.owner == owner, note.type == type { found.append(note) }
        return found.count < 16
      }
      if !found.isEmpty { return found }
    }
    return []
  }
}
