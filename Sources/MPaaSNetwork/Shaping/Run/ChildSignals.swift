import CTunnel

/// The signals that would end us while we hold more than ourselves: a child, and rules that are to be undone.
package enum ChildSignals {
  /// Runs `body` with signals held back: they go to the child that runs then, or to the next one.
  package static func held<Value>(_ body: () async throws -> Value) async rethrows -> Value {
    mpaas_child_hold_signals()
    defer { mpaas_child_release_signals() }
    return try await body()
  }
}
