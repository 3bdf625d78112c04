/// The end of one notification on its way to a provider.
package enum PushOutcome: Sendable, Equatable {
  /// The provider has taken it, under this ID of its own where it tells one.
  case accepted(id: String?)
  /// The provider has refused it for good, or as often as it was tried.
  case failed(PushFailure)
  /// It was sent and never answered; sending it again could show it twice.
  case unknown(String)
  /// It was never sent, and can be.
  case unsent(String)
}

/// A refusal by a provider.
package struct PushFailure: Sendable, Equatable, Codable {
  package let status: Int
  package let reason: String
  /// The millisecond since 1970 at which APNs last knew that the token had ended.
  package let timestamp: UInt64?
  /// Seconds until the provider wants to be asked again, where it said so and was not.
  package var retryAfter: Double?

  package init(status: Int, reason: String, timestamp: UInt64? = nil) {
    self.status = status
    self.reason = reason
    self.timestamp = timestamp
  }

  /// Tells whether the refusal ends a token that was registered at a millisecond since 1970.
  ///
  /// An app that was installed again after APNs gave a token up has a right to the same token.
  package func endsToken(registeredAt registered: UInt64) -> Bool {
    switch (status, reason) {
    case (400, APNsReason.badDeviceToken.rawValue), (404, "UNREGISTERED"): true
    case (410, _): timestamp.map { registered < $0 } ?? true
    default: false
    }
  }
}

/// A notification's outcome, and what is to be done for it.
package enum PushVerdict: Sendable, Equatable {
  case final(PushOutcome)
  /// The same notification may be sent again after so many seconds or more; others may go on.
  case later(PushFailure, retryAfter: Double?)
  /// The provider wants a pause of all notifications.
  case pause(PushFailure, retryAfter: Double?)
  /// The sender's credential has expired: a new one, then the same notification again.
  case renew(PushFailure)
  /// The sender's credential is refused, and would be for all others.
  case stop(PushFailure)
}
