/// The states of a request, Bee's seven: it is sent, its progress in both directions, and its end.
public enum RPCRequestState: Sendable {
  /// It begins to be sent (`sending`).
  case sending
  /// A part of the content was sent (`sendProgressed`).
  case sendProgressed(RPCProgress)
  /// The answer begins to come (`recving`).
  case receiving
  /// A part of the answer came (`recvProgressed`).
  case receiveProgressed(RPCProgress)
  /// It failed (`failed`).
  case failed(RPCError)
  /// It succeeded (`succeed`).
  case succeeded(RPCResponse)
  /// Its task or `cancelRequests` ended it (`cancelled`).
  case cancelled

  /// True for the last state.
  public var isFinal: Bool {
    switch self {
    case .failed, .succeeded, .cancelled: true
    default: false
    }
  }
}

/// The bytes of a content that have gone their way.
public struct RPCProgress: Sendable, Hashable {
  /// The bytes so far.
  public let bytes: UInt64
  /// All bytes; nil where their number is not known.
  public let total: UInt64?

  /// Makes a progress.
  public init(bytes: UInt64, total: UInt64?) {
    self.bytes = bytes
    self.total = total
  }

  /// The share from 0 to 1; nil where the whole is not known.
  public var fraction: Double? {
    guard let total else { return nil }
    return total == 0 ? 1 : min(Double(bytes) / Double(total), 1)
  }
}
