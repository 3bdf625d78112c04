/// A yes or no that threads read and change without a lock.
@usableFromInline
package struct AtomicFlag: ~Copyable, Sendable {
  @usableFromInline let integer: AtomicInteger

  /// Creates a flag.
  @inlinable
  package init(_ isSet: Bool) { integer = AtomicInteger(isSet ? 1 : 0) }

  /// Reads the flag; what the thread that set it did before is seen, too.
  @inlinable
  package borrowing func load() -> Bool { integer.load() != 0 }

  /// Sets the flag to `isSet`.
  @inlinable
  package borrowing func store(_ isSet: Bool) { integer.store(isSet ? 1 : 0) }

  /// Sets the flag to `isSet`.
  ///
  /// - Returns: What it was before.
  @inlinable
  package borrowing func exchange(_ isSet: Bool) -> Bool { integer.exchange(isSet ? 1 : 0) != 0 }
}
