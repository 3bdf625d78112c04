/// Hashes of paths and of their widgets: eight bytes at a time, with a seed of the process, so that no payload is made
/// of paths that collide.
///
/// A path's hash comes from the hash of the path without its last widget, and from the hash of that widget.
enum PathHash {
  /// The seed, and the hash of the empty path.
  static let seed = UInt64.random(in: .min ... .max) | 1

  /// The hash of a widget's bytes, and whether a comma stands among them.
  @inline(__always)
  static func widget(_ bytes: UnsafeRawBufferPointer, from start: Int, seed: UInt64) -> (hash: UInt64, hasComma: Bool) {
    guard let base = bytes.baseAddress else { return (seed, false) }
    let end = bytes.count
    var (hash, commas, place) = (seed, UInt64(0), start)
    while end - place >= 8 {
      let word = base.loadUnaligned(fromByteOffset: place, as: UInt64.self).littleEndian
      commas |= Self.commas(in: word)
      hash = fold(hash, word)
      place += 8
    }
    if place < end {
      let word = tail(base, place, end)
      commas |= Self.commas(in: word)
      hash = fold(hash, word)
    }
    return (fold(hash, UInt64(truncatingIfNeeded: end - start)), commas != 0)
  }

  /// The hash of the path that a widget makes longer.
  @inline(__always)
  static func path(_ prefix: UInt64, _ widget: UInt64) -> UInt64 { fold(prefix, widget ^ 0x6a09_e667_f3bc_c908) }

  /// The hash of a whole path.
  static func path(of text: String) -> (path: UInt64, widget: UInt64) {
    var (path, last) = (seed, seed)
    for part in text.split(separator: ",") {
      last = widget(String(part))
      path = Self.path(path, last)
    }
    return (path, last)
  }

  /// The hash of a widget alone.
  static func widget(_ text: String) -> UInt64 {
    var text = text
    return text.withUTF8 { widget(UnsafeRawBufferPointer($0), from: 0, seed: seed).hash }
  }

  @inline(__always)
  private static func fold(_ state: UInt64, _ word: UInt64) -> UInt64 {
    let (high, low) = (state ^ word).multipliedFullWidth(by: 0x9e37_79b9_7f4a_7c15)
    return high ^ low
  }

  /// The last bytes, fewer than eight, in the low end of a word.
  @inline(__always)
  private static func tail(_ base: UnsafeRawPointer, _ place: Int, _ end: Int) -> UInt64 {
    let count = end - place
    if end >= 8 {
      let word = base.loadUnaligned(fromByteOffset: end - 8, as: UInt64.self).littleEndian
      return word >> UInt64(64 - 8 * count)
    }
    var word: UInt64 = 0
    for index in 0..<count {
      word |= UInt64(base.load(fromByteOffset: place + index, as: UInt8.self)) << UInt64(8 * index)
    }
    return word
  }

  /// Not 0 where one of the eight bytes is a comma.
  @inline(__always)
  private static func commas(in word: UInt64) -> UInt64 {
    let zeros = word ^ 0x2c2c_2c2c_2c2c_2c2c
    return (zeros &- 0x0101_0101_0101_0101) & ~zeros & 0x8080_8080_8080_8080
  }
}
