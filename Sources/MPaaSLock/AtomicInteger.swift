public import CAtomicWord

/// An integer that threads read and change without a lock: a count, a flag, a pointer's bits.
///
/// It stands for `Atomic` of Synchronization, which iOS has only since 18. A load acquires what the store released that
/// it sees; sums and exchanges do both.
///
/// `@unchecked Sendable`: the memory is used by atomic operations alone, and the pointer never changes.
@usableFromInline
package struct AtomicInteger: ~Copyable, @unchecked Sendable {
  @usableFromInline let word: UnsafeMutablePointer<Int>

  /// Creates an integer, in memory of its own.
  @inlinable
  package init(_ value: Int) {
    word = .allocate(capacity: 1)
    word.initialize(to: value)
  }

  @inlinable
  deinit { word.deallocate() }

  /// Reads the value.
  @inlinable
  package borrowing func load() -> Int { mp_atomic_load(word) }

  /// Writes a value.
  @inlinable
  package borrowing func store(_ value: Int) { mp_atomic_store(word, value) }

  /// Writes a value.
  ///
  /// - Returns: The value before.
  @inlinable
  package borrowing func exchange(_ value: Int) -> Int { mp_atomic_exchange(word, value) }

  /// Adds `number`.
  ///
  /// - Returns: The sum; where the integer's range is left, it goes on at the other end.
  @inlinable
  @discardableResult
  package borrowing func add(_ number: Int) -> Int { mp_atomic_add(word, number) }
}
