/// The origin of a state.
public enum FlagSource: Sendable, Hashable {
  /// The bytes that came with the app.
  case bootstrap
  /// The disk, where the last state of the user was kept.
  case cache
  /// The server, in this run of the app.
  case server
}

/// The news of a flags client.
public enum FlagClientEvent: Sendable, Equatable {
  /// There is a state; told once for each origin of a user's state, and to a listener that comes later at once.
  case ready(FlagSource)
  /// The server sent a state, whether it differs or not.
  case fetched
  /// Flags that may be answered otherwise than before, by their names.
  case changed([String])
  /// A state waits for `activate()`, with the flags that it changes.
  case held([String])
  /// A fetch failed, or a state was refused; the last good one stays.
  case failed(AppServiceError)
}
