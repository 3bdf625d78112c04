public import MPaaSTime

/// The calls of the shell of the app where the system waits for an answer.
extension MobileContext {
  /// Tells of a notification that came from a server, and waits until all that hear it are done with it.
  ///
  /// Modules hear it first, then the micro-apps from the top of the stack down, until one says that it was meant.
  /// - Returns: The answers joined; a failure where a handler threw, nothing new without an answer.
  public func receive(_ notification: NotificationPayload) async -> FetchResult {
    await answer(.noData, joining: { $0.joined(with: $1) }) { reply in
      let errors = trigger(.didReceiveRemoteNotification(notification, reply))
      if !errors.isEmpty { reply.send(.failed) }
    }
  }

  /// Asks how a notification is to be shown while the app is in front.
  ///
  /// - Returns: All that was asked for; not shown without an answer.
  public func presentation(of notification: NotificationPayload) async -> NotificationPresentation {
    await answer([], joining: { $0.union($1) }) { trigger(.willPresentNotification(notification, $0)) }
  }

  /// Tells of the action of a notification that somebody chose, and waits until all that hear it are done with it.
  public func respond(to notification: NotificationPayload, action: String, text: String? = nil) async {
    await answer((), joining: { _, _ in }) {
      trigger(.didReceiveNotificationResponse(notification, action: action, text: text, $0))
    }
  }

  /// Tells of what a user goes on with here.
  ///
  /// - Returns: Whether a module took it up before this returned.
  public func resume(_ activity: UserActivity) -> Bool {
    let reply = EventReply(default: false, joining: { $0 || $1 }) { _ in }
    trigger(.continueUserActivity(activity, reply))
    return reply.answer ?? false
  }

  /// Hands on what a watch asks; it is answered exactly once.
  ///
  /// - Parameters:
  ///   - values: The values that the watch sent.
  ///   - limit: The time after which nothing is answered, whoever still keeps the reply.
  /// - Returns: The first answer; nil without an answer.
  public func answer(watch values: PayloadValues, within limit: TimeSpan = .seconds(10)) async -> PayloadValues? {
    await answer(nil, joining: nil) { reply in
      // Kept weakly: where no handler keeps the reply, the answer comes at once.
      Task { [weak reply] in
        try? await Task.sleep(for: limit)
        reply?.send(nil)
      }
      trigger(.watchRequest(values, reply))
    }
  }

  private func answer<Value: Sendable>(
    _ fallback: Value, joining: (@Sendable (Value, Value) -> Value)?,
    _ tell: (EventReply<Value>) -> Void
  ) async -> Value {
    await withCheckedContinuation { continuation in
      tell(EventReply(default: fallback, joining: joining) { continuation.resume(returning: $0) })
    }
  }
}
