/// The file `NAME.crc` beside a file of MMKV: sizes, checksums and the initialization vector.
///
/// Little endian: checksum 4, version 4, sequence 4, vector 16, size 4, the size and checksum that were surely on the disk
/// 4 and 4, reserved 64, flags 8. Source: MMKV 2.4, `MMKVMetaInfo.hpp`.
struct MMKVMeta: Sendable, Equatable {
  /// The CRC-32 of the content.
  let checksum: UInt32
  /// The size of the content; nil in files of versions below 3, which have it in front of the content.
  let size: Int?
  /// The initialization vector; nil in files of versions below 2, which begin with the key.
  let vector: [UInt8]?
  /// True where each value ends with the time from which it is not there any more.
  let hasExpiry: Bool

  /// Reads the file; nil where it is too short to be one.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 12 else { return nil }
    func number(_ offset: Int) -> UInt32? {
      guard offset + 4 <= bytes.count else { return nil }
      return bytes[offset..<offset + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
    checksum = number(0) ?? 0
    let version = number(4) ?? 0
    vector = version >= 2 && bytes.count >= 28 ? Array(bytes[12..<28]) : nil
    size = version >= 3 ? number(28).map(Int.init) : nil
    hasExpiry = version >= 4 && (number(104) ?? 0) & 1 != 0
  }
}
