import CAtomicWord

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Words in the first page of a file that processes tell each other by what changed; hints, not facts.
///
/// They are read and written by calls of the system, which say so where another program has cut the file off; a map of it
/// would end this one (SIGBUS).
///
/// `@unchecked Sendable`: memory is used by atomic operations alone, and goes with its owner.
package final class LiveWords: @unchecked Sendable {
  /// The words at one time.
  struct State: Equatable {
    /// The end of the log as the last writer left it, or `untold`.
    var end = 0
    /// True while a writer writes; it stays where one was killed meanwhile.
    var isWriting = false
    /// True once another file has taken the place of this one.
    var isReplaced = false
  }

  /// The end in place of that of a log which one store writes alone, and which it tells when it closes the file.
  static let untold = -1
  /// The place of the words in the page, behind all copies of the header.
  private static let place = 4032
  private static let count = 3, size = MemoryLayout<Int>.size
  /// The file, which its owner keeps open; -1 where no other process sees the words.
  private let descriptor: Int32
  private let words: UnsafeMutablePointer<Int>?

  /// Words that no other process sees.
  package init() {
    descriptor = -1
    let words = UnsafeMutablePointer<Int>.allocate(capacity: Self.count)
    words.initialize(repeating: 0, count: Self.count)
    self.words = words
  }

  /// The words of a file that stays open as long as they are used.
  init(_ descriptor: Int32) { (self.descriptor, words) = (descriptor, nil) }

  deinit { words?.deallocate() }

  /// The words as they are now; of a file that is cut off, those that have its owner look at it.
  @inline(__always)
  var state: State {
    if let words {
      return State(
        end: mp_atomic_load(words), isWriting: mp_atomic_load(words + 1) != 0,
        isReplaced: mp_atomic_load(words + 2) != 0)
    }
    return readState()
  }

  private func readState() -> State {
    withUnsafeTemporaryAllocation(of: Int.self, capacity: Self.count) { memory in
      let size = Self.count * Self.size
      guard pread(descriptor, memory.baseAddress, size, off_t(Self.place)) == size else {
        return State(end: Self.untold, isWriting: true)
      }
      return State(end: memory[0], isWriting: memory[1] != 0, isReplaced: memory[2] != 0)
    }
  }

  /// Tells where the log ends, and whether more is being written.
  @inline(__always)
  func set(end: Int, isWriting: Bool) {
    if let words {
      mp_atomic_store(words, end)
      mp_atomic_store(words + 1, isWriting ? 1 : 0)
    } else {
      write([end, isWriting ? 1 : 0], at: 0)
    }
  }

  /// Tells that a writer has begun.
  func beginWriting() { set(1, at: 1) }

  /// Tells whether another file has taken the place of this one.
  func setReplaced(_ isReplaced: Bool) { set(isReplaced ? 1 : 0, at: 2) }

  private func set(_ value: Int, at index: Int) {
    if let words { mp_atomic_store(words + index, value) } else { write([value], at: index) }
  }

  private func write(_ values: [Int], at index: Int) {
    _ = values.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, off_t(Self.place + index * Self.size)) }
  }
}
