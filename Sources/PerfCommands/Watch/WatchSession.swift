import MPaaSCrash
import MPaaSSampling
import MPaaSSupport
import MPaaSToolSupport

/// Looks at a process again and again until it ends, the time is over, or somebody ends it.
struct WatchSession: Sendable {
  let process: Int32
  let pause: Duration
  let duration: Duration?

  /// Hands each look to `tell`, and gives all of them.
  ///
  /// - Throws: `CaptureError` where the process cannot be looked at in the first place.
  func lines(_ tell: @escaping @Sendable (WatchHistory) throws -> Void) async throws -> WatchHistory {
    let (history, _) = try await InterruptibleWork.run {
      let clock = ContinuousClock()
      var history = WatchHistory()
      history.take(try ProcessFigures.live(process))
      let start = clock.now
      try tell(history)
      var due = start
      while !Task.isCancelled {
        due = max(due + pause, clock.now)
        if let duration, due - start > duration { break }
        do { try await clock.sleep(until: due) } catch { break }
        // A process that has ended has no more figures.
        guard let figures = try? ProcessFigures.live(process) else { break }
        history.take(figures)
        try tell(history)
      }
      return history
    }
    return history
  }
}
