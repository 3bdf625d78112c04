import MPaaSSupport

/// Reads the entries of a call frame section one after another.
struct CallFrameReader {
  private let section: CallFrameTable.Section
  private(set) var entries: [CallFrameTable.Entry] = []
  private(set) var commons: [CallFrameCommon] = []
  /// Index in `commons` by offset in the section; -1 for one that cannot be read.
  private var places: [Int: Int] = [:]

  init(_ section: CallFrameTable.Section) {
    self.section = section
  }

  /// An entry's place: its length field is read.
  private struct Header {
    let start: Int
    let end: Int
    let is64: Bool
    /// The offset of the CIE's identifier or of the pointer to it.
    let idOffset: Int
    let id: UInt64
  }

  mutating func read() {
    var offset = 0
    while let header = header(at: offset) {
      offset = header.end
      if isCommon(header) {
        _ = common(at: header.start)
      } else {
        readEntry(header)
      }
    }
  }

  private func cursor(at offset: Int, end: Int = .max) -> SectionCursor {
    SectionCursor(section.bytes.buffer, at: offset, end: end, bigEndian: section.isBigEndian)
  }

  /// The next entry from `offset` on; lists that were joined have ends between them, which are stepped over.
  private func header(at offset: Int) -> Header? {
    var cursor = cursor(at: offset)
    while !cursor.isAtEnd {
      let start = cursor.offset
      let (length, is64) = cursor.initialLength()
      if length == 0, !is64, !cursor.isBroken { continue }
      let idOffset = cursor.offset
      guard !cursor.isBroken, length <= UInt64(section.bytes.count - idOffset) else { return nil }
      let end = idOffset + Int(length)
      let id = cursor.sectionOffset(is64: is64)
      guard !cursor.isBroken, cursor.offset <= end else { return nil }
      return Header(start: start, end: end, is64: is64, idOffset: idOffset, id: id)
    }
    return nil
  }

  private func isCommon(_ header: Header) -> Bool {
    switch section.kind {
    case .ehFrame: header.id == 0
    case .debugFrame: header.id == (header.is64 ? UInt64.max : 0xffff_ffff)
    }
  }

  /// Index of the CIE at an offset; read when it is first needed.
  private mutating func common(at offset: Int) -> Int? {
    if let known = places[offset] { return known < 0 ? nil : known }
    places[offset] = -1
    guard let header = header(at: offset), header.start == offset, isCommon(header),
      let common = readCommon(header)
    else { return nil }
    places[offset] = commons.count
    commons.append(common)
    return commons.count - 1
  }

  private func readCommon(_ header: Header) -> CallFrameCommon? {
    var cursor = cursor(at: header.idOffset + (header.is64 ? 8 : 4), end: header.end)
    var common = CallFrameCommon()
    common.addressSize = UInt8(section.addressSize)
    let version = cursor.u8()
    guard version == 1 || version == 3 || version == 4 else { return nil }
    let nameStart = cursor.offset
    cursor.skipString()
    guard !cursor.isBroken else { return nil }
    let augmentation = section.bytes.buffer[nameStart..<cursor.offset - 1]
    if version == 4 {
      common.addressSize = cursor.u8()
      common.segmentSize = cursor.u8()
    }
    if augmentation.elementsEqual("eh".utf8) { cursor.skip(section.addressSize) }
    common.codeAlignment = cursor.uleb()
    common.dataAlignment = cursor.sleb()
    common.returnAddress = version == 1 ? Int(cursor.u8()) : Int(truncatingIfNeeded: cursor.uleb() & 0xffff)
    guard readAugmentation(augmentation, &cursor, &common), !cursor.isBroken else { return nil }
    common.program = cursor.offset..<header.end
    return common
  }

  /// Reads what the letters of the augmentation announce; false where it cannot be told what follows.
  private func readAugmentation(
    _ letters: Slice<UnsafeRawBufferPointer>, _ cursor: inout SectionCursor, _ common: inout CallFrameCommon
  ) -> Bool {
    guard letters.first == UInt8(ascii: "z") else { return letters.isEmpty || letters.elementsEqual("eh".utf8) }
    common.hasAugmentationData = true
    let size = cursor.uleb()
    guard size <= UInt64(cursor.end - cursor.offset) else { return false }
    let end = cursor.offset + Int(size)
    letters: for letter in letters.dropFirst() {
      switch letter {
      case UInt8(ascii: "L"): _ = cursor.u8()
      case UInt8(ascii: "P"): _ = pointer(cursor.u8() & 0x7f, &cursor, common)
      case UInt8(ascii: "R"): common.encoding = cursor.u8()
      case UInt8(ascii: "S"): common.isSignalFrame = true
      case UInt8(ascii: "B"), UInt8(ascii: "G"): continue
      default: break letters
      }
    }
    cursor.move(to: end)
    return true
  }

  private mutating func readEntry(_ header: Header) {
    let place: Int
    switch section.kind {
    case .ehFrame:
      guard header.id <= UInt64(header.idOffset) else { return }
      place = header.idOffset - Int(header.id)
    case .debugFrame:
      guard let offset = Int(exactly: header.id) else { return }
      place = offset
    }
    guard let index = common(at: place) else { return }
    let common = commons[index]
    var cursor = cursor(at: header.idOffset + (header.is64 ? 8 : 4), end: header.end)
    cursor.skip(Int(common.segmentSize))
    guard let start = pointer(common.encoding, &cursor, common),
      let size = pointer(common.encoding & 0x0f, &cursor, common)
    else { return }
    if common.hasAugmentationData { cursor.skip(cursor.uleb()) }
    let (end, overflow) = start.addingReportingOverflow(size)
    guard !cursor.isBroken, size > 0, !overflow else { return }
    entries.append(
      CallFrameTable.Entry(
        addresses: start..<end, offset: header.start, program: cursor.offset..<header.end, common: index))
  }

  /// An address in one of the forms of exception frames; nil where it would have to be read from memory.
  private func pointer(_ encoding: UInt8, _ cursor: inout SectionCursor, _ common: CallFrameCommon) -> UInt64? {
    CallFramePointer.read(encoding, &cursor, section, addressSize: common.addressSize)
  }
}

/// Pointers as exception frames write them.
///
/// - Source: LSB Core, "DWARF Exception Header Encoding".
enum CallFramePointer {
  static func read(
    _ encoding: UInt8, _ cursor: inout SectionCursor, _ section: CallFrameTable.Section, addressSize: UInt8
  ) -> UInt64? {
    guard encoding != 0xff, encoding & 0x80 == 0 else { return nil }
    let place = section.address &+ UInt64(cursor.offset)
    let value: UInt64
    switch encoding & 0x0f {
    case 0x00: value = cursor.unsigned(size: addressSize)
    case 0x01: value = cursor.uleb()
    case 0x02: value = UInt64(cursor.u16())
    case 0x03: value = UInt64(cursor.u32())
    case 0x04, 0x0c: value = cursor.u64()
    case 0x09: value = UInt64(bitPattern: cursor.sleb())
    case 0x0a: value = UInt64(bitPattern: Int64(Int16(bitPattern: cursor.u16())))
    case 0x0b: value = UInt64(bitPattern: Int64(Int32(bitPattern: cursor.u32())))
    default: return nil
    }
    guard !cursor.isBroken else { return nil }
    let base: UInt64
    switch encoding & 0x70 {
    case 0x00: base = 0
    case 0x10: base = place
    case 0x20: base = section.textAddress
    case 0x30: base = section.dataAddress
    default: return nil
    }
    let sum = base &+ value
    return addressSize == 4 ? sum & 0xffff_ffff : sum
  }
}
