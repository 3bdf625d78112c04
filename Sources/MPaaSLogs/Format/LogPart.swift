import MPaaSSupport

/// The beginning of a part of a file: the records of one start of a writer, under one key.
package struct LogPart: Sendable, Hashable {
  /// A random number, which the chunks of the part name.
  package var id: UInt64
  package var type: LogType
  /// Tells writers of the same folder apart: 0, and more where several processes write at a time.
  package var lane: Int
  /// Tells starts of the device apart.
  package var boot: UInt64
  /// The time of its beginning: nanoseconds since 1970.
  package var created: Int64
  /// The secret of 32 bytes as an age file for the team's keys; empty where nothing is encrypted.
  package var wrappedKey: [UInt8]

  package var isEncrypted: Bool { !wrappedKey.isEmpty }

  package init(id: UInt64, type: LogType, lane: Int, boot: UInt64, created: Int64, wrappedKey: [UInt8]) {
    self.id = id
    self.type = type
    self.lane = lane
    self.boot = boot
    self.created = created
    self.wrappedKey = wrappedKey
  }

  /// Reads the content of a chunk of kind `part`; nil where it is none.
  init?(_ content: UnsafeRawBufferPointer, id: UInt64) {
    var cursor = ByteCursor(content)
    guard let lane = try? cursor.u32(), let boot = try? cursor.u64(), let created = try? cursor.u64(),
      let typeSize = try? cursor.u16(), let type = try? cursor.bytes(Int(typeSize)),
      let keySize = try? cursor.u32(), let key = try? cursor.bytes(Int(keySize))
    else { return nil }
    self.init(
      id: id, type: LogType(rawValue: String(utf8: type)), lane: Int(lane), boot: boot,
      created: Int64(bitPattern: created), wrappedKey: Array(key))
  }

  var content: [UInt8] {
    let type = Array(type.rawValue.utf8.prefix(Int(UInt16.max)))
    var bytes: [UInt8] = []
    bytes.append(number: UInt32(truncatingIfNeeded: lane))
    bytes.append(number: boot)
    bytes.append(number: created)
    bytes.append(number: UInt16(type.count))
    bytes += type
    bytes.append(number: UInt32(truncatingIfNeeded: wrappedKey.count))
    bytes += wrappedKey
    return bytes
  }
}

extension [UInt8] {
  /// Appends a little-endian number.
  mutating func append(number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }
}
