import MPaaSProtocol
import MPaaSSupport

/// The changes of a collection task: a pure function of what it is and what is asked.
enum TaskRules {
  /// The party that asks for a change.
  enum Party: Sendable {
    /// The operator, who made the task.
    case `operator`
    case device
  }

  /// States that may follow.
  private static func next(_ state: CollectionTask.State, _ party: Party) -> Set<CollectionTask.State> {
    switch (party, state) {
    case (.operator, .waiting), (.operator, .picked), (.operator, .uploading): [.cancelled]
    case (.device, .waiting): [.picked, .failed]
    case (.device, .picked): [.picked, .uploading, .done, .failed, .waiting]
    case (.device, .uploading): [.uploading, .done, .failed, .picked, .waiting]
    default: []
    }
  }

  /// The task after a change.
  ///
  /// - Parameters:
  ///   - picker: The device that has it.
  ///   - isStored: Whether an upload is whole and verified and answers this task.
  /// - Throws: `collection-task-state`, `collection-task-taken`, `collection-task-upload`.
  static func changed(
    _ task: CollectionTask, picker: String?, by change: CollectionTaskChange, _ party: Party, at now: Double,
    isStored: (String) -> Bool
  ) throws(ServerError) -> CollectionTask {
    var task = task
    let state = change.state ?? task.state
    // A device that got no answer says the same again.
    if task.state.isFinal, state == task.state, change.upload == nil || change.upload == task.upload { return task }
    guard next(task.state, party).contains(state) else {
      throw ServerError(.taskState, ["task": task.id, "state": task.state.rawValue, "change": state.rawValue])
    }
    if party == .device, let picker, task.state != .waiting, let device = change.device, device != picker {
      throw ServerError(.taskTaken, ["task": task.id, "device": picker])
    }
    if let upload = change.upload { task.upload = upload }
    if state == .done {
      guard let upload = task.upload, isStored(upload) else {
        throw ServerError(.taskUpload, ["task": task.id, "upload": task.upload ?? "–"])
      }
    }
    task.state = state
    if let sent = change.sent { task.sent = sent.clamped }
    if let size = change.size { task.size = size.clamped }
    if let reason = change.reason { task.reason = String(reason.prefix(500)) }
    task.updated = now
    return task
  }
}

extension Int64 {
  /// The nearest size that readers of JSON keep exact: 0 to 2^53 - 1 (RFC 7493 section 2.2).
  fileprivate var clamped: Int64 { Swift.min(Swift.max(self, 0), 1 << 53 - 1) }
}
