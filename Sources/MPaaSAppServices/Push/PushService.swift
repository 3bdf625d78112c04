import MPaaSLock
import MPaaSSupport

/// The app's end of remote notifications: the token of the device, its user, and what comes in.
///
/// It stands for the registration of the old kit's `LoginService` and for `ServicePush`.
///
/// The token is told to the server with the user who is signed in, again when either changes, and again when the server
/// could not be reached: at the next token, the next user, or `retry()`. Reports follow one another, so that the last
/// one that the server hears is of the present user.
///
/// ```swift
/// let push = PushService(configuration)
/// users.observe(.push, by: push)
/// push.observe { event in router.open(event["url"]) }
/// push.register(deviceToken: [UInt8](deviceToken))  // didRegisterForRemoteNotificationsWithDeviceToken
/// ```
public final class PushService: UserObserver {
  private struct State {
    var token: String?
    var userID: String?
    /// The binding that the server knows; nil where that is not sure.
    var reported: KeptPushBinding?
    /// The last report that was called for.
    var tail: Task<Void, Never>?
    var listeners: [Int: @Sendable (PushEvent) -> Void] = [:]
    var lastListener = 0
    /// Events from before the first listener: an app that is opened by a notification has none yet.
    var early: [PushEvent] = []
  }

  /// The most events that wait for the first listener; the oldest go.
  static let earlyLimit = 16

  private let configuration: PushServiceConfiguration
  private let state = Lock(State())

  /// Creates a service without a token.
  public init(_ configuration: PushServiceConfiguration) {
    self.configuration = configuration
    let kept = configuration.kept()
    if let kept, kept.reported > KeptPushBinding.inDoubt { state.withLock { $0.reported = kept } }
  }

  // MARK: - The token

  /// The device token in small hexadecimal digits; nil before the system has given one: `pushToken`.
  public var deviceToken: String? { state.withLock { $0.token } }

  /// Takes the token as the system gives it.
  public func register(deviceToken bytes: some Collection<UInt8> & Sendable) { take(bytes.hexadecimal) }

  /// Takes the token in the form that older systems describe it in: `<0a1b… …>`.
  ///
  /// - Throws: `AppServiceError` `push-token-malformed`.
  public func register(described text: String) throws(AppServiceError) {
    let digits = String(text.filter { !["<", ">", " "].contains($0) })
    guard let bytes = [UInt8](hexadecimal: digits), !bytes.isEmpty else {
      throw AppServiceError(.pushTokenMalformed, ["token": String(text.prefix(80))])
    }
    take(bytes.hexadecimal)
  }

  private func take(_ token: String) {
    state.withLock { $0.token = token }
    report()
  }

  // MARK: - The user

  /// Binds the token to the user of a session, or with nil to none; returns when the server was told, or was not to be
  /// reached.
  public func userChanged(to session: UserSession) async {
    state.withLock { $0.userID = session.userID }
    await report().value
  }

  /// Tells the server what it could not be told before.
  ///
  /// - Returns: Whether it knows the present token and user now.
  @discardableResult
  public func retry() async -> Bool {
    await report().value
    return state.withLock { state in
      state.token == nil || state.reported.map { $0.binding.token == state.token && same($0, state) } ?? false
    }
  }

  private func same(_ kept: KeptPushBinding, _ state: State) -> Bool {
    UserSession.isSame(kept.binding.userID, state.userID)
  }

  /// Has the present token and user reported behind the reports that are under way.
  @discardableResult
  private func report() -> Task<Void, Never> {
    state.withLock { state in
      let task = Task { [previous = state.tail] in
        await previous?.value
        await self.reportNow()
      }
      state.tail = task
      return task
    }
  }

  private func reportNow() async {
    guard let binding = due() else { return }
    doubt(binding)
    do {
      try await configuration.report(binding)
    } catch {
      return
    }
    let kept = KeptPushBinding(binding: binding, reported: configuration.now())
    state.withLock { $0.reported = kept }
    configuration.keep(kept)
  }

  /// Forgets the binding before the one that the server is about to be told.
  ///
  /// After a lost answer it is open which of them the server has, and the user before may be the next one, too.
  private func doubt(_ binding: PushBinding) {
    let isOther = state.withLock { state in
      guard let last = state.reported, last.binding != binding || !same(last, state) else { return false }
      state.reported = nil
      return true
    }
    if isOther { configuration.keep(KeptPushBinding(binding: binding, reported: KeptPushBinding.inDoubt)) }
  }

  /// The binding that the server is to be told; nil where it knows it.
  private func due() -> PushBinding? {
    let now = configuration.now()
    return state.withLock { state in
      guard let token = state.token else { return nil }
      let binding = PushBinding(
        token: token, userID: state.userID, appID: configuration.appID, installationID: configuration.installationID)
      guard let last = state.reported, last.binding == binding, same(last, state) else { return binding }
      // A clock that was put back counts as a long time.
      return (0..<configuration.refreshInterval).contains(now - last.reported) ? nil : binding
    }
  }

  // MARK: - Events

  /// Hands a notification to all listeners; those of the start wait for the first one.
  public func receive(_ event: PushEvent) {
    let listeners = state.withLock { state -> [@Sendable (PushEvent) -> Void] in
      if state.lastListener == 0 {
        state.early.append(event)
        if state.early.count > Self.earlyLimit { state.early.removeFirst() }
      }
      return Array(state.listeners.sorted { $0.key < $1.key }.map(\.value))
    }
    for listener in listeners { listener(event) }
  }

  /// Hears of notifications from now on.
  @discardableResult
  public func observe(_ listener: @escaping @Sendable (PushEvent) -> Void) -> PushObservation {
    let (number, early) = state.withLock { state in
      defer { state.early = [] }
      state.lastListener += 1
      state.listeners[state.lastListener] = listener
      return (state.lastListener, state.early)
    }
    for event in early { listener(event) }
    return PushObservation(number: number, service: self)
  }

  func remove(_ number: Int) { state.withLock { state in state.listeners[number] = nil } }
}

/// The place of a listener in a push service, which takes it out again.
public struct PushObservation: Sendable {
  let number: Int
  weak var service: PushService?

  /// Tells the listener nothing any more.
  public func cancel() { service?.remove(number) }
}
