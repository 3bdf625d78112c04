extension MicroApp {
  /// Hands a notification from a server to this micro-app alone.
  ///
  /// - Returns: Whether it was meant for it.
  /// - Throws: `application-step-failed`, with what the delegate threw.
  public func handle(
    _ notification: NotificationPayload, reply: EventReply<FetchResult>
  ) throws(FrameworkError) -> Bool {
    do {
      return try delegate.application(self, didReceiveRemoteNotification: notification, reply: reply)
    } catch {
      throw FrameworkError(
        .applicationStepFailed, .application(name), at: place,
        values: ["step": "application(_:didReceiveRemoteNotification:reply:)"], underlying: error)
    }
  }
}

extension MobileContext {
  /// Asks the micro-apps from the top of the stack down, until one says that the notification was meant for it.
  ///
  /// - Returns: The errors of those that threw; they did not keep it from those below.
  func offer(_ notification: NotificationPayload, _ reply: EventReply<FetchResult>) -> [FrameworkError] {
    var errors: [FrameworkError] = []
    for application in stack.reversed() where application.state == .running || application.state == .paused {
      do throws(FrameworkError) {
        if try application.handle(notification, reply: reply) { break }
      } catch {
        errors.append(error)
      }
    }
    return errors
  }
}
