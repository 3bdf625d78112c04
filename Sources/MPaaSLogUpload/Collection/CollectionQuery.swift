package import MPaaSProtocol

/// A question for collection tasks of a server; what is nil leaves none out.
package struct CollectionQuery: Sendable, Equatable {
  package var user: String?
  /// A device: only tasks that it may do.
  package var device: String?
  package var state: CollectionTask.State?
  /// The id of a task: only those behind it.
  package var before: String?
  package var limit: Int?

  package init(
    user: String? = nil, device: String? = nil, state: CollectionTask.State? = nil, before: String? = nil,
    limit: Int? = nil
  ) {
    self.user = user
    self.device = device
    self.state = state
    self.before = before
    self.limit = limit
  }
}
