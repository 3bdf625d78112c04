import CAtomicWord

/// The uses of entries by their numbers, which threads count at the same time.
///
/// `@unchecked Sendable`: the bytes are used by atomic operations alone, and their memory changes while one thread has the
/// cache.
final class CacheUses: @unchecked Sendable {
  private var bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 64)

  init() { bytes.initialize(repeating: 0) }

  deinit { bytes.deallocate() }

  /// The uses of an entry that `reserve` was told of.
  @inline(__always)
  subscript(place: Int32) -> UInt8 {
    get { mp_atomic_load_byte(byte(place)) }
    set { mp_atomic_store_byte(byte(place), newValue) }
  }

  /// Counts a use, up to `most`; where two threads do so at once, one of the uses may get lost.
  @inline(__always)
  func count(_ place: Int32, upTo most: UInt8) {
    let uses = self[place]
    if uses < most { self[place] = uses &+ 1 }
  }

  /// Has room for an entry.
  func reserve(_ place: Int32) {
    guard Int(place) >= bytes.count else { return }
    let larger = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(Int(place) + 1, 2 * bytes.count))
    larger.initialize(repeating: 0)
    _ = larger.update(fromContentsOf: bytes)
    bytes.deallocate()
    bytes = larger
  }

  @inline(__always)
  private func byte(_ place: Int32) -> UnsafeMutablePointer<UInt8> {
    // Places come from the table of the same cache, never from a file or a key.
    guard let start = bytes.baseAddress, Int(place) < bytes.count else { preconditionFailure("no such entry") }
    return start + Int(place)
  }
}
