import MPaaSSupport

/// Ids of new objects.
enum PBXIdentifier {
  /// An id that follows from a text: 24 hexadecimal digits, as Xcode's ids have.
  static func make(_ seed: String) -> String {
    let high = hash(seed, 0xcbf2_9ce4_8422_2325)
    let low = hash(seed, 0x6c62_272e_07bb_0142)
    return hex(high, 16) + hex(low & 0xffff_ffff, 8)
  }

  /// FNV-1a, and a last mixing so that near seeds are far apart.
  private static func hash(_ text: String, _ start: UInt64) -> UInt64 {
    var value = text.utf8.reduce(start) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    value = (value ^ (value >> 32)) &* 0xd6e8_feb8_6659_fd93
    return value ^ (value >> 32)
  }

  private static func hex(_ value: UInt64, _ width: Int) -> String {
    value.padded(to: width, radix: 16, uppercase: true)
  }
}

extension PBXDraft {
  /// An id that no object has, nor had in the file.
  package func unusedID(seed: String) -> String {
    var id = PBXIdentifier.make(seed)
    var count = 1
    while file.contains(id) || object(id) != nil {
      count += 1
      id = PBXIdentifier.make("\(seed) #\(count)")
    }
    return id
  }
}
