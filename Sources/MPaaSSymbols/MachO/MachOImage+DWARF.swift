import MPaaSSupport
import Synchronization

extension MachOImage {
  /// Tells whether there is DWARF that describes functions and lines.
  package var hasDebugInfo: Bool {
    ["debug_info", "debug_line"].contains { dwarfSection($0).map { stored($0) != nil } ?? false }
  }

  /// The DWARF of this image: `__debug_*`, and `__zdebug_*` decompressed; in object files with relocations applied.
  package var dwarfSections: DWARFSections {
    DWARFSections(
      bigEndian: header.bigEndian, addressSize: header.addressSize, names: hiddenNames
    ) { [self] name in
      dwarfContents(name)
    }
  }

  /// The section of a name such as `debug_info`; the file has 16 bytes for it, and cuts `__debug_str_offsets`.
  func dwarfSection(_ name: String) -> MachOSection? {
    let candidates = [String(("__" + name).prefix(16)), String(("__z" + name).prefix(16))]
    return sections.first { $0.segment == "__DWARF" && candidates.contains($0.name) }
  }

  private func dwarfContents(_ name: String) -> Bytes? {
    guard let section = dwarfSection(name), let stored = stored(section) else { return nil }
    let isCompressed = section.name.hasPrefix("__z")
    guard isCompressed || (header.fileType == MachOHeader.object && section.relocationCount > 0) else { return stored }
    if let known = cache.withLock({ $0.sections[name] }) { return known }
    guard let contents = isCompressed ? decompress(stored) : relocated(stored, section) else { return nil }
    return cache.withLock { cache in
      if let known = cache.sections[name] { return known }
      cache.sections[name] = contents
      return contents
    }
  }

  /// The bytes that all sections of this image together may decompress to.
  private var allowance: Int {
    let (scaled, overflow) = bytes.count.multipliedReportingOverflow(by: 32)
    return overflow ? .max : max(scaled, 1 << 24)
  }

  /// - Source: as `.zdebug_*` of ELF: "ZLIB", the size in 8 bytes big-endian, a zlib stream.
  private func decompress(_ stored: Bytes) -> Bytes? {
    guard stored.count >= 12, stored.buffer.prefix(4).elementsEqual("ZLIB".utf8),
      let data = stored.slice(at: 12, size: UInt64(stored.count - 12)),
      let size = Int(exactly: stored.buffer[4..<12].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }),
      size / 1032 <= data.count
    else { return nil }
    let isAllowed = cache.withLock { cache in
      guard size <= allowance - cache.decompressed else { return false }
      cache.decompressed += size
      return true
    }
    return isAllowed ? try? Compression.zlib.decompress(data, expected: size, limit: size) : nil
  }
}
