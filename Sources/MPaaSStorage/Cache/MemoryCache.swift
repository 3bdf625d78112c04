import MPaaSLock

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Values by key in memory, up to a capacity; the policy says which go when it is full.
///
/// Threads may use one at once.
///
///     let pictures = MemoryCache<Picture>(capacity: 200)
///     pictures.set(picture, forKey: url)
///     if let picture = pictures.value(forKey: url) { … }
public final class MemoryCache<Value: Sendable>: Sendable {
  @usableFromInline let store: CacheStore

  /// Creates a cache.
  ///
  /// - Parameters:
  ///   - capacity: The sum of the costs of what it holds; the number of values, where each costs 1.
  ///   - policy: The rule by which it chooses what goes.
  public init(capacity: Int, policy: CachePolicy = .s3fifo) { store = CacheStore(policy, capacity: capacity) }

  /// Stores a value; nil removes the key.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - key: The name that it is found by.
  ///   - cost: The part of the capacity that the value takes; one that is greater than all of it is not kept.
  ///   - expiry: The time from which the value is not there any more.
  @inlinable
  public func set(_ value: Value?, forKey key: String, cost: Int = 1, expiry: Date? = nil) {
    store.set(value.map { ValueBox($0) }, key, cost: cost, expiry: expiry)
  }

  /// Stores several values, which do not expire.
  public func set(_ values: [String: Value]) {
    for (key, value) in values { set(value, forKey: key) }
  }

  /// The value of a key, which counts as a use; nil where it has none, or one that has expired.
  @inlinable
  public func value(forKey key: String) -> Value? {
    // Compiled where the type is known, as generic code would look for the box's type in each call.
    var found: Value?
    store.read(key) { box in
      // The cache puts in no other boxes.
      found = unsafeDowncast(box, to: ValueBox<Value>.self).value
    }
    return found
  }

  private func value(of box: CacheBox) -> Value {
    // The cache puts in no other boxes.
    unsafeDowncast(box, to: ValueBox<Value>.self).value
  }

  /// Tells whether a key has a value; this is no use of it.
  public func exists(forKey key: String) -> Bool { store.exists(key) }

  /// The first values from the newest or from the oldest on; this is no use of them.
  public func peek(_ count: Int, fromNewest: Bool = true) -> [Value] {
    store.peek(count, fromNewest: fromNewest).map(value(of:))
  }

  /// The number of values.
  public var count: Int { store.state.withLock { state in state.places.count } }

  /// The sum of the costs of the values.
  public var cost: Int { store.state.withLock { state in state.cost } }

  /// The sum of costs that there is room for.
  public var capacity: Int { store.state.withLock { state in state.capacity } }

  /// Gives it another capacity; what has no room any more goes.
  public func resize(to capacity: Int) { store.state.withLock { state in state.resize(max(capacity, 0)) } }

  /// Removes a key.
  public func remove(forKey key: String) { store.remove([key]) }

  /// Removes several keys.
  public func remove(forKeys keys: some Collection<String>) { store.remove(Array(keys)) }

  /// Removes all values.
  public func removeAll() { store.state.withLock { state in state.removeAll() } }

  /// Removes the keys that begin with a text.
  public func remove(prefix: String) { remove(where: { $0.hasPrefix(prefix) }) }

  /// Removes the keys that end with a text.
  public func remove(suffix: String) { remove(where: { $0.hasSuffix(suffix) }) }

  /// Removes the keys that a pattern of SQL's LIKE matches.
  public func remove(like pattern: String) {
    let pattern = LikePattern(pattern)
    remove(where: { pattern.matches($0) })
  }

  /// Removes the keys that `isGoing` says so of; it must not use the cache.
  public func remove(where isGoing: (String) -> Bool) {
    let keys = store.state.withLock { state in state.places.keys }
    store.remove(keys.filter(isGoing))
  }
}

@available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
extension MemoryCache {
  /// Removes the keys that a regular expression matches as a whole.
  public func remove(matching expression: some RegexComponent) {
    remove(where: { $0.wholeMatch(of: expression) != nil })
  }
}
