/// The division of text into stretches that an engine reads at once: by what stands in it alone, so that it does not
/// matter in what pieces it came.
enum Stretch {
  /// The number of characters after which a stretch ends where no sentence does.
  static let limit = 4096

  /// Tells whether a sentence ends with this character.
  @inline(__always) static func isEnd(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x0A, 0x21, 0x3F, 0x3002, 0xFF01, 0xFF1F: true
    default: false
    }
  }

  /// The place to end a stretch that reached the limit: behind the last comma or blank of its last quarter.
  static func cut(_ scalars: UnsafeBufferPointer<UInt32>) -> Int {
    var place = scalars.count
    while place > scalars.count * 3 / 4 {
      switch scalars[place - 1] {
      case 0x20, 0x2C, 0x3B, 0x3000, 0x3001, 0xFF0C, 0xFF1A, 0xFF1B: return place
      default: place -= 1
      }
    }
    return scalars.count
  }
}
