package import MPaaSLogUpload
import MPaaSLogs
package import MPaaSProtocol

/// A wish for a user's logs, from the question to the file.
package struct CollectionOrder: Sendable {
  /// A collection task as it was last seen, and the file that its logs are in.
  package struct Outcome: Sendable {
    package let task: CollectionTask
    /// nil where nothing was to be fetched, or is there.
    package let file: String?
  }

  /// The events of an order, in the order in which they come.
  package enum Event: Sendable {
    /// The server has taken the wish; its end is waited for.
    case waits(CollectionTask)
    /// The task's state is another.
    case changed(CollectionTask)
  }

  private let wish: CollectionWish
  private let output: String?
  private let waits: Bool

  /// - Parameters:
  ///   - output: The file that the logs are to be in; with one the end is waited for.
  ///   - waits: Whether the end is waited for without one, too.
  package init(_ wish: CollectionWish, output: String? = nil, waits: Bool = false) {
    self.wish = wish
    self.output = output
    self.waits = waits || output != nil
  }

  /// Asks, and waits and fetches as it is to, until the caller is cancelled.
  ///
  /// - Parameter told: Gets the events of an order that is waited for.
  package func run(
    at server: LogServer, _ polling: Polling, told: (Event) -> Void
  ) async throws -> Outcome {
    let made = try await server.collect(wish)
    guard waits else { return Outcome(task: made, file: nil) }
    told(.waits(made))
    let task = try await server.end(of: made, polling) { told(.changed($0)) }
    guard task.state == .done, let upload = task.upload, let output else { return Outcome(task: task, file: nil) }
    try server.fetch(upload: upload, to: output)
    return Outcome(task: task, file: output)
  }
}
