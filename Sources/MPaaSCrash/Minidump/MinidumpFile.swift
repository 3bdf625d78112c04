import MPaaSCrashReport
import MPaaSSupport

/// A minidump over its bytes: header and directory, and records as JSON by their layouts.
///
/// Records beyond the end of the file are left out and noted; a dump that was cut short gives what is there. Strings
/// and lists have limits: 65,536 records a list, 8,192 in all lists inside others, 64 KiB a string or unknown stream,
/// 16 MiB of both together.
final class MinidumpFile {
  static let magic: UInt32 = 0x504d_444d
  private static let mostStreams: UInt32 = 4096
  private static let mostRecords = 1 << 16
  private static let longest = 1 << 16

  struct Stream {
    let type: UInt32
    let offset: Int
    let size: Int
  }

  let bytes: UnsafeRawBufferPointer
  let isBigEndian: Bool
  private(set) var header: JSONValue.Object = [:]
  private(set) var streams: [Stream] = []
  /// The missing parts that the dump announces, in English sentences.
  private(set) var problems: [String] = []
  /// Bytes that strings and unknown data may still take.
  private var allowance = 16 << 20
  /// Records that lists inside others may still have: they can lie in each other, and few bytes be told of often.
  private var innerAllowance = 1 << 13

  static func recognises(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.starts(with: "MDMP".utf8) || bytes.starts(with: "PMDM".utf8)
  }

  init(_ bytes: UnsafeRawBufferPointer) throws(MinidumpError) {
    guard Self.recognises(bytes) else { throw MinidumpError(.badMagic, offset: 0) }
    self.bytes = bytes
    isBigEndian = bytes[0] == UInt8(ascii: "P")
    guard bytes.count >= MinidumpLayout.header.size else { throw MinidumpError(.truncated, offset: bytes.count) }
    header = record(.header, at: 0, end: bytes.count)
    let version: UInt32 = header["version"]?.integer() ?? 0
    guard version & 0xffff == 42_899 else { throw MinidumpError(.unknownVersion(version), offset: 4) }
    let count: UInt32 = header["stream_count"]?.integer() ?? 0
    guard count <= Self.mostStreams else { throw MinidumpError(.absurdCount(count), offset: 8) }
    let start: Int = header["stream_directory_rva"]?.integer() ?? 0
    guard start <= bytes.count, bytes.count - start >= Int(count) * 12 else {
      throw MinidumpError(.truncated, offset: min(start, bytes.count))
    }
    for index in 0..<Int(count) { addStream(at: start + index * 12) }
  }

  private func addStream(at offset: Int) {
    var cursor = ByteCursor(bytes, at: offset, bigEndian: isBigEndian)
    guard let type = try? cursor.u32(), let size = try? cursor.u32(), let place = try? cursor.u32() else { return }
    let start = min(Int(place), bytes.count)
    let there = min(Int(size), bytes.count - start)
    if there < Int(size) { problem("stream 0x\(String(type, radix: 16)) passes the end of the file") }
    streams.append(Stream(type: type, offset: start, size: there))
  }

  func problem(_ text: String) {
    if problems.count < 64, !problems.contains(text) { problems.append(text) }
  }

  func stream(_ type: UInt32) -> Stream? {
    streams.first { $0.type == type }
  }

  /// The bytes of a place in the file; nil, and noted, where they are not all there.
  func part(at offset: Int, size: Int, of what: String) -> UnsafeRawBufferPointer? {
    guard offset >= 0, size >= 0, offset <= bytes.count, bytes.count - offset >= size else {
      problem("\(what) passes the end of the file")
      return nil
    }
    return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + size])
  }

  func part(_ location: JSONValue?, of what: String) -> UnsafeRawBufferPointer? {
    guard let (offset, size) = Self.place(location), size > 0 else { return nil }
    return part(at: offset, size: size, of: what)
  }

  /// Offset and size of a location.
  static func place(_ location: JSONValue?) -> (offset: Int, size: Int)? {
    guard let object = location?.object, let offset: Int = object["rva"]?.integer(),
      let size: Int = object["size"]?.integer()
    else { return nil }
    return (offset, size)
  }

  /// Bytes as base64 as far as the allowance goes, else only their size.
  func raw(_ part: UnsafeRawBufferPointer) -> JSONValue {
    guard part.count <= Self.longest, take(part.count) else { return ["size": JSONValue(part.count)] }
    return .base64(part)
  }

  private func take(_ count: Int) -> Bool {
    allowance -= count
    if allowance < 0 { problem("more text and unknown data than are kept") }
    return allowance >= 0
  }
}

// MARK: - Records

extension MinidumpFile {
  /// The fields of a record that lie before `end`; a record that ends early has the first ones.
  func record(_ layout: MinidumpLayout, at offset: Int, end: Int) -> JSONValue.Object {
    var cursor = ByteCursor(
      UnsafeRawBufferPointer(rebasing: bytes[..<min(max(end, 0), bytes.count)]), at: offset, bigEndian: isBigEndian)
    var record: JSONValue.Object = [:]
    for (name, kind) in layout.fields {
      guard let value = try? value(kind, &cursor) else { break }
      if value != .null { record[name] = value }
    }
    return record
  }

  /// The records of a list: `count` of them from `offset` on, each `stride` bytes from the next.
  func records(
    _ layout: MinidumpLayout, at offset: Int, count: Int, stride: Int? = nil, end: Int
  ) -> [JSONValue.Object] {
    let stride = max(stride ?? layout.size, 1)
    guard offset >= 0, offset <= end, count > 0 else { return [] }
    let there = min(count, (end - offset) / stride, Self.mostRecords)
    if there < count { problem("a list of \(count) records is cut short after \(there)") }
    return (0..<there).map { index in
      let start = offset + index * stride
      return record(layout, at: start, end: min(start + stride, end))
    }
  }

  /// A list that begins with its number of records, which some writers fill up to eight bytes.
  func list(_ type: UInt32, _ layout: MinidumpLayout) -> [JSONValue.Object]? {
    guard let stream = stream(type) else { return nil }
    return list(at: stream.offset, size: stream.size, most: Self.mostRecords, layout)
  }

  /// A list that another record points to.
  func list(at offset: Int, size: Int, _ layout: MinidumpLayout) -> [JSONValue.Object] {
    let found = list(at: offset, size: size, most: innerAllowance, layout)
    innerAllowance -= found.count
    return found
  }

  private func list(at offset: Int, size: Int, most: Int, _ layout: MinidumpLayout) -> [JSONValue.Object] {
    guard let number = u32(offset) else { return [] }
    let count = min(Int(number), most)
    if count < number { problem("a list of \(number) records is cut short after \(count)") }
    let padding = Int(number) * layout.size + 8 == size ? 8 : 4
    return records(layout, at: offset + padding, count: count, end: min(offset + size, bytes.count))
  }

  /// A list that begins with the sizes of its head and its records, and their number.
  func sizedList(_ type: UInt32, _ layout: MinidumpLayout, wideCount: Bool = false) -> [JSONValue.Object]? {
    guard let stream = stream(type), let head = u32(stream.offset), let stride = u32(stream.offset + 4),
      let count = wideCount ? u64(stream.offset + 8) : u32(stream.offset + 8).map({ UInt64($0) })
    else { return nil }
    // Records that lie inside each other would make much of few bytes.
    guard Int(stride) >= layout.size else {
      problem("the records of stream 0x\(String(type, radix: 16)) are too small")
      return []
    }
    return records(
      layout, at: stream.offset + Int(head), count: Int(clamping: count), stride: Int(stride),
      end: stream.offset + stream.size)
  }

  private func u64(_ offset: Int) -> UInt64? {
    var cursor = ByteCursor(bytes, at: offset, bigEndian: isBigEndian)
    return try? cursor.u64()
  }

  func u32(_ offset: Int) -> UInt32? {
    var cursor = ByteCursor(bytes, at: offset, bigEndian: isBigEndian)
    return try? cursor.u32()
  }

  private func value(_ kind: MinidumpLayout.Kind, _ cursor: inout ByteCursor) throws(ByteError) -> JSONValue {
    switch kind {
    case .u8: return JSONValue(try cursor.u8())
    case .u16: return JSONValue(try cursor.u16())
    case .u32: return JSONValue(try cursor.u32())
    case .u64: return JSONValue(try cursor.u64())
    case .i32: return JSONValue(Int32(bitPattern: try cursor.u32()))
    case .numbers(let count):
      var numbers: [JSONValue] = []
      for _ in 0..<count { numbers.append(JSONValue(try cursor.u64())) }
      return .array(numbers)
    case .text(let count): return .string(units(try cursor.bytes(2 * count)))
    case .bytes(let count): return .base64(try cursor.bytes(count))
    case .guid: return .string(MinidumpIdentity.guid(try cursor.bytes(16), isBigEndian: isBigEndian))
    case .location:
      let size = try cursor.u32()
      return ["size": JSONValue(size), "rva": JSONValue(try cursor.u32())]
    case .name: return string(at: UInt64(try cursor.u32()), isWide: true)
    case .name64: return string(at: try cursor.u64(), isWide: true)
    case .utf8: return string(at: UInt64(try cursor.u32()), isWide: false)
    }
  }

  /// The string at an offset: its length in bytes, then UTF-16 or UTF-8; null where there is none.
  private func string(at offset: UInt64, isWide: Bool) -> JSONValue {
    guard offset != 0 else { return .null }
    guard let start = Int(exactly: offset), start < bytes.count, let length = u32(start),
      let text = part(at: start + 4, size: Int(length), of: "a string")
    else {
      problem("a string passes the end of the file")
      return .null
    }
    guard text.count <= Self.longest, take(text.count) else { return .null }
    return .string(isWide ? units(text) : String(utf8: text))
  }

  /// UTF-16 up to a NUL.
  private func units(_ text: UnsafeRawBufferPointer) -> String {
    var units: [UInt16] = []
    for index in 0..<text.count / 2 {
      let unit = text.loadUnaligned(fromByteOffset: 2 * index, as: UInt16.self)
      let value = isBigEndian ? UInt16(bigEndian: unit) : UInt16(littleEndian: unit)
      if value == 0 { break }
      units.append(value)
    }
    return String(decoding: units, as: UTF16.self)
  }
}
