import MPaaSSupport

/// The fields of a protobuf message one after another, without memory of their own: a profile has millions.
///
/// - Source: protobuf.dev, "Encoding".
struct WireFields {
  private var cursor: ByteCursor
  /// The number of the field that `next()` went to.
  private(set) var number: UInt64 = 0
  /// The value of a field that is a number, or the bits of one of fixed size.
  private(set) var value: UInt64 = 0
  /// The contents of a field that has a length; nil for others.
  private(set) var contents: UnsafeRawBufferPointer?

  init(_ bytes: UnsafeRawBufferPointer) {
    cursor = ByteCursor(bytes)
  }

  /// The place of the next field.
  var offset: Int { cursor.offset }

  /// Goes to the next field; false at the end.
  @inline(__always)
  mutating func next() throws(ByteError) -> Bool {
    guard !cursor.isAtEnd else { return false }
    let tag = try varint()
    number = tag >> 3
    contents = nil
    switch tag & 7 {
    case 0: value = try varint()
    case 1: value = try cursor.u64()
    case 2:
      let length = try varint()
      guard length <= UInt64(cursor.remaining) else { throw ByteError(code: .truncated, offset: cursor.offset) }
      contents = try cursor.bytes(Int(length))
    case 5: value = UInt64(try cursor.u32())
    default: throw ByteError(code: .unsupportedSize, offset: cursor.offset)
    }
    guard number > 0 else { throw ByteError(code: .overlongNumber, offset: cursor.offset) }
    return true
  }

  /// A varint: most are of one byte.
  @inline(__always)
  private mutating func varint() throws(ByteError) -> UInt64 {
    if cursor.offset < cursor.buffer.count, cursor.buffer[cursor.offset] < 0x80 {
      cursor.offset += 1
      return UInt64(cursor.buffer[cursor.offset - 1])
    }
    return try cursor.uleb()
  }

  /// The numbers of a repeated field: packed, or the one that stands alone.
  @inline(__always)
  func numbers(_ body: (UInt64) -> Void) throws(ByteError) {
    guard let contents else { return body(value) }
    var packed = WireFields(contents)
    while !packed.cursor.isAtEnd { body(try packed.varint()) }
  }
}
