import CLogRing

/// The facts about a key-value file that stand at its start in two copies, of which the newer valid one counts.
///
/// Two spare copies, as they were when the file was made, are read where both are damaged.
///
/// | offset | bytes | field |
/// |---|---|---|
/// | 0 | 6 | magic `MPKV1\0` |
/// | 6 | 2 | bit 0: encrypted |
/// | 8 | 16 | file id |
/// | 24 | 32 | salt of the file's key |
/// | 56 | 4 | marker of records |
/// | 60 | 4 | file random: the first bytes of nonces |
/// | 64 | 4 | generation: files in this place before |
/// | 72 | 8 | sequence: the newer copy has the greater one |
/// | 80 | 8 | end of the log that is known safe |
/// | 88 | 8 | sequence up to which nonces are given away |
/// | 96 | 16 | check of the key; zeros where there is none |
/// | 112 | 4 | CRC-32C of the bytes that never change: 0 to 63 and 96 to 111 |
/// | 124 | 4 | CRC-32C of the bytes before |
package struct KeyValueHeader: Sendable, Equatable {
  /// Bytes in front of the first record.
  package static let size = 4096
  static let copySize = 128
  static let places: [UInt64] = [0, 2048]
  private static let allPlaces = [0, 1024, 2048, 3072]
  private static let magic = Array("MPKV1\0".utf8)

  var isEncrypted = false
  package var id = Self.random(16)
  var salt = Self.random(32)
  var marker: UInt32 = .random(in: 0 ... .max) | 0x80
  var nonce: UInt32 = .random(in: 0 ... .max)
  package var generation: UInt32 = 0
  var sequence: UInt64 = 1
  var safeEnd = UInt64(Self.size)
  var reserved: UInt64 = 0
  var keyCheck = [UInt8](repeating: 0, count: 16)

  init() {}

  static func random(_ count: Int) -> [UInt8] { (0..<count).map { _ in .random(in: 0 ... .max) } }

  /// True where no copy was whole, and what never changes was put together from all of them.
  package private(set) var isRepaired = false

  /// The newest valid copy in the first bytes of a file; nil where there is none, and none can be put together.
  package init?(page: UnsafeRawBufferPointer) {
    guard page.count >= Self.size else { return nil }
    let copies = Self.allPlaces.map { UnsafeRawBufferPointer(rebasing: page[$0..<$0 + Self.copySize]) }
    if let newest = copies.compactMap({ KeyValueHeader(copy: $0) }).max(by: { $0.sequence < $1.sequence }) {
      self = newest
      return
    }
    // Each byte as most copies have it; damage seldom hits two copies in the same place.
    let voted = (0..<Self.copySize).map { place in
      let bytes = copies.map { $0[place] }
      return bytes.first { byte in bytes.count { $0 == byte } > 1 } ?? bytes[0]
    }
    guard let repaired = voted.withUnsafeBytes({ KeyValueHeader(voted: $0) }) else { return nil }
    self = repaired
  }

  private init?(voted: UnsafeRawBufferPointer) {
    guard Self.constantCheck(voted) == voted.number(112) else { return nil }
    self.init(fields: voted)
    (sequence, reserved) = (min(sequence, Self.greatest), min(reserved, Self.greatest))
    (isRepaired, safeEnd) = (true, UInt64(Self.size))
  }

  private static func constantCheck(_ copy: UnsafeRawBufferPointer) -> UInt32 {
    mp_log_crc32c(mp_log_crc32c(0, copy.baseAddress, 64), copy.baseAddress.map { $0 + 96 }, 16)
  }

  private init?(copy: UnsafeRawBufferPointer) {
    guard copy.prefix(6).elementsEqual(Self.magic), mp_log_crc32c(0, copy.baseAddress, 124) == copy.number(124)
    else { return nil }
    self.init(fields: copy)
    guard max(sequence, reserved) < 2 * Self.greatest else { return nil }
  }

  /// The greatest number to count on from: no store comes so far, and one that is at the end must not end the app.
  private static let greatest: UInt64 = 1 << 61

  private init(fields copy: UnsafeRawBufferPointer) {
    isEncrypted = copy[6] & 1 == 1
    id = Array(copy[8..<24])
    salt = Array(copy[24..<56])
    marker = copy.number(56)
    nonce = copy.number(60)
    generation = copy.number(64)
    sequence = copy.number(72)
    safeEnd = copy.number(80)
    reserved = copy.number(88)
    keyCheck = Array(copy[96..<112])
  }

  /// The bytes of a copy.
  var copy: [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Self.copySize)
    bytes.withUnsafeMutableBytes { target in
      target.copyBytes(from: Self.magic)
      target[6] = isEncrypted ? 1 : 0
      for (offset, part) in [(8, id), (24, salt), (96, keyCheck)] {
        UnsafeMutableRawBufferPointer(rebasing: target[offset...]).copyBytes(from: part)
      }
      target.put(marker, 56)
      target.put(nonce, 60)
      target.put(generation, 64)
      target.put(sequence, 72)
      target.put(safeEnd, 80)
      target.put(reserved, 88)
      target.put(Self.constantCheck(UnsafeRawBufferPointer(target)), 112)
      target.put(mp_log_crc32c(0, target.baseAddress, 124), 124)
    }
    return bytes
  }

  /// The first page of a new file.
  var page: [UInt8] {
    var page = [UInt8](repeating: 0, count: Self.size)
    for place in Self.allPlaces { page.replaceSubrange(place..<place + Self.copySize, with: copy) }
    return page
  }

  /// The place of this copy where it is a change: that of the older one, so that the newer one stays whole.
  var place: UInt64 { Self.places[Int(sequence % 2)] }
}

extension UnsafeRawBufferPointer {
  func number<Number: FixedWidthInteger>(_ offset: Int) -> Number {
    Number(littleEndian: loadUnaligned(fromByteOffset: offset, as: Number.self))
  }
}

extension UnsafeMutableRawBufferPointer {
  func put(_ number: some FixedWidthInteger, _ offset: Int) {
    storeBytes(of: number.littleEndian, toByteOffset: offset, as: type(of: number))
  }
}
