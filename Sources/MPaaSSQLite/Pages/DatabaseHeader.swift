import CSQLite
import MPaaSSupport

#if canImport(CryptoKit)
  import CryptoKit
#elseif canImport(Crypto)
  import Crypto
#endif

/// The first page of an encrypted database's file, in front of SQLite's own.
///
/// | offset | bytes | field |
/// |---|---|---|
/// | 0 | 8 | magic `MPDB1\0\0\0` |
/// | 8 | 1 | cipher: 1 AES-256-GCM, 2 ChaCha20-Poly1305 |
/// | 9 | 1 | 1 while the pages are encrypted anew, else 0 |
/// | 16 | 16 | file id |
/// | 32 | 112 | the key of what is written: generation 4, salt 32, check 16, the former key, wrapped 60 |
/// | 144 | 112 | the former key, while there are pages of it: the same, with the newer one wrapped |
/// | 256 | 4 | CRC-32C of the page with zeros here |
///
/// All that changes lies in the first sector, which a disk writes as a whole. Numbers are little endian.
struct DatabaseHeader: Equatable {
  /// The bytes that every encrypted database begins with.
  static let magic = Array("MPDB1\0\0\0".utf8)
  static let size = Int(MP_PAGE_SIZE)
  private static let slots = 32, check = 256

  var cipher: PageAlgorithm
  var id: [UInt8]
  var current: KeySlot
  /// The generation that pages are still of while they are encrypted anew.
  var former: KeySlot?

  /// Makes the header of a new file.
  init(_ key: DatabaseKey) {
    cipher = .best
    id = SymmetricKey(size: .bits128).withUnsafeBytes { Array($0) }
    current = KeySlot(1, key)
  }

  /// Reads a page; nil where its sum is another.
  init?(_ page: [UInt8]) {
    guard page.count == Self.size, page.starts(with: Self.magic),
      Self.sum(page) == page[Self.check..<Self.check + 4].reversed().reduce(0, { $0 << 8 | UInt32($1) }),
      let cipher = PageAlgorithm(rawValue: page[8])
    else { return nil }
    self.cipher = cipher
    id = Array(page[16..<32])
    current = KeySlot(page[Self.slots...].prefix(KeySlot.size))
    former = page[9] == 0 ? nil : KeySlot(page[(Self.slots + KeySlot.size)...].prefix(KeySlot.size))
  }

  /// The bytes of the page.
  var page: [UInt8] {
    var page = Self.magic + [cipher.rawValue, former == nil ? 0 : 1] + [UInt8](repeating: 0, count: 6) + id
    page += current.bytes + (former?.bytes ?? [])
    page += [UInt8](repeating: 0, count: Self.size - page.count)
    let sum = Self.sum(page)
    for byte in 0..<4 { page[Self.check + byte] = UInt8(truncatingIfNeeded: sum >> (8 * UInt32(byte))) }
    return page
  }

  private static func sum(_ page: [UInt8]) -> UInt32 {
    var checked = page
    for byte in check..<check + 4 { checked[byte] = 0 }
    var sum = CRC32C()
    checked.withUnsafeBytes { sum.update($0) }
    return sum.value
  }
}
