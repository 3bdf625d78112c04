package import MPaaSSupport

/// The source of the parts of DWARF: each section by its name without a leading `.` or `__` (`debug_info`), already
/// decompressed.
///
/// ELF and Mach-O files make one of these, so that the DWARF reader knows neither.
package struct DWARFSections: Sendable {
  package let bigEndian: Bool
  /// Bytes of an address where a unit does not say: 4 or 8.
  package let addressSize: Int
  /// Gives a section's bytes, or nil where the file has none or they cannot be read.
  package let section: @Sendable (_ name: String) -> Bytes?
  /// The map of names and paths that the build hid, where it is known.
  let names: SymbolMap?
  /// Gives a section that is decompressed as it is read, where that is worth it.
  package let lazily: @Sendable (_ name: String) -> LazyContents?

  package init(
    bigEndian: Bool, addressSize: Int, names: SymbolMap? = nil,
    section: @escaping @Sendable (_ name: String) -> Bytes?,
    lazily: @escaping @Sendable (_ name: String) -> LazyContents? = { _ in nil }
  ) {
    self.bigEndian = bigEndian
    self.addressSize = addressSize
    self.names = names
    self.section = section
    self.lazily = lazily
  }
}
