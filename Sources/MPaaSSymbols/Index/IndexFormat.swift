/// The layout of an index file; `Documentation/SymbolIndex.md` describes it for other programs.
///
/// All numbers are little-endian; a varint is an unsigned LEB128 number, zigzag a signed one folded into it.
enum IndexFormat {
  /// The first eight bytes.
  static let magic: UInt64 = 0x0a58_4953_4141_504d  // "MPAASIX" and a line feed
  /// The version that a reader must know; another number is rebuilt.
  static let version: UInt32 = 2
  /// Bytes of the header: magic, version, checksum, size, flags and widths.
  static let headerSize = 48
  /// Bytes of an entry of the section table: offset and size.
  static let sectionEntrySize = 16
  /// Bytes that one checksum covers.
  static let chunkSize = 1 << 14

  /// Bytes behind the last section, so that rows and nodes are read without checking every byte: six numbers of ten.
  static let slack = 64

  /// The sections, in the order of the table and of the file.
  enum Section: Int, CaseIterable {
    /// A CRC-32 for each chunk of the body, itself under the header's checksum.
    case checksums
    /// The files that the index was made of.
    case sources
    /// First addresses of runs of `entriesPerPage` entries.
    case pages
    /// The start of each block: address and offset.
    case entries
    case blocks
    /// The starts of each part's nodes, names and files.
    case parts
    case nodes
    /// Offsets in the pool, for the parts' names and files.
    case references
    case pool
    /// MD5 digests of source files, by the pool offset of their path.
    case digests
  }

  enum Flags {
    /// Tells whether there was debug information, not only a symbol table.
    static let hasDebugInfo: UInt32 = 1
  }

  static let entriesPerPage = 64
  static let pageSize = 16
  static let entrySize = 8
  static let partSize = 12
  static let digestSize = 20
  /// More rows than this a block has not, so that few are read for one address.
  static let rowsPerBlock = 24

  /// The beginning of a row: four bits of distance and what changes.
  enum Row {
    static let distance: UInt8 = 0x0f
    static let node: UInt8 = 0x10
    static let file: UInt8 = 0x20
    static let line: UInt8 = 0x40
    static let column: UInt8 = 0x80
  }

  /// The kind of a node, in the lowest two bits of its first number.
  enum Node {
    static let function: UInt64 = 0
    static let call: UInt64 = 2
    /// A name of a symbol table, or the bounds of a function without a name.
    static let symbol: UInt64 = 3
  }
}

/// A place in the source, as rows and calls have it: 0 is what is unknown.
package struct IndexPosition: Sendable, Equatable {
  /// A number that `IndexPart.file` gave.
  package var file: UInt32 = 0
  package var line: UInt32 = 0
  package var column: UInt32 = 0
  package var discriminator: UInt32 = 0

  package init(file: UInt32 = 0, line: UInt32 = 0, column: UInt32 = 0, discriminator: UInt32 = 0) {
    self.file = file
    // Line and column mean something in a file only.
    guard file != 0 else { return }
    self.line = line
    self.column = column
    self.discriminator = discriminator
  }
}
