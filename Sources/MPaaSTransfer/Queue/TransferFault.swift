import MPaaSSupport
import MPaaSTime

/// The reason why an attempt did not bring a transfer to its end, sorted by what follows.
enum TransferFault: Error {
  /// The same may work in a while.
  case passing(word: String, reason: String, retryAfter: TimeSpan?)
  /// Trying again will not help.
  case lasting(TransferError)
  /// It was told to end: paused, cancelled, or no longer allowed on this network.
  case ended

  init(_ error: HTTPError) {
    let diagnostic = error.diagnostic
    switch error.code {
    case .unreachable, .timedOut: self = .passing(word: diagnostic.id.name, reason: error.reason, retryAfter: nil)
    case .cancelled: self = .ended
    case .other: self = .passing(word: diagnostic.id.name, reason: error.reason, retryAfter: nil)
    case .status(let status) where Self.isPassing(status):
      self = .passing(word: diagnostic.id.name, reason: error.reason, retryAfter: nil)
    default: self = .lasting(TransferError(error))
    }
  }

  /// The fault that follows from an answer that is no success.
  init(_ reply: HTTPReply, _ url: String) {
    let error = HTTPError(.status(reply.status), url: url, reason: reply.reason)
    if Self.isPassing(reply.status) {
      self = .passing(word: error.diagnostic.id.name, reason: reply.reason, retryAfter: reply.retryAfter)
    } else {
      self = .lasting(TransferError(error))
    }
  }

  init(_ error: FileError) { self = .lasting(TransferError(error)) }

  static func protocolFault(_ url: String, _ reason: String) -> TransferFault {
    .lasting(TransferError(.protocolFault, ["url": url, "reason": reason]))
  }

  /// Tells whether a status says that the same request may be answered otherwise later.
  static func isPassing(_ status: Int) -> Bool {
    // 507: there may be room later.
    [408, 423, 425, 429, 500, 502, 503, 504, 507].contains(status)
  }
}
