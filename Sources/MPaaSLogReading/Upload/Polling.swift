import MPaaSLogs
package import MPaaSTime

/// The pause between two questions of the same, which end when the task that asks is cancelled.
package struct Polling: Sendable {
  private let pause: TimeSpan
  private let sleep: @Sendable (TimeSpan) async -> Void

  /// - Parameter sleep: Waits, and returns early where the task is cancelled.
  package init(
    every pause: TimeSpan, sleep: @escaping @Sendable (TimeSpan) async -> Void = { try? await Task.sleep(for: $0) }
  ) {
    self.pause = pause
    self.sleep = sleep
  }

  /// Waits for the time of the next question.
  package func wait() async { await sleep(pause) }
}
