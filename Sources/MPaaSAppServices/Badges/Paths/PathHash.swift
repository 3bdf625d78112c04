/// The hashes of a path: seeded anew in each process, so that no payload is made of paths that collide.
///
/// 64 bits of a secret seed are enough to tell paths apart without a look at their texts.
struct PathDigest: Sendable, Hashable {
  /// The digest of the path without its last widget.
  let prefix: UInt64
  /// The digest of the last widget.
  let widget: UInt64
  /// The digest of the whole path.
  let full: UInt64

  private static let seed = UInt64.random(in: .min ... .max) | 1

  /// The digest of a path, whose widgets have commas between them.
  init(_ path: String) {
    var path = path
    (prefix, widget, full) = path.withUTF8 { bytes in
      var (prefix, full, start) = (Self.seed, Self.seed, 0)
      var widget = Self.seed
      while true {
        let end = bytes[start...].firstIndex(of: UInt8(ascii: ",")) ?? bytes.endIndex
        widget = Self.hash(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[start..<end]))
        prefix = full
        full = Self.fold(full, widget ^ 0x6a09_e667_f3bc_c908)
        guard end < bytes.endIndex else { return (prefix, widget, full) }
        start = end + 1
      }
    }
  }

  /// The hash of a widget's bytes, eight at a time.
  private static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var (hash, place) = (seed, 0)
    while bytes.count - place >= 8 {
      hash = fold(hash, bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self).littleEndian)
      place += 8
    }
    var rest: UInt64 = 0
    for index in place..<bytes.count { rest |= UInt64(bytes[index]) << UInt64(8 * (index - place)) }
    return fold(fold(hash, rest), UInt64(bytes.count))
  }

  private static func fold(_ state: UInt64, _ word: UInt64) -> UInt64 {
    let (high, low) = (state ^ word).multipliedFullWidth(by: 0x9e37_79b9_7f4a_7c15)
    return high ^ low
  }

  /// The hash of the whole path for tables; never 0.
  var hash: UInt32 { Self.hash(of: full) }
  /// The hash of the last widget for tables; never 0.
  var widgetHash: UInt32 { Self.hash(of: widget) }

  static func hash(of digest: UInt64) -> UInt32 { max(UInt32(truncatingIfNeeded: digest), 1) }

  /// The digest of the empty path.
  static var empty: UInt64 { seed }
}
