import CAtomicWord
import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Words in the first page of a file that processes tell each other by what changed; hints, not facts.
///
/// `@unchecked Sendable`: the memory is used by atomic operations alone, and goes with the owner of the value.
package final class LiveWords: @unchecked Sendable {
  /// The place of the words in the page, behind both copies of the header.
  static let place = 4032
  private let words: UnsafeMutablePointer<Int>
  private let mapping: UnsafeMutableRawPointer?

  /// Words that no other process sees.
  package init() {
    words = .allocate(capacity: 3)
    words.initialize(repeating: 0, count: 3)
    mapping = nil
  }

  /// Maps the page of a file, whose length the caller has checked; nil where the system cannot.
  init?(_ descriptor: Int32, isWritable: Bool) {
    let size = KeyValueHeader.size
    let access = isWritable ? PROT_READ | PROT_WRITE : PROT_READ
    guard let page = mmap(nil, size, access, MAP_SHARED, descriptor, 0), page != MAP_FAILED else { return nil }
    mapping = page
    words = (page + Self.place).assumingMemoryBound(to: Int.self)
  }

  deinit {
    if let mapping { munmap(mapping, KeyValueHeader.size) } else { words.deallocate() }
  }

  /// The end of the log as the last writer left it.
  @inline(__always)
  var end: Int {
    get { mp_atomic_load(words) }
    set { mp_atomic_store(words, newValue) }
  }

  /// True while a writer writes; it stays where one was killed meanwhile.
  @inline(__always)
  var isWriting: Bool {
    get { mp_atomic_load(words + 1) != 0 }
    set { mp_atomic_store(words + 1, newValue ? 1 : 0) }
  }

  /// True once another file has taken the place of this one.
  @inline(__always)
  var isReplaced: Bool {
    get { mp_atomic_load(words + 2) != 0 }
    set { mp_atomic_store(words + 2, newValue ? 1 : 0) }
  }
}
