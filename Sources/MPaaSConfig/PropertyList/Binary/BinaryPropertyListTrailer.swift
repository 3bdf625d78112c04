import MPaaSSupport

/// The last 32 bytes of a binary property list: how its objects are found.
struct BinaryPropertyListTrailer {
  /// The bytes of an offset in the table.
  let offsetSize: Int
  /// The bytes of the number of an object.
  let referenceSize: Int
  /// The number of objects.
  let count: Int
  /// The object that is the whole.
  let top: Int
  /// The offset of the table of offsets.
  let table: Int
  /// The offset of the trailer, before which all objects end.
  let end: Int

  init(_ bytes: UnsafeBufferPointer<UInt8>, file: String) throws(ConfigError) {
    guard bytes.count >= 8, bytes.prefix(6).elementsEqual("bplist".utf8), bytes[6] == 0x30 else {
      let version = String(decoding: bytes.dropFirst(6).prefix(2), as: UTF8.self)
      throw ConfigError(
        .plistBinaryVersion, ["file": file, "version": version], at: .bytes(file: file, offset: 0))
    }
    guard bytes.count >= 8 + 1 + 1 + 32 else {
      throw ConfigError(.plistBinaryTruncated, ["file": file], at: .bytes(file: file, offset: UInt64(bytes.count)))
    }
    let end = bytes.count - 32
    func number(_ start: Int) -> UInt64 { bytes[end + start..<end + start + 8].reduce(0) { $0 << 8 | UInt64($1) } }
    func wrong(_ field: String, _ value: UInt64, _ start: Int) -> ConfigError {
      ConfigError(
        .plistBinaryTrailer, ["file": file, "field": field, "value": "\(value)"],
        at: .bytes(file: file, offset: UInt64(end + start)))
    }
    offsetSize = Int(bytes[end + 6])
    referenceSize = Int(bytes[end + 7])
    guard (1...8).contains(offsetSize) else { throw wrong("offset size", UInt64(offsetSize), 6) }
    guard (1...8).contains(referenceSize) else { throw wrong("reference size", UInt64(referenceSize), 7) }
    let count = number(8)
    let top = number(16)
    let table = number(24)
    guard table >= 9, table < UInt64(end) else { throw wrong("offset table", table, 24) }
    // Some writers leave the unused bytes of the trailer out, so that it reaches into the table.
    guard count > 0, count <= (UInt64(bytes.count) - table) / UInt64(offsetSize) else {
      throw wrong("objects", count, 8)
    }
    guard top < count else { throw wrong("top object", top, 16) }
    (self.count, self.top, self.table, self.end) = (Int(count), Int(top), Int(table), end)
  }
}

/// Texts of two bytes a unit.
enum UTF16Text {
  /// nil where halves of pairs stand alone.
  static func string(bigEndian bytes: UnsafeBufferPointer<UInt8>) -> String? {
    let count = bytes.count / 2
    let units = [UInt16](unsafeUninitializedCapacity: count) { target, filled in
      for index in 0..<count { target[index] = UInt16(bytes[2 * index]) << 8 | UInt16(bytes[2 * index + 1]) }
      filled = count
    }
    return String(validUTF16: units)
  }
}
