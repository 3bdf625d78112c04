/// The record of a call that ended.
public struct RPCSpan: Sendable, Hashable {
  /// The name of the operation.
  public var operation: String
  /// The gateway's host.
  public var host: String
  /// Seconds since 1970 at the beginning.
  public var start: Double
  /// The time until the end.
  public var duration: TimeSpan
  /// The status code of HTTP; nil where there was no answer.
  public var status: Int?
  /// The gateway's result code; nil where there was none.
  public var resultCode: Int?
  /// The word of the error; nil where the call succeeded.
  public var error: String?
  /// The number of times that the call was sent: 0 where an answer was kept.
  public var attempts: Int
  /// True where a second request was sent beside a slow one.
  public var isHedged: Bool
  /// The origin of the answer.
  public var source: RPCResponse.Source
  /// The bytes of the request's content as it was sent.
  public var sentBytes: Int
  /// The bytes of the answer's content as it was read.
  public var receivedBytes: Int
  /// The trace that the call belongs to.
  public var trace: RPCTraceContext?
}
