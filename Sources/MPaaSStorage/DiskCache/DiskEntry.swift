import MPaaSSupport

/// The record that the index of a disk cache has of a value.
struct DiskEntry: Sendable, Equatable {
  /// The name of the value's file: 16 random bytes, new with each value.
  var file: [UInt8]
  /// The bytes of the file, and their checksum.
  var size: UInt64
  var checksum: UInt32
  /// The place among the others: greater is newer.
  var order: UInt64
  /// Milliseconds since 1970; 0 for never.
  var expiry: Int64
  var queue = CacheQueue.main
  var uses: UInt8 = 0

  var name: String { file.hexadecimal }

  static let nameSize = 16
  private static let version: UInt8 = 1
  private static let size = nameSize + 31

  var bytes: [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Self.size)
    bytes.withUnsafeMutableBytes { bytes in
      bytes[0] = Self.version
      bytes[1] = queue.rawValue
      bytes[2] = uses
      bytes.put(size, 3)
      bytes.put(checksum, 11)
      bytes.put(order, 15)
      bytes.put(expiry, 23)
      bytes[31...].copyBytes(from: file)
    }
    return bytes
  }

  init(file: [UInt8], size: UInt64, checksum: UInt32, expiry: Int64) {
    (self.file, self.size, self.checksum, self.expiry) = (file, size, checksum, expiry)
    order = 0
  }

  /// Reads a record; nil where it is none.
  init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.size, bytes[0] == Self.version, let queue = CacheQueue(rawValue: bytes[1]) else {
      return nil
    }
    let uses = bytes[2]
    file = Array(bytes[31...])
    (size, checksum, order, expiry) = bytes.withUnsafeBytes { bytes in
      (bytes.number(3), bytes.number(11), bytes.number(15), bytes.number(23))
    }
    // Orders count up from the last one.
    guard size <= UInt64(Int32.max), order <= UInt64(Int64.max) else { return nil }
    (self.queue, self.uses) = (queue, min(uses, 3))
  }
}
