package import MPaaSSupport
import Synchronization

/// An ELF file over its mapped bytes: header and tables are read at once, everything else when it is asked for.
///
/// It can be shared between threads; what is decompressed or sorted once is kept.
package final class ELFImage: Sendable {
  /// The whole file; offsets in errors count from its first byte.
  package let bytes: Bytes
  package let header: ELFHeader
  package let sections: [ELFSection]
  package let segments: [ELFSegment]
  /// The section names, NUL-terminated.
  let sectionNames: Bytes
  let cache = Mutex(Cache())

  /// The state worked out so far.
  struct Cache {
    var contents: [Int: Bytes] = [:]
    var lazyContents: [Int: LazyContents] = [:]
    /// Bytes that decompression has given, against the file's allowance.
    var decompressed = 0
    var symbols: ELFSymbolTable?
    var miniDebug: ELFImage??
  }

  /// Reads the header, the section table and the program header table.
  ///
  /// - Parameter bytes: The whole file, mapped.
  /// - Throws: `ELFError` naming the first field that cannot be true.
  package init(_ bytes: Bytes) throws(ELFError) {
    self.bytes = bytes
    header = try ELFHeader(bytes)
    let table = try Self.sectionTable(bytes, header)
    sections = try Self.readSections(bytes, header, table)
    segments = try Self.readSegments(bytes, header, count: sections.first.map { UInt64($0.info) })
    var names = header.nameSection
    if names == 0xffff, let first = sections.first { names = Int(first.link) }
    sectionNames = Self.stringTable(bytes, sections, names)
  }

  package func name(of section: ELFSection) -> String {
    guard section.nameOffset < sectionNames.count else { return "" }
    return String(utf8: Self.cString(sectionNames, at: UInt64(section.nameOffset)))
  }

  /// The first section of that name, as `.debug_info`.
  package func section(named name: String) -> ELFSection? {
    var name = name
    return name.withUTF8 { wanted in
      sections.first { section in
        let start = Int(section.nameOffset)
        guard start < sectionNames.count, sectionNames.count - start > wanted.count else { return false }
        let candidate = UnsafeRawBufferPointer(rebasing: sectionNames.buffer[start..<start + wanted.count])
        return candidate.elementsEqual(wanted) && sectionNames.buffer[start + wanted.count] == 0
      }
    }
  }

  /// The address ranges of code, in the order of the section table; those of the segments where there are no sections.
  package var executableRanges: [Range<UInt64>] {
    let code = sections.filter { $0.flags.contains([.allocated, .executable]) }.compactMap(\.addresses)
    if !code.isEmpty { return code }
    return segments.filter { $0.type == ELFSegment.load && $0.isExecutable }.compactMap(\.addresses)
  }

  /// The lowest address that the file asks to be loaded at, on a page boundary of its own.
  ///
  /// An image that was mapped at `base` has its addresses moved by `base - loadAddress`.
  package var loadAddress: UInt64 {
    segments.filter { $0.type == ELFSegment.load }.map { $0.address - min($0.address, $0.offset) }.min() ?? 0
  }

  /// The address inside the image of a byte of the file, as a memory map tells it; nil where no segment has it.
  package func address(ofFileOffset offset: UInt64) -> UInt64? {
    for segment in segments where segment.type == ELFSegment.load && offset >= segment.offset {
      guard offset - segment.offset < segment.fileSize else { continue }
      return segment.address &+ (offset - segment.offset)
    }
    return nil
  }

  /// A NUL-terminated string; what is left of the bytes where the NUL is missing.
  static func cString(_ bytes: Bytes, at offset: UInt64) -> UnsafeRawBufferPointer {
    guard offset < UInt64(bytes.count) else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    let rest = UnsafeRawBufferPointer(rebasing: bytes.buffer[Int(offset)...])
    return UnsafeRawBufferPointer(rebasing: rest[..<(rest.cStringLength ?? rest.count)])
  }
}

extension ELFImage {
  private static func sectionTable(_ bytes: Bytes, _ header: ELFHeader) throws(ELFError) -> ELFHeader.Table {
    var table = header.sectionTable
    guard table.offset != 0 else { return ELFHeader.Table(offset: 0, entrySize: 0, count: 0) }
    let size = ELFSection.entrySize(is64: header.is64)
    let headerEnd: UInt64 = header.is64 ? 64 : 52
    guard table.entrySize == size else {
      throw ELFError(code: .badEntrySize, offset: headerEnd - 6, value: table.entrySize)
    }
    guard bytes.slice(at: table.offset, size: size) != nil else {
      throw ELFError(code: .sectionTablePastEnd, offset: header.is64 ? 40 : 32, value: table.offset)
    }
    if table.count == 0 {
      table.count = try firstSection(bytes, header, table).size
    }
    guard table.count <= (UInt64(bytes.count) - table.offset) / size else {
      throw ELFError(code: .sectionTablePastEnd, offset: headerEnd - 4, value: table.count)
    }
    return table
  }

  private static func firstSection(
    _ bytes: Bytes, _ header: ELFHeader, _ table: ELFHeader.Table
  ) throws(ELFError) -> ELFSection {
    var one = table
    one.count = 1
    guard let first = try readSections(bytes, header, one).first else {
      throw ELFError(code: .sectionTablePastEnd, offset: table.offset)
    }
    return first
  }

  private static func readSections(
    _ bytes: Bytes, _ header: ELFHeader, _ table: ELFHeader.Table
  ) throws(ELFError) -> [ELFSection] {
    var cursor = ByteCursor(bytes.buffer, at: Int(table.offset), bigEndian: header.bigEndian)
    var sections: [ELFSection] = []
    sections.reserveCapacity(Int(table.count))
    do throws(ByteError) {
      for index in 0..<Int(table.count) {
        sections.append(try ELFSection(&cursor, index: index, is64: header.is64))
      }
    } catch {
      throw ELFError(code: .sectionTablePastEnd, offset: UInt64(error.offset))
    }
    return sections
  }

  private static func readSegments(
    _ bytes: Bytes, _ header: ELFHeader, count first: UInt64?
  ) throws(ELFError) -> [ELFSegment] {
    let table = header.programTable
    let count = table.count == 0xffff ? first ?? 0xffff : table.count
    guard table.offset != 0, count != 0 else { return [] }
    let size = ELFSegment.entrySize(is64: header.is64)
    let fields: UInt64 = header.is64 ? 54 : 42
    guard table.entrySize == size else {
      throw ELFError(code: .badEntrySize, offset: fields, value: table.entrySize)
    }
    guard table.offset <= bytes.count, count <= (UInt64(bytes.count) - table.offset) / size else {
      throw ELFError(code: .programTablePastEnd, offset: fields + 2, value: count)
    }
    var cursor = ByteCursor(bytes.buffer, at: Int(table.offset), bigEndian: header.bigEndian)
    do throws(ByteError) {
      return try (0..<Int(count)).map { _ throws(ByteError) in try ELFSegment(&cursor, is64: header.is64) }
    } catch {
      throw ELFError(code: .programTablePastEnd, offset: UInt64(error.offset))
    }
  }

  private static func stringTable(_ bytes: Bytes, _ sections: [ELFSection], _ index: Int) -> Bytes {
    guard sections.indices.contains(index), sections[index].type != .noBits else { return .empty }
    return bytes.slice(at: sections[index].offset, size: sections[index].size) ?? .empty
  }
}
