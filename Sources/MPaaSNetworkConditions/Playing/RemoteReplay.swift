package import MPaaSSupport
import MPaaSToolSupport

/// A timeline on the proxies of a running server of the control API, which is asked from time to time how far it is.
package struct RemoteReplay: Sendable {
  /// Sends a request of the control API and gives the answer.
  package typealias Ask =
    @Sendable (_ method: String, _ path: [String], _ body: JSONValue?) async throws -> JSONValue

  /// The end of it, or the beginning where it goes on by itself.
  package struct Outcome: Sendable, Equatable {
    /// `ended`, `stopped`, `playing`; while it is followed also other words of the server.
    package let state: String
    package let rounds: Int
  }

  private let timeline: Timeline
  private let proxies: [String]?
  private let ask: Ask
  private let pause: @Sendable () async -> Void

  /// - Parameters:
  ///   - proxies: The proxies that it is for; nil for all.
  ///   - pause: Waits until the server is asked again.
  package init(
    _ timeline: Timeline, proxies: [String]?,
    pause: @escaping @Sendable () async -> Void = { try? await Task.sleep(for: .milliseconds(200)) },
    ask: @escaping Ask
  ) {
    self.timeline = timeline
    self.proxies = proxies
    self.pause = pause
    self.ask = ask
  }

  /// Begins it, and follows it to its end unless it is to go on by itself; SIGINT and SIGTERM stop it.
  ///
  /// - Parameter note: Takes each change: the time in the timeline, and what holds from then on.
  /// - Throws: Errors of `ask`.
  package func play(
    isDetached: Bool, note: @escaping @Sendable (_ time: String, _ label: String) -> Void
  ) async throws -> Outcome {
    try await begin()
    if isDetached { return Outcome(state: "playing", rounds: 0) }
    let last = try await InterruptibleWork.run { try await follow(note) }
    guard last.isInterrupted else { return last.value }
    _ = try await ask("DELETE", ["timelines", timeline.name], nil)
    return Outcome(state: "stopped", rounds: last.value.rounds)
  }

  private func begin() async throws {
    var object = timeline.apiJSON.object ?? [:]
    object["proxies"] = proxies.map { .array($0.map { .string($0) }) }
    _ = try await ask("POST", ["timelines"], .object(object))
  }

  /// Asks how far it is until it has ended, or the task is cancelled.
  package func follow(_ note: (_ time: String, _ label: String) -> Void) async throws -> Outcome {
    var told = ""
    while true {
      let answer = try await ask("GET", ["timelines", timeline.name], nil).object ?? [:]
      let state = answer["state"]?.string ?? ""
      let rounds: Int = answer["rounds"]?.integer() ?? 0
      if state == "ended" || state == "stopped" || Task.isCancelled { return Outcome(state: state, rounds: rounds) }
      let position = Duration(inMilliseconds: (answer["position_seconds"]?.double ?? 0) * 1000)
      let labels = timeline.active(at: position).map { timeline.steps[$0].label }
      let label = labels.isEmpty ? "normal" : labels.joined(separator: ", ")
      if label != told {
        note(Quantity.text(Duration(inMilliseconds: (position.inMilliseconds / 100).rounded() * 100)), label)
        told = label
      }
      await pause()
    }
  }
}
