import MPaaSSupport

/// The strings of an APK's table of resources (`resources.arsc`), which the manifest names by numbers.
///
/// Source: AOSP, `ResourceTypes.h`: `ResTable_header`, `ResTable_package`, `ResTable_type`, `ResTable_entry`.
struct ResourceTable {
  private let bytes: Bytes

  private enum Chunk {
    static let strings: UInt16 = 0x0001
    static let table: UInt16 = 0x0002
    static let package: UInt16 = 0x0200
    static let type: UInt16 = 0x0201
  }

  /// References that follow one another.
  private static let deepest = 8
  /// Values of one resource, for languages and devices.
  private static let mostValues = 4096

  init(_ bytes: Bytes) { self.bytes = bytes }

  /// The string of a resource, in the app's usual language; nil where it has none, or the table cannot be read.
  func string(_ id: UInt32) -> String? {
    withExtendedLifetime(bytes) { try? string(id, depth: 0) }
  }

  private func string(_ id: UInt32, depth: Int) throws(ByteError) -> String? {
    guard depth < Self.deepest,
      let outer = Self.chunks(in: bytes.buffer, from: 0).first(where: { $0.type == Chunk.table }),
      let strings = Self.chunks(in: outer.bytes, from: outer.header).first(where: { $0.type == Chunk.strings })
    else { return nil }
    for package in Self.chunks(in: outer.bytes, from: outer.header) where package.type == Chunk.package {
      var cursor = ByteCursor(package.bytes, at: 8)
      guard try cursor.u32() == id >> 24 else { continue }
      guard let value = try Self.value(id, in: package) else { continue }
      if value.kind == 1 { return try string(value.data, depth: depth + 1) }
      return value.kind == 3 ? try StringPool(strings.bytes)[Int(value.data)] : nil
    }
    return nil
  }

  private struct Part {
    let type: UInt16
    /// The size of the chunk's own header.
    let header: Int
    let bytes: UnsafeRawBufferPointer
  }

  /// The chunks of one, as far as they lie in it.
  private static func chunks(in bytes: UnsafeRawBufferPointer, from start: Int) -> UnfoldSequence<Part, Int> {
    sequence(state: start) { place in
      var cursor = ByteCursor(bytes, at: place)
      guard let type = try? cursor.u16(), let header = try? cursor.u16(), let size = try? cursor.u32(), size >= 8,
        Int(size) <= bytes.count - place, header >= 8, UInt32(header) <= size
      else { return nil }
      defer { place += Int(size) }
      return Part(
        type: type, header: Int(header), bytes: UnsafeRawBufferPointer(rebasing: bytes[place..<place + Int(size)]))
    }
  }

  private typealias Value = (kind: UInt8, data: UInt32)

  /// The value that holds in no special language, else the first.
  private static func value(_ id: UInt32, in package: Part) throws(ByteError) -> Value? {
    var first: Value?
    var seen = 0
    for type in chunks(in: package.bytes, from: package.header) where type.type == Chunk.type {
      var cursor = ByteCursor(type.bytes, at: 8)
      guard UInt32(try cursor.u8()) == id >> 16 & 0xff, let found = try value(Int(id & 0xffff), of: type) else {
        continue
      }
      // The size of the configuration, the codes of carriers, then the language and the country.
      cursor.offset = 20 + 8
      if try cursor.u32() == 0 { return found }
      first = first ?? found
      seen += 1
      if seen >= mostValues { break }
    }
    return first
  }

  private static func value(_ entry: Int, of type: Part) throws(ByteError) -> Value? {
    var cursor = ByteCursor(type.bytes, at: 9)
    let flags = try cursor.u8()
    try cursor.skip(2)
    let count = Int(try cursor.u32())
    let start = Int(try cursor.u32())
    guard let offset = try offset(entry, count, isSparse: flags & 1 != 0, isShort: flags & 2 != 0, type) else {
      return nil
    }
    var field = ByteCursor(type.bytes, at: start + offset)
    let size = Int(try field.u16())
    let kind = try field.u16()
    if kind & 8 != 0 {
      let data = try field.u32()
      return (UInt8(kind >> 8), data)
    }
    // Lists of values are no strings.
    guard kind & 1 == 0 else { return nil }
    field.offset = start + offset + size + 3
    let valueKind = try field.u8()
    return (valueKind, try field.u32())
  }

  private static func offset(
    _ entry: Int, _ count: Int, isSparse: Bool, isShort: Bool, _ type: Part
  ) throws(ByteError) -> Int? {
    if isSparse {
      var cursor = ByteCursor(type.bytes, at: type.header)
      for _ in 0..<min(count, 1 << 16) {
        let (index, offset) = (Int(try cursor.u16()), Int(try cursor.u16()) * 4)
        if index == entry { return offset }
      }
      return nil
    }
    guard entry < count else { return nil }
    var cursor = ByteCursor(type.bytes, at: type.header + entry * (isShort ? 2 : 4))
    if isShort {
      let offset = try cursor.u16()
      return offset == 0xffff ? nil : Int(offset) * 4
    }
    let offset = try cursor.u32()
    return offset == 0xffff_ffff ? nil : Int(offset)
  }
}
