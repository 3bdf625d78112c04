import MPaaSLock

/// The one source that tells the parts of an app who is signed in.
///
/// Each switch is told to all parts, storage first, and each part is waited for; the next switch begins when the last
/// part has returned. What was fetched for one user is never taken for another: a ticket is taken before the fetch, and
/// does not count any more as soon as a switch is called.
///
/// ```swift
/// let users = UserState()
/// users.observe(.storage) { session in center.switchUser(to: session.userID) }
/// users.observe(.badges, by: tree)
/// await users.signIn("2088001", sessionID: token)
/// await users.signOut()
/// ```
public final class UserState: Sendable {
  private struct Entry {
    let number: Int
    let stage: UserStage
    let tell: @Sendable (UserSession) async -> Void
  }

  private struct State {
    /// The user as the app's parts know it.
    var current: UserSession
    /// The user that the last call named; its switch may be under way.
    var latest: UserSession
    var entries: [Entry] = []
    var sequences: [Int: AsyncStream<UserSession>.Continuation] = [:]
    var next = 0
    /// The last switch that was called.
    var tail: Task<Void, Never>?
  }

  /// True in what an observer calls: it must not wait for a switch that waits for it.
  @TaskLocal private static var isTelling = false
  private let state: Lock<State>

  /// Creates a state of no user.
  public init() {
    let nobody = UserSession(userID: nil, sessionID: nil, ticket: UserTicket(userID: nil))
    state = Lock(State(current: nobody, latest: nobody))
  }

  deinit {
    state.withLock { state in for sequence in state.sequences.values { sequence.finish() } }
  }

  /// The user as of now: the new one as soon as the storage has been told.
  public var current: UserSession { state.withLock { $0.current } }
  /// The user who is signed in; nil for none: `currentUserId` of the old kit.
  public var userID: String? { current.userID }
  /// The ID of the session; nil for none: `currentSessionId` of the old kit.
  public var sessionID: String? { current.sessionID }

  // MARK: - Switching

  /// Signs a user in, and returns when all parts have been told.
  ///
  /// An observer may call it, too; it returns at once there, and the switch follows the one that is under way.
  public func signIn(_ userID: String, sessionID: String? = nil) async {
    await change(to: userID.isEmpty ? nil : userID, sessionID)
  }

  /// Signs the user out: all parts are told of nil.
  public func signOut() async { await change(to: nil, nil) }

  private func change(to userID: String?, _ sessionID: String?) async {
    let task = state.withLock { state in
      let isSame = UserSession.isSame(state.latest.userID, userID)
      // From here on no ticket of the former user counts.
      let session = UserSession(
        userID: userID, sessionID: userID == nil ? nil : sessionID,
        ticket: isSame ? state.latest.ticket : UserTicket(userID: userID))
      state.latest = session
      let task = Task { [previous = state.tail] in
        await previous?.value
        await Self.$isTelling.withValue(true) { await self.tell(session) }
      }
      state.tail = task
      return task
    }
    if !Self.isTelling { await task.value }
  }

  private func tell(_ session: UserSession) async {
    let entries = state.withLock { state in
      state.entries.sorted { ($0.stage, $0.number) < ($1.stage, $1.number) }
    }
    for entry in entries.prefix(while: { $0.stage == .storage }) { await entry.tell(session) }
    state.withLock { state in state.current = session }
    for entry in entries.drop(while: { $0.stage == .storage }) { await entry.tell(session) }
    state.withLock { state in for sequence in state.sequences.values { sequence.yield(session) } }
  }

  // MARK: - Observers

  /// Tells a part of each user from now on; of those of a stage the first to come is told first.
  @discardableResult
  public func observe(
    _ stage: UserStage, _ tell: @escaping @Sendable (UserSession) async -> Void
  ) -> UserObservation {
    let number = state.withLock { state in
      state.next += 1
      state.entries.append(Entry(number: state.next, stage: stage, tell: tell))
      return state.next
    }
    return UserObservation(number: number, state: self)
  }

  /// Tells an object of each user from now on, as long as it lives.
  @discardableResult
  public func observe(_ stage: UserStage, by observer: some UserObserver) -> UserObservation {
    observe(stage) { [weak observer] session in await observer?.userChanged(to: session) }
  }

  /// The users from now on, each after all parts were told.
  public var changes: AsyncStream<UserSession> {
    let (stream, continuation) = AsyncStream.makeStream(of: UserSession.self)
    let number = state.withLock { state in
      state.next += 1
      state.sequences[state.next] = continuation
      return state.next
    }
    continuation.onTermination = { [weak self] _ in self?.remove(number) }
    return stream
  }

  func remove(_ number: Int) {
    state.withLock { state in
      state.entries.removeAll { $0.number == number }
      state.sequences[number] = nil
    }
  }

  // MARK: - Work for a user

  /// The ticket of work for the user who signed in last, though not all parts may know yet.
  public var ticket: UserTicket { state.withLock { $0.latest.ticket } }

  /// Tells whether work with a ticket still counts.
  public func isCurrent(_ ticket: UserTicket) -> Bool { state.withLock { $0.latest.ticket == ticket } }

  /// Fetches something for the user.
  ///
  /// - Returns: What `body` returned; nil where another user signed in, or this one out, while it ran.
  /// - Throws: What `body` throws, unless it no longer counts.
  public func fetch<Value: Sendable>(
    _ body: @Sendable (UserTicket) async throws -> Value
  ) async throws -> Value? {
    let ticket = ticket
    do {
      let value = try await body(ticket)
      return isCurrent(ticket) ? value : nil
    } catch {
      guard isCurrent(ticket) else { return nil }
      throw error
    }
  }
}
