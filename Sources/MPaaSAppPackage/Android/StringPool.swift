import MPaaSSupport

/// The strings of a compiled file of Android's, in UTF-8 or UTF-16.
///
/// Source: AOSP, `ResourceTypes.h`: `ResStringPool_header`.
struct StringPool {
  private let chunk: UnsafeRawBufferPointer
  private let count: Int
  private let isUTF8: Bool
  private let start: Int

  /// - Parameter chunk: The whole chunk, whose memory the caller keeps.
  init(_ chunk: UnsafeRawBufferPointer) throws(ByteError) {
    self.chunk = chunk
    var cursor = ByteCursor(chunk, at: 8)
    count = Int(try cursor.u32())
    try cursor.skip(4)
    isUTF8 = try cursor.u32() & 0x100 != 0
    start = Int(try cursor.u32())
    guard count <= chunk.count / 4 else { throw ByteError(code: .truncated, offset: 8) }
  }

  /// All strings, in their order.
  func all() throws(ByteError) -> [String] {
    var total = 0
    return try (0..<count).map { place throws(ByteError) in
      let text = try self[place]
      // Many offsets may name one long string.
      total += text.utf8.count
      guard total <= 8 * chunk.count + 4096 else { throw ByteError(code: .unsupportedSize, offset: 28 + 4 * place) }
      return text
    }
  }

  /// One string.
  subscript(place: Int) -> String {
    get throws(ByteError) {
      guard (0..<count).contains(place) else { throw ByteError(code: .truncated, offset: 8) }
      var index = ByteCursor(chunk, at: 28 + 4 * place)
      var field = ByteCursor(chunk, at: start + Int(try index.u32()))
      return isUTF8 ? try Self.narrow(&field) : try Self.wide(&field)
    }
  }

  private static func narrow(_ cursor: inout ByteCursor) throws(ByteError) -> String {
    // The number of characters, then of bytes; each of one byte or two.
    if try cursor.u8() & 0x80 != 0 { try cursor.skip(1) }
    var length = Int(try cursor.u8())
    if length & 0x80 != 0 { length = (length & 0x7f) << 8 | Int(try cursor.u8()) }
    return String(utf8: try cursor.bytes(length))
  }

  private static func wide(_ cursor: inout ByteCursor) throws(ByteError) -> String {
    var length = Int(try cursor.u16())
    if length & 0x8000 != 0 { length = (length & 0x7fff) << 16 | Int(try cursor.u16()) }
    guard length <= cursor.remaining / 2 else { throw ByteError(code: .truncated, offset: cursor.offset) }
    var units: [UInt16] = []
    units.reserveCapacity(length)
    for _ in 0..<length { units.append(try cursor.u16()) }
    return String(decoding: units, as: UTF16.self)
  }
}
