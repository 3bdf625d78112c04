package import MPaaSPush

/// One notification on its way to one token.
package struct PushJob: Sendable {
  /// The sender's own number of it.
  package let number: Int
  package let token: String
  /// The place of the notification in the provider's list.
  package let notification: Int
  /// The number of times that it was refused.
  var attempts = 0

  package init(number: Int, token: String, notification: Int = 0) {
    self.number = number
    self.token = token
    self.notification = notification
  }
}

/// The end of a job.
package struct PushResult: Sendable {
  package let number: Int
  package let token: String
  package let outcome: PushOutcome
}
