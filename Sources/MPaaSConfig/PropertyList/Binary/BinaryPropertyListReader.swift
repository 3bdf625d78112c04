import MPaaSSupport

/// Reads a binary property list.
///
/// Source: CFBinaryPList.c of swift-corelibs-foundation, which describes the format at its beginning. Sets are read as
/// arrays, since no other format has them; so are ordered sets.
struct BinaryPropertyListReader {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let file: String
  private let trailer: BinaryPropertyListTrailer
  /// Texts that were read, by the number of their object: keys stand in many dictionaries.
  private var texts: [String?]
  private var data: [Int: [UInt8]] = [:]
  /// Tells whether an object is being read: what it holds may not be itself.
  private var isOpen: [Bool]
  /// The number of values that may still come, and of bytes of texts and data, where objects are referred to
  /// repeatedly.
  private var valuesLeft: Int
  private var bytesLeft: Int

  static func read(_ bytes: [UInt8], file: String) throws(ConfigError) -> PropertyListValue {
    try bytes.withUnsafeBufferPointer { (bytes) throws(ConfigError) in
      let trailer = try BinaryPropertyListTrailer(bytes, file: file)
      var reader = BinaryPropertyListReader(bytes, file, trailer)
      return try reader.value(trailer.top, depth: 0)
    }
  }

  private init(_ bytes: UnsafeBufferPointer<UInt8>, _ file: String, _ trailer: BinaryPropertyListTrailer) {
    self.bytes = bytes
    self.file = file
    self.trailer = trailer
    texts = Array(repeating: nil, count: trailer.count)
    isOpen = Array(repeating: false, count: trailer.count)
    valuesLeft = 1 << 17 + 8 * min(bytes.count, 1 << 40)
    bytesLeft = 1 << 28 + 64 * min(bytes.count, 1 << 40)
  }

  private func error(_ code: ConfigError.Code, _ values: [String: String] = [:], at offset: Int) -> ConfigError {
    ConfigError(code, values.merging(["file": file]) { $1 }, at: .bytes(file: file, offset: UInt64(max(offset, 0))))
  }

  private func number(at offset: Int, size: Int) -> UInt64 {
    var value: UInt64 = 0
    for index in offset..<offset + size { value = value << 8 | UInt64(bytes[index]) }
    return value
  }

  /// The offset at which an object begins.
  private func offset(of object: Int) throws(ConfigError) -> Int {
    let place = trailer.table + object * trailer.offsetSize
    let offset = number(at: place, size: trailer.offsetSize)
    guard offset >= 8, offset < UInt64(trailer.end) else {
      throw error(.plistBinaryReference, ["object": "\(object)", "target": "\(offset)"], at: place)
    }
    return Int(offset)
  }

  private func reference(at offset: Int) throws(ConfigError) -> Int {
    let object = number(at: offset, size: trailer.referenceSize)
    guard object < UInt64(trailer.count) else {
      throw error(
        .plistBinaryReference, ["object": "\(object)", "target": "\(trailer.count)"], at: offset)
    }
    return Int(object)
  }

  /// An object's first byte and the count behind it, understood.
  private struct Head {
    let start: Int
    let marker: UInt8
    /// The offset at which the content begins.
    let content: Int
    let count: Int
  }

  private func head(of object: Int) throws(ConfigError) -> Head {
    let start = try offset(of: object)
    let marker = bytes[start]
    guard marker & 0x0f == 0x0f, marker >= 0x40, marker >> 4 != 8 else {
      return Head(start: start, marker: marker, content: start + 1, count: Int(marker & 0x0f))
    }
    guard start + 1 < trailer.end else { throw truncated(start) }
    let kind = bytes[start + 1]
    guard kind & 0xf0 == 0x10, kind & 0x0f <= 3 else { throw unknown(start, kind) }
    let size = 1 << Int(kind & 0x0f)
    guard trailer.end - start - 2 >= size else { throw truncated(start) }
    let count = number(at: start + 2, size: size)
    guard count <= UInt64(bytes.count) else { throw truncated(start) }
    return Head(start: start, marker: marker, content: start + 2 + size, count: Int(count))
  }

  private func truncated(_ offset: Int) -> ConfigError { error(.plistBinaryTruncated, at: offset) }

  private func unknown(_ offset: Int, _ marker: UInt8) -> ConfigError {
    error(.plistBinaryObject, ["marker": "0x" + String(marker, radix: 16)], at: offset)
  }

  /// The content of an object of `size` bytes an element.
  private func content(_ head: Head, size: Int) throws(ConfigError) -> Range<Int> {
    let (length, overflow) = head.count.multipliedReportingOverflow(by: size)
    guard !overflow, length <= trailer.end - head.content else { throw truncated(head.start) }
    return head.content..<head.content + length
  }

  private mutating func spend(_ count: Int, at offset: Int) throws(ConfigError) {
    valuesLeft -= 1
    bytesLeft -= count
    guard valuesLeft >= 0, bytesLeft >= 0 else { throw error(.plistTooLarge, at: offset) }
  }
}

// MARK: Objects

extension BinaryPropertyListReader {
  private mutating func value(_ object: Int, depth: Int) throws(ConfigError) -> PropertyListValue {
    let head = try head(of: object)
    switch head.marker >> 4 {
    case 0xd, 0xa, 0xb, 0xc: return try container(object, head, depth)
    case 5, 6, 7:
      let text = try text(object, head)
      try spend(text.utf8.count, at: head.start)
      return PropertyListValue(.string(text), span: head.start..<head.content, inside: nil)
    case 4:
      let range = try content(head, size: 1)
      try spend(range.count, at: head.start)
      let known = data[object] ?? Array(bytes[range])
      data[object] = known
      return PropertyListValue(.data(known), span: head.start..<range.upperBound, inside: nil)
    default:
      try spend(0, at: head.start)
      return try simple(head)
    }
  }

  private func simple(_ head: Head) throws(ConfigError) -> PropertyListValue {
    let size: Int
    switch head.marker {
    case 0x08, 0x09: size = 0
    case 0x10...0x14, 0x22, 0x23, 0x33: size = 1 << head.count
    case 0x80...0x8f: size = head.count + 1
    default: throw unknown(head.start, head.marker)
    }
    let end = head.content + size
    guard end <= trailer.end else { throw truncated(head.start) }
    let content: PropertyListValue.Content?
    switch head.marker {
    case 0x08, 0x09: content = .boolean(head.marker == 0x09)
    case 0x10...0x12: content = .integer(PropertyListInteger(number(at: head.content, size: size)))
    case 0x13: content = .integer(PropertyListInteger(Int64(bitPattern: number(at: head.content, size: 8))))
    case 0x14:
      let high = Int64(bitPattern: number(at: head.content, size: 8))
      let low = number(at: head.content + 8, size: 8)
      content = .integer(PropertyListInteger(high: high, low: low))
    case 0x22: content = .real(Double(Float(bitPattern: UInt32(number(at: head.content, size: 4)))))
    case 0x23: content = .real(Double(bitPattern: number(at: head.content, size: 8)))
    case 0x33:
      content = PropertyListDate(secondsSince2001: Double(bitPattern: number(at: head.content, size: 8)))
        .map { .date($0) }
    default:
      let leading = max(0, size - 8)
      let isSmall = bytes[head.content..<head.content + leading].allSatisfy { $0 == 0 }
      content = isSmall ? .uid(number(at: head.content + leading, size: size - leading)) : nil
    }
    guard let content else { throw unknown(head.start, head.marker) }
    return PropertyListValue(content, span: head.start..<end, inside: nil)
  }

  private mutating func text(_ object: Int, _ head: Head) throws(ConfigError) -> String {
    if let known = texts[object] { return known }
    let range = try content(head, size: head.marker >> 4 == 6 ? 2 : 1)
    let part = UnsafeBufferPointer(rebasing: bytes[range])
    let text: String?
    switch head.marker >> 4 {
    case 5: text = UTF8Check.isASCII(part) ? String(decoding: part, as: UTF8.self) : nil
    case 6: text = UTF16Text.string(bigEndian: part)
    default: text = UTF8Check.firstInvalid(part) == nil ? String(decoding: part, as: UTF8.self) : nil
    }
    guard let text else { throw error(.plistBinaryText, at: head.start) }
    texts[object] = text
    return text
  }

  private mutating func container(_ object: Int, _ head: Head, _ depth: Int) throws(ConfigError) -> PropertyListValue {
    guard !isOpen[object] else { throw error(.plistBinaryCycle, ["object": "\(object)"], at: head.start) }
    guard depth < PropertyListReader.deepest else {
      throw error(.plistTooDeep, ["limit": "\(PropertyListReader.deepest)"], at: head.start)
    }
    isOpen[object] = true
    defer { isOpen[object] = false }
    try spend(0, at: head.start)
    let isDictionary = head.marker >> 4 == 0xd
    let size = trailer.referenceSize
    let range = try content(head, size: isDictionary ? 2 * size : size)
    guard head.count <= valuesLeft else { throw error(.plistTooLarge, at: head.start) }
    let content: PropertyListValue.Content
    if isDictionary {
      var members: [PropertyListMember] = []
      members.reserveCapacity(head.count)
      for index in 0..<head.count {
        let place = head.content + index * size
        let key = try reference(at: place)
        let keyHead = try self.head(of: key)
        guard (5...7).contains(keyHead.marker >> 4) else {
          throw error(.plistBinaryKey, ["object": "\(key)"], at: keyHead.start)
        }
        let text = try text(key, keyHead)
        let value = try value(try reference(at: place + head.count * size), depth: depth + 1)
        members.append(PropertyListMember(text, value, keySpan: keyHead.start..<keyHead.content))
      }
      content = .dictionary(members)
    } else {
      var values: [PropertyListValue] = []
      values.reserveCapacity(head.count)
      for index in 0..<head.count {
        values.append(try value(try reference(at: head.content + index * size), depth: depth + 1))
      }
      content = .array(values)
    }
    return PropertyListValue(content, span: head.start..<range.upperBound, inside: nil)
  }
}
