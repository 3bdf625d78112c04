import CLogRing

/// The form of the records of one file.
///
/// marker 4 ‖ length of the rest, varint ‖ body ‖ CRC-32C 4. The body is sequence 8 ‖ content, or where the file is
/// encrypted nonce 12 (file random 4 ‖ sequence 8) ‖ content, encrypted ‖ tag 16. The content is flags 1 ‖ expiry 8 where
/// the flags say so ‖ lengths of business and key, varints ‖ business ‖ key ‖ value. The checksum begins with the file's
/// id and the record's offset, so that the copy of a record inside a value is none.
struct RecordFormat {
  static let markerSize = 4, checkSize = 4
  /// The greatest number of bytes of a value, and of a business and a key together.
  static let longestValue = 1 << 30, longestName = 1 << 16
  /// No record is longer.
  static let longest = longestValue + longestName + 256

  let marker: UInt32
  let cipher: RecordCipher?
  /// CRC-32C of the file's id.
  private let start: UInt32

  init(_ header: KeyValueHeader, cipher: RecordCipher?) {
    marker = header.marker
    self.cipher = cipher
    start = mp_log_crc32c(0, header.id, header.id.count)
  }

  @inline(__always)
  private static func contentSize(_ fields: borrowing RecordFields) -> Int {
    1 + (fields.expiry == 0 ? 0 : 8) + Varint.size(fields.business.count) + Varint.size(fields.key.count)
      + fields.business.count + fields.key.count + fields.value.count
  }

  /// The length that a record of these fields states: what comes behind it.
  @inline(__always)
  func rest(_ fields: borrowing RecordFields) -> Int {
    Self.contentSize(fields) + (cipher == nil ? 8 : RecordCipher.overhead) + Self.checkSize
  }

  /// All bytes of a record that states this length.
  @inline(__always)
  static func size(rest: Int) -> Int { markerSize + Varint.size(rest) + rest }

  @inline(__always)
  func check(_ bytes: UnsafeRawPointer, _ count: Int, at offset: UInt64) -> UInt32 {
    var place = offset.littleEndian
    return mp_log_crc32c(mp_log_crc32c(start, &place, 8), bytes, count)
  }

  /// Writes a record for its place in the file.
  ///
  /// - Parameter rest: The length that it states.
  /// - Returns: Whether the library of ciphers did its part.
  func write(
    _ fields: borrowing RecordFields, rest: Int, to target: UnsafeMutableRawPointer, at offset: UInt64
  ) -> Bool {
    target.storeBytes(of: marker.littleEndian, as: UInt32.self)
    var place = target + Self.markerSize
    Varint.write(rest, to: &place)
    let body = place
    if let cipher {
      guard cipher.seal(fields, Self.contentSize(fields), to: body, at: offset) else { return false }
    } else {
      body.storeBytes(of: fields.sequence.littleEndian, as: UInt64.self)
      place += 8
      Self.write(content: fields, to: place)
    }
    let end = body + (rest - Self.checkSize)
    let checked = target + Self.markerSize
    end.storeBytes(of: check(checked, end - checked, at: offset).littleEndian, as: UInt32.self)
    return true
  }

  @inline(__always)
  static func write(content fields: borrowing RecordFields, to target: UnsafeMutableRawPointer) {
    var place = target
    place.storeBytes(
      of: fields.expiry == 0 ? fields.flags.bits : fields.flags.bits | RecordFlags.expiryBit, as: UInt8.self)
    place += 1
    if fields.expiry != 0 {
      place.storeBytes(of: fields.expiry.littleEndian, as: Int64.self)
      place += 8
    }
    Varint.write(fields.business.count, to: &place)
    Varint.write(fields.key.count, to: &place)
    place.copy(fields.business)
    place.copy(fields.key)
    place.copy(fields.value)
  }
}

extension UnsafeMutableRawPointer {
  /// Copies bytes here and goes behind them.
  @inline(__always)
  mutating func copy(_ bytes: UnsafeRawBufferPointer) {
    guard let source = bytes.baseAddress else { return }
    copyMemory(from: source, byteCount: bytes.count)
    self += bytes.count
  }
}

/// Unsigned numbers of seven bits a byte, the lowest first (LEB128).
enum Varint {
  @inline(__always)
  static func size(_ number: Int) -> Int {
    number < 0x80 ? 1 : (70 - UInt64(number).leadingZeroBitCount) / 7
  }

  @inline(__always)
  static func write(_ number: Int, to place: inout UnsafeMutableRawPointer) {
    var rest = number
    while rest >= 0x80 {
      place.storeBytes(of: UInt8(truncatingIfNeeded: rest) | 0x80, as: UInt8.self)
      place += 1
      rest >>= 7
    }
    place.storeBytes(of: UInt8(rest), as: UInt8.self)
    place += 1
  }

  /// Reads a number of at most five bytes in their shortest form; nil where there is none.
  @inline(__always)
  static func read(_ bytes: UnsafeRawBufferPointer, _ place: inout Int) -> Int? {
    var number = 0, shift = 0
    while place < bytes.count, shift < 35 {
      let byte = bytes[place]
      place += 1
      number |= Int(byte & 0x7f) << shift
      if byte < 0x80 { return byte == 0 && shift > 0 ? nil : number }
      shift += 7
    }
    return nil
  }
}
