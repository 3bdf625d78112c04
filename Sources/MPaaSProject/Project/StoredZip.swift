package import MPaaSSupport

/// A zip whose entries are not compressed: the files of a template as they were rendered, the same bytes for the same files.
///
/// Source: APPNOTE.TXT 6.3.10, sections 4.3.7, 4.3.12 and 4.3.16. Times are the first that the format can tell.
package enum StoredZip {
  private static let local: UInt32 = 0x0403_4b50
  private static let central: UInt32 = 0x0201_4b50
  private static let end: UInt32 = 0x0605_4b50

  package static func bytes(of tree: RenderedTree) -> [UInt8] {
    var zip: [UInt8] = []
    var directory: [UInt8] = []
    var count: UInt16 = 0
    for path in tree.paths {
      guard let file = tree[path] else { continue }
      let offset = UInt32(zip.count)
      let header = header(path, file)
      zip += little(local) + header + Array(path.utf8) + file.bytes
      directory += little(central) + little(UInt16(0x0314)) + header + little(UInt16(0)) + little(UInt16(0))
      directory += little(UInt16(0)) + little(UInt32(file.isExecutable ? 0o100755 : 0o100644) << 16) + little(offset)
      directory += Array(path.utf8)
      count += 1
    }
    let start = UInt32(zip.count)
    zip += directory + little(end) + little(UInt32(0)) + little(count) + little(count)
    return zip + little(UInt32(directory.count)) + little(start) + little(UInt16(0))
  }

  /// What both headers of an entry have: version, flags (names are UTF-8), method, time, date, sum, sizes, lengths.
  private static func header(_ path: String, _ file: RenderedTree.File) -> [UInt8] {
    let sum = file.bytes.withUnsafeBytes { Checksum.crc32($0) }
    let size = little(UInt32(file.bytes.count))
    let fields = little(UInt16(20)) + little(UInt16(0x0800)) + little(UInt16(0)) + little(UInt16(0))
    return fields + little(UInt16(0x21)) + little(sum) + size + size + little(UInt16(path.utf8.count)) + [0, 0]
  }

  private static func little(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }

  /// Reads what `bytes(of:)` wrote.
  ///
  /// - Parameter file: What errors name.
  /// - Throws: `TemplateError` `template-base-malformed`, and of paths that no template makes.
  package static func tree(_ bytes: [UInt8], file: String) throws(TemplateError) -> RenderedTree {
    let entries: [Entry]
    do {
      entries = try bytes.withUnsafeBytes { try directory($0) }
    } catch {
      throw malformed(file)
    }
    var tree = RenderedTree()
    for entry in entries {
      guard let path = entry.path else { throw malformed(file) }
      try tree.add(.init(bytes: Array(bytes[entry.content]), isExecutable: entry.isExecutable), at: path, origin: file)
    }
    return tree
  }

  private struct Entry {
    /// nil where it is no UTF-8, or its content is not what its sum says.
    let path: String?
    let content: Range<Int>
    let isExecutable: Bool
  }

  private static func directory(_ buffer: UnsafeRawBufferPointer) throws -> [Entry] {
    var cursor = ByteCursor(buffer, at: buffer.count - 22)
    guard try cursor.u32() == end else { throw ByteError(code: .truncated, offset: cursor.offset) }
    try cursor.skip(6)
    let count = Int(try cursor.u16())
    try cursor.skip(4)
    cursor.offset = Int(try cursor.u32())
    var entries: [Entry] = []
    for _ in 0..<count { entries.append(try entry(&cursor)) }
    return entries
  }

  private static func entry(_ cursor: inout ByteCursor) throws -> Entry {
    let wrong = ByteError(code: .truncated, offset: cursor.offset)
    guard try cursor.u32() == central else { throw wrong }
    try cursor.skip(4)
    let (flags, method) = (try cursor.u16(), try cursor.u16())
    try cursor.skip(4)
    let (sum, packed, size) = (try cursor.u32(), try cursor.u32(), try cursor.u32())
    let (name, extra, comment) = (Int(try cursor.u16()), try cursor.u16(), try cursor.u16())
    try cursor.skip(4)
    let (attributes, offset) = (try cursor.u32(), Int(try cursor.u32()))
    guard flags == 0x0800, method == 0, packed == size, extra == 0, comment == 0 else { throw wrong }
    let path = Array(try cursor.bytes(name))
    var header = ByteCursor(cursor.buffer, at: offset)
    guard try header.u32() == local else { throw wrong }
    try header.skip(22)
    let lengths = (Int(try header.u16()), Int(try header.u16()))
    try header.skip(lengths.0 + lengths.1)
    let start = header.offset
    let content = try header.bytes(Int(size))
    let isWhole = Checksum.crc32(content) == sum
    return Entry(
      path: isWhole ? String(validating: path, as: UTF8.self) : nil, content: start..<start + Int(size),
      isExecutable: attributes >> 16 & 0o100 != 0)
  }

  private static func malformed(_ file: String) -> TemplateError {
    TemplateError(.baseMalformed, ["file": file], at: .file(file))
  }
}

extension CodedError<TemplateDomain>.Code {
  package static var baseMalformed: Self { malformed("template-base-malformed") }
}
