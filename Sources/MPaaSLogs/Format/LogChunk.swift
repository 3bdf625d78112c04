import CLogRing

/// The header of a chunk: what a `.mplog` file consists of, one after another.
///
/// Documentation/LogFormat.md describes it, byte for byte.
package struct LogChunk: Sendable, Hashable {
  package enum Kind: UInt8, Sendable {
    /// Begins a part: whose log it is, and the wrapped key. It stands twice, so that damage to one copy costs nothing.
    case part = 0
    /// Records in columns.
    case records = 1
    /// A staging segment that a killed process left behind, encrypted as it was.
    case recovered = 2
    /// The headers of a part's chunks, at its end.
    case index = 3
  }

  package struct Flags: OptionSet, Sendable, Hashable {
    package let rawValue: UInt16
    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package static let encrypted = Flags(rawValue: 1)
    package static let compressed = Flags(rawValue: 2)
    /// A record among them follows a jump of the clock.
    package static let clockJump = Flags(rawValue: 4)
  }

  /// Bytes of a header.
  package static let size = 96
  package static let version: UInt8 = 1
  /// Begins every chunk: no text, and changed by what changes line ends.
  static let magic: [UInt8] = [0x89, 0x4d, 0x50, 0x4c, 0x0d, 0x0a, 0x1a, 0x0a]
  /// The most that a chunk may hold, stored or decoded.
  package static let largestContent = 1 << 25
  /// The bytes that AES-GCM adds.
  static let tagSize = 16

  package var kind: Kind
  package var flags: Flags = []
  /// Bytes behind the header.
  package var storedSize = 0
  /// Bytes after decryption and decompression.
  package var plainSize = 0
  /// CRC-32C of the stored bytes.
  package var checksum: UInt32 = 0
  package var recordCount = 0
  /// The part that it belongs to: a random number.
  package var part: UInt64 = 0
  /// Counts up by one in a part; never used twice with a key.
  package var number: UInt64 = 0
  package var firstSequence: UInt64 = 0
  /// Nanoseconds since 1970; both 0 where there is no record.
  package var leastTime: Int64 = 0
  package var greatestTime: Int64 = 0
  /// The filling of a staging segment that became this chunk; 0 where none did.
  package var generation: UInt64 = 0
  /// The staging file that the segment was in: a random number.
  package var staging: UInt32 = 0
  /// A bit for each tag, as `LogTagBits` says; all of them where they are unknown.
  package var tags: UInt64 = 0
  /// A bit for each level, by its raw value.
  package var levels: UInt8 = 0

  package init(_ kind: Kind) {
    self.kind = kind
  }

  /// The numbers of its records.
  package var sequences: Range<UInt64> { firstSequence..<firstSequence + UInt64(recordCount) }

  /// Reads the header at the beginning of `bytes`; nil where there is none, or it is damaged.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= Self.size, let start = bytes.baseAddress, bytes.starts(with: Self.magic),
      bytes.number(8, UInt32.self) == mp_log_crc32c(0, start + 12, Self.size - 12), bytes[12] == Self.version,
      let kind = Kind(rawValue: bytes[13])
    else { return nil }
    self.kind = kind
    flags = Flags(rawValue: bytes.number(14))
    storedSize = Int(bytes.number(16, UInt32.self))
    plainSize = Int(bytes.number(20, UInt32.self))
    checksum = bytes.number(24)
    recordCount = Int(bytes.number(28, UInt32.self))
    part = bytes.number(32)
    number = bytes.number(40)
    firstSequence = bytes.number(48)
    leastTime = bytes.number(56)
    greatestTime = bytes.number(64)
    generation = bytes.number(72)
    tags = bytes.number(80)
    levels = bytes[88]
    staging = bytes.number(92)
    guard storedSize <= Self.largestContent, plainSize <= Self.largestContent,
      firstSequence <= .max - UInt64(recordCount)
    else { return nil }
  }

  /// Writes the header with its checksum.
  func write(to bytes: UnsafeMutableRawBufferPointer) {
    bytes.copyBytes(from: Self.magic)
    bytes[12] = Self.version
    bytes[13] = kind.rawValue
    bytes.put(flags.rawValue, 14)
    bytes.put(UInt32(truncatingIfNeeded: storedSize), 16)
    bytes.put(UInt32(truncatingIfNeeded: plainSize), 20)
    bytes.put(checksum, 24)
    bytes.put(UInt32(truncatingIfNeeded: recordCount), 28)
    bytes.put(part, 32)
    bytes.put(number, 40)
    bytes.put(firstSequence, 48)
    bytes.put(leastTime, 56)
    bytes.put(greatestTime, 64)
    bytes.put(generation, 72)
    bytes.put(tags, 80)
    bytes.put(UInt32(levels), 88)
    bytes.put(staging, 92)
    bytes.put(mp_log_crc32c(0, UnsafeRawPointer(bytes.baseAddress.map { $0 + 12 }), Self.size - 12), 8)
  }

  /// The header as bytes.
  var encoded: [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Self.size)
    bytes.withUnsafeMutableBytes { write(to: $0) }
    return bytes
  }

  /// The bytes that the code of authentication covers beside the content: all of the header that is known before
  /// encryption.
  var authenticated: [UInt8] {
    var other = self
    other.checksum = 0
    return Array(other.encoded[12...])
  }
}

extension UnsafeRawBufferPointer {
  /// The little-endian number at `offset`, which lies inside.
  @inlinable
  @inline(__always)
  package func number<Value: FixedWidthInteger>(_ offset: Int, _: Value.Type = Value.self) -> Value {
    Value(littleEndian: loadUnaligned(fromByteOffset: offset, as: Value.self))
  }
}

extension UnsafeMutableRawBufferPointer {
  /// Writes a little-endian number at `offset`, which lies inside.
  @inlinable
  @inline(__always)
  package func put<Value: FixedWidthInteger>(_ value: Value, _ offset: Int) {
    storeBytes(of: value.littleEndian, toByteOffset: offset, as: Value.self)
  }
}

/// The bit of a chunk's `tags` stands for a tag.
package struct LogTagBits: Sendable, Hashable {
  /// 0 where nothing is encrypted; else known only to who has the key, so that the bits do not tell the tags.
  let seed: UInt32

  package init(seed: UInt32 = 0) {
    self.seed = seed
  }

  @inline(__always)
  package func bit(_ tag: UnsafeRawBufferPointer) -> UInt64 {
    1 << UInt64(mp_log_crc32c(seed, tag.baseAddress, tag.count) & 63)
  }

  package func bit(_ tag: String) -> UInt64 {
    var tag = tag
    return tag.withUTF8 { bit(UnsafeRawBufferPointer($0)) }
  }
}
