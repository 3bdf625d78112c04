#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A value of any type, in memory of its own.
///
/// `@unchecked Sendable`: it holds nothing itself, and what derives from it holds one value that never changes.
class CacheBox: @unchecked Sendable {}

/// A value of one type.
final class ValueBox<Value: Sendable>: CacheBox, @unchecked Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}

/// The values of a cache behind a lock.
///
/// It knows no type of them, so that the compiler makes it once and for all, and not anew for each type at run time.
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

  /// The value of a key, which counts as a use.
  func value(_ key: String) -> CacheBox? {
    var isExpired = false
    let mark = places.mark(key)
    let found = state.withReading { state -> CacheBox? in
      let place = places.place(key, mark)
      guard place >= 0 else { return nil }
      isExpired = Self.isExpired(state.pointee.items[Int(place)].expiry)
      if isExpired { return nil }
      if isLRU { state.pointee.use(place) } else { uses.count(place, upTo: mostUses) }
      return state.pointee.items[Int(place)].value
    }
    if isExpired { removeExpired(key) }
    return found
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
