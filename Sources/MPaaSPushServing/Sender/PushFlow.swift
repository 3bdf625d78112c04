package import MPaaSPush

/// A sender that stays connected while jobs come.
package final class PushFlow: Sendable {
  private let sender: PushSender
  private let queue: PushQueue
  private let ends: EndKeeper

  init(_ sender: PushSender, _ queue: PushQueue, _ ends: EndKeeper) {
    (self.sender, self.queue, self.ends) = (sender, queue, ends)
  }

  /// Sends further jobs; once `run` has returned they end as unsent.
  package func add(_ jobs: [PushJob]) { queue.add(jobs) }

  /// Has `run` return when the jobs that there are have come to an end.
  package func close() { queue.close() }

  /// Keeps connections open until `close`, or until the provider cannot be reached.
  ///
  /// - Returns: The reason why it gave up; each job that was not sent has ended as unsent then.
  package func run() async -> PushError? {
    let failure = await sender.lanes(queue, ends)
    queue.end(with: .unsent("Unreachable"))
    return failure
  }
}
