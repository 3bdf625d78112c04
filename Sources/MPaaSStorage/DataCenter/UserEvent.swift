/// The events of a data center's users.
public enum UserEvent: Sendable, Equatable {
  /// The user's storage is about to be left, for that of another one or of none.
  case willResign(user: String)
  /// Another user has signed in, or the last one has signed out.
  case didSwitch(from: String?, to: String?)
  /// The user who was signed in signed in again.
  case didRenew(user: String)
}

/// Those who are told of users: parts of the storage at once, the app by sequences.
struct UserObservers {
  private var storage: [Int: @Sendable (UserEvent) -> Void] = [:]
  private var sequences: [Int: AsyncStream<UserEvent>.Continuation] = [:]
  private var next = 0

  mutating func add(_ observer: @escaping @Sendable (UserEvent) -> Void) -> Int {
    next += 1
    storage[next] = observer
    return next
  }

  mutating func add(_ continuation: AsyncStream<UserEvent>.Continuation) -> Int {
    next += 1
    sequences[next] = continuation
    return next
  }

  mutating func remove(_ number: Int) {
    storage[number] = nil
    sequences[number] = nil
  }

  /// Tells the storage before it puts the event into the sequences.
  func tell(_ event: UserEvent) {
    for number in storage.keys.sorted() { storage[number]?(event) }
    for number in sequences.keys.sorted() { sequences[number]?.yield(event) }
  }

  func finish() { for continuation in sequences.values { continuation.finish() } }
}
