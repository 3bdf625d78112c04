extension TimelinePlayer {
  /// Plays on the proxies of a collection, all or some by name, as a layer of its own.
  public init(
    _ timeline: Timeline, on collection: ProxyCollection, proxies: [String]? = nil, layer: String = "timeline",
    clock: any Clock<Duration> = ContinuousClock(), time: @escaping @Sendable () -> Double = NetworkJournal.now
  ) {
    self.init(
      timeline, clock: clock, time: time, note: { await collection.note($0) },
      apply: { try await collection.setLayer(layer, $0, on: proxies) })
  }
}
