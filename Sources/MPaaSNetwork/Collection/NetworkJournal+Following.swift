extension NetworkJournal {
  /// Writes down what happens to a collection until the task is cancelled or the collection is shut down: events, what
  /// holds after each change, and statistics every `interval`.
  public func follow(
    _ collection: ProxyCollection, every interval: Duration = .seconds(1),
    clock: any Clock<Duration> = ContinuousClock()
  ) async {
    let events = await collection.events()
    note(await collection.all)
    note(await collection.statistics())
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        while (try? await clock.sleep(for: interval)) != nil, !Task.isCancelled {
          self.note(await collection.statistics())
        }
      }
      for await event in events {
        note(event)
        if event.kind.changesState { note(await collection.all) }
        if Task.isCancelled { break }
      }
      group.cancelAll()
    }
    note(await collection.statistics())
  }
}

extension NetworkEvent.Kind {
  /// Tells whether other conditions hold after it than before.
  var changesState: Bool {
    switch self {
    case .proxyAdded, .proxyChanged, .proxyRemoved, .toxicAdded, .toxicChanged, .toxicRemoved, .profileApplied,
      .timelineStep, .timelineEnded, .reset:
      true
    case .timelineStarted, .connectionOpened, .connectionClosed, .connectionFailed, .request: false
    }
  }
}
