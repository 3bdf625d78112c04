/// The hits of a trace of requests.
package struct CacheReplay: Sendable, Equatable {
  package private(set) var requests = 0
  package private(set) var hits = 0
  /// The places that keys of entries that went take in the end.
  package private(set) var ghostPlaces = 0

  /// Plays the requests against a cache of entries that cost 1 each.
  package init(_ keys: some Sequence<String>, _ policy: CachePolicy, capacity: Int) {
    var state = CacheState<Void>(policy, capacity: capacity)
    for key in keys {
      requests += 1
      if let place = state.places[key] {
        hits += 1
        state.use(place)
      } else {
        state.insert(key, (), cost: 1, expiry: 0)
      }
    }
    ghostPlaces = state.ghosts.placeCount
  }
}
