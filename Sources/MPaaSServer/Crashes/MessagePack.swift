import MPaaSSupport

/// Reads MessagePack, in which Sentry's native SDK sends its event, as the JSON that it stands for.
///
/// - Source: "MessagePack specification", github.com/msgpack/msgpack/blob/master/spec.md.
struct MessagePack {
  private static let deepest = 64

  private let bytes: UnsafeRawBufferPointer
  private var place = 0

  /// The value that the bytes begin with; nil where they are damaged.
  ///
  /// Binary values and extensions become null.
  static func value(_ bytes: UnsafeRawBufferPointer) -> JSONValue? {
    var reader = MessagePack(bytes: bytes)
    return reader.value(depth: 0)
  }

  private init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  private mutating func value(depth: Int) -> JSONValue? {
    guard depth < Self.deepest, let first = number(1).map({ UInt8(truncatingIfNeeded: $0) }) else { return nil }
    switch first {
    case 0x00...0x7f: return .unsigned(UInt64(first))
    case 0x80...0x8f: return map(Int(first & 15), depth)
    case 0x90...0x9f: return array(Int(first & 15), depth)
    case 0xa0...0xbf: return text(Int(first & 31))
    case 0xc0: return .null
    case 0xc2, 0xc3: return .bool(first == 0xc3)
    case 0xc4...0xc6: return counted(1 << Int(first - 0xc4)).flatMap { skip($0) }
    case 0xc7...0xc9: return counted(1 << Int(first - 0xc7)).flatMap { skip($0 + 1) }
    case 0xca: return number(4).map { Double(Float(bitPattern: UInt32($0))) }.map { JSONValue($0) ?? .null }
    case 0xcb: return number(8).map { Double(bitPattern: $0) }.map { JSONValue($0) ?? .null }
    case 0xcc...0xcf: return number(1 << Int(first - 0xcc)).map(JSONValue.unsigned)
    case 0xd0...0xd3:
      let width = 1 << Int(first - 0xd0)
      return number(width).map { JSONValue(Int64(bitPattern: $0 << (64 - 8 * width)) >> (64 - 8 * width)) }
    case 0xd4...0xd8: return skip(1 + 1 << Int(first - 0xd4))
    case 0xd9...0xdb: return counted(1 << Int(first - 0xd9)).flatMap { text($0) }
    case 0xdc, 0xdd: return counted(2 << Int(first - 0xdc)).flatMap { array($0, depth) }
    case 0xde, 0xdf: return counted(2 << Int(first - 0xde)).flatMap { map($0, depth) }
    case 0xe0...0xff: return .negative(Int64(Int8(bitPattern: first)))
    default: return nil
    }
  }

  /// The next bytes as a number, the most significant first.
  private mutating func number(_ width: Int) -> UInt64? {
    guard width <= bytes.count - place else { return nil }
    defer { place += width }
    return bytes[place..<place + width].reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// A count of what follows, which takes at least a byte each.
  private mutating func counted(_ width: Int) -> Int? {
    guard let count = number(width), count <= bytes.count - place else { return nil }
    return Int(count)
  }

  private mutating func skip(_ count: Int) -> JSONValue? {
    guard count <= bytes.count - place else { return nil }
    place += count
    return .null
  }

  private mutating func text(_ count: Int) -> JSONValue? {
    guard count <= bytes.count - place else { return nil }
    defer { place += count }
    return .string(String(decoding: bytes[place..<place + count], as: UTF8.self))
  }

  private mutating func array(_ count: Int, _ depth: Int) -> JSONValue? {
    var values: [JSONValue] = []
    for _ in 0..<count {
      guard let value = value(depth: depth + 1) else { return nil }
      values.append(value)
    }
    return .array(values)
  }

  private mutating func map(_ count: Int, _ depth: Int) -> JSONValue? {
    var object: JSONValue.Object = [:]
    for _ in 0..<count {
      guard let key = value(depth: depth + 1), let value = value(depth: depth + 1) else { return nil }
      if let name = key.string { object[name] = value }
    }
    return .object(object)
  }
}
