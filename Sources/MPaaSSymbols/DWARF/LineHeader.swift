import MPaaSSupport

/// The header of a line number program: how to run it, and the directories and files that it names.
struct LineHeader: Sendable {
  let version: UInt16
  let is64: Bool
  let addressSize: UInt8
  let minimumInstructionLength: UInt8
  let maximumOperations: UInt8
  let lineBase: Int8
  let lineRange: UInt8
  let opcodeBase: UInt8
  /// The number of LEB128 operands of each standard opcode from 1 on has.
  let operandCounts: [UInt8]
  private(set) var directories: [AttributeValue] = []
  private(set) var files: [FileEntry] = []
  let program: Range<Int>

  /// More than this no unit has; each takes memory.
  private static let mostEntries = 1 << 18

  struct FileEntry: Sendable {
    let name: AttributeValue
    let directory: UInt32
    var digest: SourceDigest?
  }

  /// - Source: DWARF 5, 6.2.4; DWARF 4, 6.2.4.
  init?(_ unit: DWARFUnit, at offset: UInt64) {
    guard let start = Int(exactly: offset) else { return nil }
    var cursor = SectionCursor(unit.file.lines.buffer, at: start, bigEndian: unit.file.bigEndian)
    let (length, is64) = cursor.initialLength()
    guard !cursor.isBroken, length <= UInt64(cursor.end - cursor.offset) else { return nil }
    let end = cursor.offset + Int(length)
    version = cursor.u16()
    guard (2...5).contains(version) else { return nil }
    self.is64 = is64
    if version >= 5 {
      addressSize = cursor.u8()
      cursor.skip(1)
    } else {
      addressSize = unit.encoding.addressSize
    }
    let headerLength = cursor.sectionOffset(is64: is64)
    guard headerLength <= UInt64(max(end - cursor.offset, 0)) else { return nil }
    program = cursor.offset + Int(headerLength)..<end
    minimumInstructionLength = cursor.u8()
    maximumOperations = version >= 4 ? cursor.u8() : 1
    cursor.skip(1)
    lineBase = Int8(bitPattern: cursor.u8())
    lineRange = cursor.u8()
    opcodeBase = cursor.u8()
    var counts: [UInt8] = [0]
    for _ in 1..<max(opcodeBase, 1) { counts.append(cursor.u8()) }
    operandCounts = counts
    guard !cursor.isBroken else { return nil }
    var names = SectionCursor(
      unit.file.lines.buffer, at: cursor.offset, end: program.lowerBound, bigEndian: unit.file.bigEndian)
    if version >= 5 {
      directories = Self.entries(&names, unit, is64: is64).map(\.name)
      files = Self.entries(&names, unit, is64: is64)
    } else {
      readOldTables(&names)
    }
  }

  private mutating func readOldTables(_ cursor: inout SectionCursor) {
    while !cursor.isAtEnd, directories.count < Self.mostEntries {
      let start = cursor.offset
      cursor.skipString()
      if cursor.offset == start + 1 || cursor.isBroken { break }
      directories.append(AttributeValue(kind: .inlineString, number: UInt64(start)))
    }
    while !cursor.isAtEnd, files.count < Self.mostEntries, let file = Self.oldFile(&cursor) { files.append(file) }
  }

  /// A file of a table before DWARF 5; nil at the table's end.
  static func oldFile(_ cursor: inout SectionCursor) -> FileEntry? {
    let start = cursor.offset
    cursor.skipString()
    guard cursor.offset > start + 1, !cursor.isBroken else { return nil }
    let directory = UInt32(clamping: cursor.uleb())
    cursor.skipLEB()
    cursor.skipLEB()
    return FileEntry(name: AttributeValue(kind: .inlineString, number: UInt64(start)), directory: directory)
  }

  /// A table of directories or files of DWARF 5, which says itself what its columns are (6.2.4.1).
  private static func entries(_ cursor: inout SectionCursor, _ unit: DWARFUnit, is64: Bool) -> [FileEntry] {
    var columns: [(content: UInt64, form: UInt16)] = []
    for _ in 0..<cursor.u8() {
      columns.append((cursor.uleb(), UInt16(clamping: cursor.uleb())))
    }
    let count = min(cursor.uleb(), UInt64(mostEntries))
    guard !columns.isEmpty else { return [] }
    let encoding = UnitEncoding(version: 5, addressSize: unit.encoding.addressSize, is64: is64)
    var entries: [FileEntry] = []
    var index: UInt64 = 0
    while index < count, !cursor.isAtEnd {
      var name = AttributeValue.none
      var directory: UInt32 = 0
      var digest: SourceDigest?
      let start = cursor.offset
      for column in columns {
        if column.content == LineContent.md5, column.form == Form.data16 {
          digest = SourceDigest(high: cursor.rawBigEndian(), low: cursor.rawBigEndian())
          continue
        }
        let value = cursor.value(column.form, implicit: 0, encoding, unitOffset: 0)
        if column.content == LineContent.path { name = value }
        if column.content == LineContent.directoryIndex { directory = UInt32(clamping: value.constant ?? 0) }
      }
      // Entries of no bytes could be counted without end.
      if cursor.isBroken || cursor.offset == start { break }
      entries.append(FileEntry(name: name, directory: directory, digest: digest))
      index += 1
    }
    return entries
  }

  mutating func add(_ file: FileEntry) {
    if files.count < Self.mostEntries { files.append(file) }
  }

  /// The entry of a file number: from 0 in DWARF 5, from 1 before.
  func file(_ number: UInt32) -> FileEntry? {
    let index = version >= 5 ? Int(number) : Int(number) - 1
    return files.indices.contains(index) ? files[index] : nil
  }

  /// The directory that a file's entry names; nil where it names the compilation directory without repeating it.
  func directory(_ number: UInt32) -> AttributeValue? {
    let index = version >= 5 ? Int(number) : Int(number) - 1
    return directories.indices.contains(index) ? directories[index] : nil
  }
}

/// The MD5 digest that a compiler wrote of a source file (DWARF 5, 6.2.4.1).
package struct SourceDigest: Sendable, Hashable {
  package let high: UInt64
  package let low: UInt64
}
