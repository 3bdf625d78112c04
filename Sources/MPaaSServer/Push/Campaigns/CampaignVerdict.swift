import MPaaSProtocol
import MPaaSPush

/// The meaning of an outcome for a campaign.
enum CampaignVerdict: Sendable, Equatable {
  /// The provider has been asked.
  case ended(PushDeliveryState, status: Int?, reason: String?)
  /// It was never sent.
  case returned
  /// The provider has certainly not taken it, and takes others: this installation can be asked for later.
  case busy(retryAfter: Double?)
  /// The provider has certainly not taken it, and nothing more is to be sent for a time.
  case setback(reason: String, retryAfter: Double?)
  /// The same, and nothing more is to be sent before somebody has mended it.
  case stopped(reason: String)

  /// The most times that the provider is too busy for an installation.
  static let mostTries = 5

  init(_ outcome: PushOutcome) {
    switch outcome {
    case .accepted: self = .ended(.accepted, status: 200, reason: nil)
    case .unknown(let reason): self = .ended(.unknown, status: nil, reason: reason)
    case .unsent("Paused"): self = .returned
    case .unsent(let reason): self = .setback(reason: reason, retryAfter: nil)
    case .failed(let failure): self.init(failure)
    }
  }

  private init(_ failure: PushFailure) {
    let reason = String(failure.reason.prefix(100))
    switch failure.status {
    // 500 may have come behind a notification that was taken: that is an answer.
    case 429 where failure.reason == APNsReason.tooManyRequests.rawValue:
      self = .busy(retryAfter: failure.retryAfter)
    case 0, 429, 503: self = .setback(reason: reason, retryAfter: failure.retryAfter)
    case 401: self = .stopped(reason: reason)
    case 400, 403:
      self = failure.isOfAll ? .stopped(reason: reason) : .ended(.failed, status: failure.status, reason: reason)
    default: self = .ended(.failed, status: failure.status, reason: reason)
    }
  }
}

extension PushFailure {
  /// Tells whether each further notification of the campaign would be refused, too.
  fileprivate var isOfAll: Bool {
    guard let reason = APNsReason(rawValue: reason) else { return reason == "PERMISSION_DENIED" }
    return reason.status == 403 || [.topicDisallowed, .badTopic, .missingTopic].contains(reason)
  }
}
