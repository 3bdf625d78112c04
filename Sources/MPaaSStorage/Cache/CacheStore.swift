import MPaaSLock

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
  let state: Lock<CacheState<CacheBox>>

  init(_ policy: CachePolicy, capacity: Int) { state = Lock(CacheState(policy, capacity: max(capacity, 0))) }

  /// Stores a value; nil removes the key.
  func set(_ value: CacheBox?, _ key: String, cost: Int, expiry: Date?) {
    let time = expiry.map(Self.time) ?? 0
    state.withLock { state in
      if let place = state.places[key] {
        if let value, state.entries[Int(place)]?.cost == cost {
          state.entries[Int(place)]?.value = value
          state.entries[Int(place)]?.expiry = time
          return state.use(place)
        }
        state.remove(place)
      }
      if let value { state.insert(key, value, cost: max(cost, 0), expiry: time) }
    }
  }

  /// The value of a key, which counts as a use.
  func value(_ key: String) -> CacheBox? {
    state.withLock { state in
      guard let place = state.places[key] else { return nil }
      if let expiry = state.entries[Int(place)]?.expiry, expiry != 0, expiry <= Self.time(Date()) {
        state.remove(place)
        return nil
      }
      state.use(place)
      return state.entries[Int(place)]?.value
    }
  }

  /// Tells whether a key has a value.
  func exists(_ key: String) -> Bool {
    state.withLock { state in
      guard let place = state.places[key], let expiry = state.entries[Int(place)]?.expiry else { return false }
      return expiry == 0 || expiry > Self.time(Date())
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
