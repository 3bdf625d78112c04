#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A value of any type, in memory of its own.
///
/// `@unchecked Sendable`: it holds nothing itself, and what derives from it holds one value that never changes.
@usableFromInline
class CacheBox: @unchecked Sendable {
  @inlinable
  init() {}
}

/// A value of one type.
@usableFromInline
final class ValueBox<Value: Sendable>: CacheBox, @unchecked Sendable {
  @usableFromInline let value: Value

  @inlinable
  init(_ value: Value) { self.value = value }
}

/// The values of a cache behind a lock.
///
/// It knows no type of them, so that the compiler makes it once and for all, and not anew for each type at run time.
@usableFromInline
final class CacheStore: Sendable {
  let state: CacheLock<CacheState<CacheBox>>
  private let isLRU: Bool
  private let mostUses: UInt8
  // Parts of the state, which a look-up finds without it.
  private let places: CachePlaces
  private let uses: CacheUses

  init(_ policy: CachePolicy, capacity: Int) {
    (isLRU, mostUses) = (policy == .lru, policy.mostUses)
    let state = CacheState<CacheBox>(policy, capacity: max(capacity, 0))
    (places, uses) = (state.places, state.uses)
    // A use changes the order of LRU, so that there is one lock for all.
    self.state = CacheLock(state, readers: isLRU ? 1 : 8)
  }

  /// Stores a value; nil removes the key.
  @usableFromInline
  func set(_ value: CacheBox?, _ key: String, cost: Int, expiry: Date?) {
    let time = expiry.map(Self.time) ?? 0
    state.withLock { state in
      if let place = state.places[key] {
        if let value, state.items[Int(place)].cost == cost {
          state.replace(place, value, expiry: time)
          return state.use(place)
        }
        state.remove(place)
      }
      if let value { state.insert(key, value, cost: max(cost, 0), expiry: time) }
    }
  }

  /// Hands the value of a key, which counts as a use, to `take`: it copies what it wants, under the lock.
  @usableFromInline
  func read(_ key: String, _ take: (CacheBox) -> Void) {
    var isExpired = false
    let mark = places.mark(key)
    state.withReading { state in
      let place = places.place(key, mark)
      guard place >= 0 else { return }
      isExpired = Self.isExpired(state.pointee.items[Int(place)].expiry)
      if isExpired { return }
      if isLRU { state.pointee.use(place) } else { uses.count(place, upTo: mostUses) }
      // The cache holds it as long as it is locked, and threads that count references to it wait for one another.
      state.pointee.items[Int(place)].value.map(Unmanaged.passUnretained)?._withUnsafeGuaranteedRef(take)
    }
    if isExpired { removeExpired(key) }
  }

  private func removeExpired(_ key: String) {
    state.withLock { state in
      // Another thread may have stored a new value meanwhile.
      if let place = state.places[key], Self.isExpired(state.items[Int(place)].expiry) { state.remove(place) }
    }
  }

  @inline(__always)
  private static func isExpired(_ expiry: Int64) -> Bool { expiry != 0 && expiry <= time(Date()) }

  /// Tells whether a key has a value.
  func exists(_ key: String) -> Bool {
    let mark = places.mark(key)
    return state.withReading { state in
      let place = places.place(key, mark)
      guard place >= 0 else { return false }
      return !Self.isExpired(state.pointee.items[Int(place)].expiry)
    }
  }

  /// The first values from the newest or from the oldest on.
  func peek(_ count: Int, fromNewest: Bool) -> [CacheBox] {
    state.withLock { state in state.ordered(fromNewest: fromNewest).prefix(max(count, 0)).map(\.value) }
  }

  func remove(_ keys: [String]) {
    state.withLock { state in
      for key in keys { if let place = state.places[key] { state.remove(place) } }
    }
  }

  private static func time(_ date: Date) -> Int64 {
    let milliseconds = date.timeIntervalSince1970 * 1000
    return milliseconds.isFinite ? Int64(min(max(milliseconds, 1), 9e15)) : 9_000_000_000_000_000
  }
}
