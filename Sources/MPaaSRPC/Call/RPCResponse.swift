/// The answer to a call.
public struct RPCResponse: Sendable {
  /// The origin of an answer.
  public enum Source: String, Sendable, Hashable {
    /// The server sent it.
    case network
    /// It was kept, and is as good as new.
    case cache
    /// It was kept, and the server said that nothing has changed since.
    case validated
    /// It was kept and is old; the server is being asked for a new one.
    case stale
    /// Another call that was equal and on its way brought it.
    case shared
  }

  /// The status code of HTTP.
  public var status: Int
  /// The header fields, names in lower case.
  public var headers: [String: String]
  /// The content, not compressed any more.
  public var body: [UInt8]
  /// The gateway's result code; nil where the server gave none.
  public var resultCode: RPCResultCode?
  /// The origin of the answer.
  public var source = Source.network
  /// The number of times that the call was sent.
  public var attempts = 1

  /// Makes an answer.
  public init(status: Int, headers: [String: String] = [:], body: [UInt8] = [], resultCode: RPCResultCode? = nil) {
    self.status = status
    self.headers = headers
    self.body = body
    self.resultCode = resultCode
  }

  /// True for a status from 200 to 299.
  public var isSuccess: Bool { 200..<300 ~= status }
  /// The gateway's note for developers; nil where it sent none.
  public var memo: String? { RPCHeaderText.decoded(headers["memo"]) }
  /// The gateway's text for users; nil where it sent none.
  public var tips: String? { RPCHeaderText.decoded(headers["tips"]) }
}
