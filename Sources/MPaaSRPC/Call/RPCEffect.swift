/// The effect of a call at the server, which decides whether it may be sent a second time.
public enum RPCEffect: String, Sendable, Hashable, CaseIterable {
  /// Nothing changes: answers may be kept, equal calls share one, and it may be repeated.
  case reads
  /// Two calls do what one does, so it may be repeated.
  case idempotent
  /// Each call counts: it is repeated only with a key by which the server knows it again.
  case changes
}
