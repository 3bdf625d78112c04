package import MPaaSSupport

/// The file of an index: everything that a search needs, mapped and used as it lies there (Documentation/PinyinSearch.md
/// has the format).
extension PinyinIndex {
  /// The version of the format that this code reads and writes.
  package static let formatVersion: UInt32 = 1
  private static let magic: UInt32 = 0x4958_504D  // "MPXI"

  /// Writes the index to a file, beside it first and then renamed into place.
  ///
  /// - Throws: What stands in the way of writing there.
  public func write(to path: String) throws {
    try fileBytes().write(to: path)
  }

  /// Opens a file that `write` made; its memory is the file's, which must not be changed meanwhile, only replaced.
  ///
  /// - Throws: `PinyinError` where the file is no index, of another version, or damaged; else what stands in the way of
  ///   reading it.
  public init(mapping path: String) throws {
    try self.init(file: try Bytes.mapping(path))
  }

  /// The index as one file: texts, numbers, readings and pairs.
  ///
  /// An index that texts were added to or taken from is compacted first.
  package func fileBytes() -> Bytes {
    let whole = compacted()
    guard whole.layers.count < 2 else { return .empty }
    let segment =
      whole.layers.first?.segment
      ?? IndexBuilder.segment(of: [String](), groups: [], readings, folding, layout)
    let numbers = whole.layers.first?.numbers?.map { UInt64($0) } ?? []
    let names = readings.spellings.names.map { [UInt32($0.count)] + $0 }
    let parts = segment.parts + [Bytes(copying: numbers), Bytes(copying: Array(names.joined()))]
    return Self.file(parts, next: next, first: whole.layers.first?.first ?? 0, folding: folding.kinds)
  }

  private static func file(_ parts: [Bytes], next: Int, first: Int, folding: PinyinFolding) -> Bytes {
    let head = 48 + parts.count * 24
    var offset = (head + 15) & ~15
    var table: [UInt8] = []
    var places: [Int] = []
    for part in parts {
      places.append(offset)
      for value in [UInt64(offset), UInt64(part.count), digest(part.buffer)] { table += value.littleEndianBytes }
      offset = (offset + part.count + 15) & ~15
    }
    var header = magic.littleEndianBytes + formatVersion.littleEndianBytes
    header += UInt32(parts.count).littleEndianBytes + UInt32(folding.rawValue).littleEndianBytes
    header += UInt64(next).littleEndianBytes + UInt64(first).littleEndianBytes + UInt64(offset).littleEndianBytes
    let sum = (header + table).withUnsafeBytes { digest($0) }
    header += sum.littleEndianBytes
    return Bytes(capacity: offset) { target in
      target.initializeMemory(as: UInt8.self, repeating: 0)
      target.copyBytes(from: header + table)
      for (place, part) in zip(places, parts) where !part.isEmpty {
        UnsafeMutableRawBufferPointer(rebasing: target[place..<place + part.count]).copyMemory(from: part.buffer)
      }
      return offset
    }
  }

  /// Opens the file of an index; it is checked from end to end, then used where it lies.
  ///
  /// - Parameter bytes: The whole file, mapped.
  /// - Throws: `PinyinError`: no index, another version, or damaged, with the offset.
  package init(file bytes: Bytes) throws(PinyinError) {
    let header = try Self.header(bytes)
    var parts: [Bytes] = []
    for index in 0..<header.count {
      let entry = 48 + index * 24
      guard let offset: UInt64 = bytes.number(at: entry), let size: UInt64 = bytes.number(at: entry + 8),
        let sum: UInt64 = bytes.number(at: entry + 16), offset % 16 == 0,
        let part = bytes.slice(at: offset, size: size), Self.digest(part.buffer) == sum
      else { throw PinyinError(.indexDamaged, ["offset": "\(entry)"]) }
      parts.append(part)
    }
    guard let spellings = Self.spellings(parts[header.count - 1]) else {
      throw PinyinError(.indexDamaged, ["offset": "\(48 + (header.count - 1) * 24)"])
    }
    let layout = KeyLayout(spellings)
    let segment = IndexSegment(Array(parts.prefix(IndexSegment.Part.allCases.count)), layout: layout)
    if let part = segment.damage {
      throw PinyinError(.indexDamaged, ["offset": "\(bytes.number(at: 48 + part.rawValue * 24) ?? UInt64(0))"])
    }
    let numbers = parts[header.count - 2].buffer.bindMemory(to: UInt64.self).map { Int(truncatingIfNeeded: $0) }
    guard Self.fits(numbers, segment, header) else {
      throw PinyinError(.indexDamaged, ["offset": "\(48 + (header.count - 2) * 24)"])
    }
    let layer = Layer(segment: segment, first: header.first, numbers: numbers.isEmpty ? nil : numbers)
    self.init(
      layers: segment.textCount > 0 ? [layer] : [], next: header.next,
      readings: SearchReadings(spellings, of: segment), folding: SearchFolding(kinds: header.folding), layout: layout)
  }

  private struct Header {
    let count: Int
    let folding: PinyinFolding
    let next: Int
    let first: Int
  }

  private static func header(_ bytes: Bytes) throws(PinyinError) -> Header {
    guard bytes.number(at: 0) == magic else { throw PinyinError(.notIndex) }
    guard let version: UInt32 = bytes.number(at: 4) else { throw PinyinError(.indexDamaged, ["offset": "4"]) }
    guard version == formatVersion else {
      throw PinyinError(.indexVersion, ["found": "\(version)", "read": "\(formatVersion)"])
    }
    let count = IndexSegment.Part.allCases.count + 2
    let head = 48 + count * 24
    guard bytes.number(at: 8) == UInt32(count), let folding: UInt32 = bytes.number(at: 12),
      let next: UInt64 = bytes.number(at: 16), let first: UInt64 = bytes.number(at: 24),
      bytes.number(at: 32) == UInt64(bytes.count), let sum: UInt64 = bytes.number(at: 40), head <= bytes.count,
      next < 1 << 60, first <= next, folding <= 7
    else { throw PinyinError(.indexDamaged, ["offset": "8"]) }
    let covered = [UInt8](bytes.buffer[0..<40]) + [UInt8](bytes.buffer[48..<head])
    guard covered.withUnsafeBytes({ digest($0) }) == sum else {
      throw PinyinError(.indexDamaged, ["offset": "40"])
    }
    return Header(
      count: count, folding: PinyinFolding(rawValue: UInt8(folding)), next: Int(next), first: Int(first))
  }

  private static func fits(_ numbers: [Int], _ segment: IndexSegment, _ header: Header) -> Bool {
    guard !numbers.isEmpty else { return segment.textCount <= header.next - header.first }
    guard numbers.count == segment.textCount, let last = numbers.last, last < header.next else { return false }
    return numbers[0] >= 0 && zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }
  }

  private static func spellings(_ bytes: Bytes) -> Spellings? {
    var values = bytes.buffer.bindMemory(to: UInt32.self)[...]
    var names: Set<String> = []
    while let count = values.popFirst() {
      guard 1...Spellings.longest ~= Int(count), values.count >= Int(count) else { return nil }
      let scalars = values.prefix(Int(count)).compactMap { Unicode.Scalar($0) }
      guard scalars.count == Int(count) else { return nil }
      names.insert(String(String.UnicodeScalarView(scalars)))
      values = values.dropFirst(Int(count))
    }
    guard names.count <= Spellings.most else { return nil }
    return Spellings(names)
  }

  /// A quick checksum of 64 bits: four lanes of products, eight bytes at a time.
  static func digest(_ buffer: UnsafeRawBufferPointer) -> UInt64 {
    var (a, b, c, d): (UInt64, UInt64, UInt64, UInt64) = (1, 2, 3, 4)
    let factor: UInt64 = 0x9E37_79B9_7F4A_7C15
    var offset = 0
    while buffer.count - offset >= 32 {
      func word(_ index: Int) -> UInt64 {
        UInt64(littleEndian: buffer.loadUnaligned(fromByteOffset: offset + index * 8, as: UInt64.self))
      }
      a = (a ^ word(0)) &* factor
      b = (b ^ word(1)) &* factor
      c = (c ^ word(2)) &* factor
      d = (d ^ word(3)) &* factor
      a ^= a >> 29
      b ^= b >> 29
      c ^= c >> 29
      d ^= d >> 29
      offset += 32
    }
    while offset < buffer.count {
      a = (a ^ UInt64(buffer[offset])) &* factor
      a ^= a >> 29
      offset += 1
    }
    return [b, c, d, UInt64(buffer.count)].reduce(a) { ($0 ^ $1) &* factor ^ $0 >> 31 }
  }
}

extension Bytes {
  /// A little-endian number; nil where it does not lie inside.
  fileprivate func number<Number: FixedWidthInteger & BitwiseCopyable>(at offset: Int) -> Number? {
    guard offset >= 0, offset + MemoryLayout<Number>.size <= count else { return nil }
    return Number(littleEndian: buffer.loadUnaligned(fromByteOffset: offset, as: Number.self))
  }
}

extension FixedWidthInteger {
  fileprivate var littleEndianBytes: [UInt8] { withUnsafeBytes(of: littleEndian) { [UInt8]($0) } }
}

extension PinyinError.Code {
  /// A file that is no index.
  static var notIndex: Self { .malformed("pinyin-index-unknown") }
  /// An index of another version of the format: `found` and `read`.
  static var indexVersion: Self { .malformed("pinyin-index-version") }
  /// An index that is cut off or contradicts itself; `offset` is where.
  static var indexDamaged: Self { .malformed("pinyin-index-damaged") }
}
