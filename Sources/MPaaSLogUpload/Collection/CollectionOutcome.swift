import MPaaSProtocol

/// The actions of a device for a task that asks for its logs.
public struct CollectionOutcome: Sendable, Hashable {
  /// A stage that the answer to a task has reached.
  public enum State: String, Sendable, Hashable {
    /// The server has stored and verified the archive.
    case done
    /// It waits for a network that the task allows, or for the server.
    case waiting
    /// There is nothing to send, or it cannot be sent; `reason` says why.
    case failed
    /// Somebody else has it, or it was cancelled.
    case given
  }

  /// The ID of the task.
  public var task: String
  /// The stage that the device's answer to the task has reached.
  public var state: State
  /// Bytes of the archive.
  public var size: Int64?
  /// The reason for which the archive waits or was not sent; nil where there is none.
  public var reason: String?

  /// Makes an outcome, without size and reason unless they are given.
  public init(task: String, state: State, size: Int64? = nil, reason: String? = nil) {
    self.task = task
    self.state = state
    self.size = size
    self.reason = reason
  }
}
