package import MPaaSSupport

/// One function that an address belongs to: the innermost inlined call, one of those around it, or the function itself.
package struct SourceFrame: Sendable, Equatable {
  /// As the linker or the debug information names it; nil where nothing names it.
  package var symbol: String?
  /// Bytes from the start of `symbol`, where only a symbol table knew it; without a symbol from the start of the
  /// function, where its bounds are known and its name is not.
  package var offset: UInt64?
  /// As the line table joins it: directory and name, not made absolute by us.
  package var file: String?
  /// From 1; nil for code that the compiler made up (line 0) or that has no line.
  package var line: Int?
  /// From 1; nil where unknown.
  package var column: Int?
  /// Which of several blocks on the line, from 1; nil where the line has one only, and for calls.
  package var discriminator: Int?
  /// Whether the function was inlined into the next frame's.
  package var isInlined: Bool

  package init(
    symbol: String? = nil, offset: UInt64? = nil, file: String? = nil, line: Int? = nil, column: Int? = nil,
    isInlined: Bool = false
  ) {
    self.symbol = symbol
    self.offset = offset
    self.file = file
    self.line = line
    self.column = column
    self.isInlined = isInlined
  }
}

/// Where the parts of DWARF come from: each section by its name without a leading `.` or `__` (`debug_info`), already decompressed.
///
/// ELF and Mach-O files make one of these, so that the DWARF reader knows neither.
package struct DWARFSections: Sendable {
  package let bigEndian: Bool
  /// Bytes of an address where a unit does not say: 4 or 8.
  package let addressSize: Int
  /// Gives a section's bytes, or nil where the file has none or they cannot be read.
  package let section: @Sendable (_ name: String) -> Bytes?
  /// What stands for names and paths that the build hid, where it is known.
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
