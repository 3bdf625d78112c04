import MPaaSCrashReport
import MPaaSSupport

/// The fields of one protobuf message as they stand in the bytes; what they mean is for the caller to know.
///
/// - Source: protobuf.dev, "Encoding": varints, 64-bit, length-delimited, groups, 32-bit.
struct WireMessage {
  enum Value {
    case number(UInt64)
    case bytes(UnsafeRawBufferPointer)
    /// 32 or 64 bits of fixed size, or a group: nothing that a report has today.
    case other
  }

  /// More messages of one field than any report has.
  private static let most = 65_536

  struct Field {
    let number: UInt64
    let value: Value
    /// The whole field with its tag.
    let raw: UnsafeRawBufferPointer
    /// The place of the value, from the start of the file.
    let offset: Int
  }

  let fields: [Field]
  /// From the start of the file.
  let offset: Int

  /// - Parameter offset: Where the bytes begin in the file, for errors.
  init(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(PLCrashError) {
    self.offset = offset
    var cursor = ByteCursor(bytes)
    var fields: [Field] = []
    do throws(ByteError) {
      while !cursor.isAtEnd { fields.append(try Self.field(&cursor, base: offset)) }
    } catch {
      throw PLCrashError(error.code == .truncated ? .truncated : .malformed, offset: offset + error.offset)
    }
    self.fields = fields
  }

  private static func field(_ cursor: inout ByteCursor, base: Int) throws(ByteError) -> Field {
    let start = cursor.offset
    let tag = try cursor.uleb()
    guard tag >> 3 > 0 else { throw ByteError(code: .overlongNumber, offset: start) }
    let place = base + cursor.offset
    let (value, begin) = try self.value(&cursor, tag)
    let raw = UnsafeRawBufferPointer(rebasing: cursor.buffer[start..<cursor.offset])
    return Field(number: tag >> 3, value: value, raw: raw, offset: begin.map { base + $0 } ?? place)
  }

  /// The value after a tag, and where the contents of a length-delimited one begin.
  private static func value(_ cursor: inout ByteCursor, _ tag: UInt64) throws(ByteError) -> (Value, Int?) {
    switch tag & 7 {
    case 0: return (.number(try cursor.uleb()), nil)
    case 2:
      let size = try cursor.uleb()
      let begin = cursor.offset
      guard let count = Int(exactly: size) else { throw ByteError(code: .truncated, offset: begin) }
      return (.bytes(try cursor.bytes(count)), begin)
    default:
      try skip(&cursor, tag)
      return (.other, nil)
    }
  }

  /// Steps over a value of fixed size or a group; groups inside groups are counted, not descended into.
  private static func skip(_ cursor: inout ByteCursor, _ tag: UInt64) throws(ByteError) {
    var open = 0
    var tag = tag
    while true {
      switch tag & 7 {
      case 0: _ = try cursor.uleb()
      case 1: try cursor.skip(8)
      case 2: try cursor.skip(try cursor.uleb())
      case 3: open += 1
      case 4 where open > 0: open -= 1
      case 5: try cursor.skip(4)
      default: throw ByteError(code: .overlongNumber, offset: cursor.offset)
      }
      if open == 0 { return }
      tag = try cursor.uleb()
    }
  }
}

extension WireMessage {
  /// The last number of a field; nil where it is absent.
  func number(_ field: UInt64) -> UInt64? {
    for candidate in fields.reversed() where candidate.number == field {
      if case .number(let value) = candidate.value { return value }
    }
    return nil
  }

  func numbers(_ field: UInt64) -> [UInt64] {
    fields.compactMap { candidate in
      if candidate.number == field, case .number(let value) = candidate.value { value } else { nil }
    }
  }

  func bytes(_ field: UInt64) -> UnsafeRawBufferPointer? {
    parts(field).last?.0
  }

  func string(_ field: UInt64) -> String? {
    bytes(field).map { String(utf8: $0) }
  }

  /// The messages of a field; a single one is the last of them.
  ///
  /// - Throws: `PLCrashError` for what is no message, and where there are more than any report has.
  func messages(_ field: UInt64) throws(PLCrashError) -> [WireMessage] {
    let parts = parts(field)
    if parts.count > Self.most { throw PLCrashError(.tooLarge, offset: parts[Self.most].1) }
    return try parts.map { part throws(PLCrashError) in try WireMessage(part.0, at: part.1) }
  }

  private func parts(_ field: UInt64) -> [(UnsafeRawBufferPointer, Int)] {
    fields.compactMap { candidate in
      if candidate.number == field, case .bytes(let value) = candidate.value { (value, candidate.offset) } else { nil }
    }
  }

  /// The fields, with their tags, that are none of those named.
  func unknown(numbers: Set<UInt64> = [], bytes: Set<UInt64> = []) -> [UnsafeRawBufferPointer] {
    fields.compactMap { field in
      switch field.value {
      case .number where numbers.contains(field.number): nil
      case .bytes where bytes.contains(field.number): nil
      default: field.raw
      }
    }
  }

  /// The numbers of the fields in the order in which they first stand.
  var order: [UInt64] {
    var seen: Set<UInt64> = []
    return fields.map(\.number).filter { seen.insert($0).inserted }
  }
}

/// Writes the fields of a protobuf message, in the order in which they are given or in another one that was read.
struct WireWriter {
  private var fields: [(number: UInt64, bytes: [UInt8])] = []

  mutating func number(_ field: UInt64, _ value: UInt64?) {
    guard let value else { return }
    var bytes: [UInt8] = []
    Self.append(field << 3, to: &bytes)
    Self.append(value, to: &bytes)
    fields.append((field, bytes))
  }

  mutating func bytes(_ field: UInt64, _ value: some Collection<UInt8>) {
    var bytes: [UInt8] = []
    Self.append(field << 3 | 2, to: &bytes)
    Self.append(UInt64(value.count), to: &bytes)
    fields.append((field, bytes + value))
  }

  mutating func string(_ field: UInt64, _ value: String?) {
    if let value { bytes(field, value.utf8) }
  }

  /// Fields with their tags, as they were read; they stand last, unless an order says otherwise.
  mutating func raw(_ fields: [[UInt8]]) {
    for bytes in fields {
      var tag: UInt64 = 0
      for (index, byte) in bytes.prefix(9).enumerated() {
        tag |= UInt64(byte & 0x7f) << (7 * UInt64(index))
        if byte < 0x80 { break }
      }
      self.fields.append((tag >> 3, bytes))
    }
  }

  /// The message; fields that `order` does not name follow those that it does.
  func message(order: [UInt64] = []) -> [UInt8] {
    guard !order.isEmpty else { return fields.flatMap(\.bytes) }
    let places = Dictionary(order.enumerated().map { ($1, $0) }) { first, _ in first }
    let sorted = fields.enumerated().sorted { left, right in
      (places[left.element.number] ?? .max, left.offset) < (places[right.element.number] ?? .max, right.offset)
    }
    return sorted.flatMap(\.element.bytes)
  }

  private static func append(_ value: UInt64, to bytes: inout [UInt8]) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(rest & 0x7f) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}
