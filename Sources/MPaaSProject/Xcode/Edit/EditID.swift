import MPaaSSupport

/// Ids of what the kit puts into a project for SDK modules.
///
/// They hold nothing but what the object is, so that two branches that do the same do not conflict, and begin with a mark:
/// by it the kit knows its own objects again, whatever else became of the project.
enum EditID {
  /// `MPAAS` in ASCII.
  static let modulePrefix = "4D50414153"

  /// The id that follows from a text.
  static func module(_ seed: String) -> String {
    modulePrefix + hash(seed).padded(to: 14, radix: 16, uppercase: true).suffix(14)
  }

  static func isModule(_ id: String) -> Bool { id.hasPrefix(modulePrefix) && id.utf8.count == 24 }

  /// FNV-1a with the last word stirred, so that short texts fill all bits.
  private static func hash(_ text: String) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    hash ^= hash >> 33
    hash = hash &* 0xff51_afd7_ed55_8ccd
    return hash ^ (hash >> 33)
  }
}
