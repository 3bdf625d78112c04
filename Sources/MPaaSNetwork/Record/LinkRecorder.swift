/// Measures a real network again and again.
package struct LinkRecorder: Sendable {
  package let probe: LinkProbe
  package let interval: Duration

  package init(_ probe: LinkProbe, every interval: Duration = .seconds(1)) {
    self.probe = probe
    self.interval = interval
  }

  /// Looks every `interval` for `length`, or until the task is cancelled; a look that takes longer keeps none waiting.
  ///
  /// - Parameter told: Called with each sample as it comes.
  package func samples(
    for length: Duration, told: @escaping @Sendable (LinkSample) -> Void = { _ in }
  ) async -> [LinkSample] {
    let clock = ContinuousClock()
    let start = clock.now
    var samples: [LinkSample] = []
    await withTaskGroup(of: LinkSample.self) { group in
      var round = 0
      while !Task.isCancelled, interval * round < length {
        let due = interval * round
        guard (try? await clock.sleep(until: start + due, tolerance: .zero)) != nil else { break }
        group.addTask { await probe.look(at: due.inMilliseconds / 1000) }
        round += 1
      }
      for await sample in group {
        samples.append(sample)
        told(sample)
      }
    }
    return samples.sorted { $0.time < $1.time }
  }
}
