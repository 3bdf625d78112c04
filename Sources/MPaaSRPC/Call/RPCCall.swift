/// A call on its way, all of which middleware may change before it is sent: DTRpcOperation of old.
public struct RPCCall: Sendable {
  /// The form of a call: an operation of the gateway, or a request of HTTP.
  public enum Form: Sendable, Hashable {
    /// An operation, which the gateway finds by its name.
    case operation
    /// A request of its own, with a method of HTTP and a full address.
    case http(method: String, url: String)
  }

  /// The name of the operation; of a request of HTTP the name that metrics have for it.
  public var operationType: String
  /// The form of the call.
  public var form = Form.operation
  /// The arguments as a JSON array, or the body of a request of HTTP.
  public var data: [UInt8]
  /// The media type of `data`.
  public var contentType: String? = "application/json"
  /// The effect at the server.
  public var effect = RPCEffect.changes
  /// True where the call is refused on the spot while no user is logged in.
  public var checkLogin = false
  /// True where the call is signed; nil leaves it to the configuration.
  public var signCheck: Bool?
  /// Header fields of this call, which go before those of the configuration.
  public var headers: [String: String] = [:]
  /// The gateway for this call alone; nil for that of the configuration.
  public var gateway: String?
  /// The time for all attempts together; nil for that of the configuration.
  public var timeout: TimeSpan?
  /// The key by which the server knows the call again, so that it may be repeated; nil for none.
  public var key: String?
  /// False where no answer that was kept is taken, and the server is asked.
  public var usesCache = true
  /// False where the app shows nothing of its own about an operation that reached its limit (`disableLimitView`).
  public var showsLimit = true
  /// The trace that the call belongs to; nil for that of the task, or a new one.
  public var trace: RPCTraceContext?
  /// Told while the body goes out: the bytes so far, and all of them.
  public var sent: (@Sendable (UInt64, UInt64) -> Void)?
  /// Told while the answer comes in: the bytes so far, and all of them where the server says how many.
  public var received: (@Sendable (UInt64, UInt64?) -> Void)?

  /// Makes a call of an operation of the gateway.
  ///
  /// - Parameters:
  ///   - operationType: The name of the operation.
  ///   - data: The arguments as a JSON array.
  public init(_ operationType: String, data: [UInt8] = Array("[]".utf8)) {
    self.operationType = operationType
    self.data = data
  }

  /// Makes a request of HTTP; `GET`, `HEAD` and `OPTIONS` read, `PUT` and `DELETE` may be repeated.
  ///
  /// - Source: RFC 9110, 9.2.
  public init(_ method: String, url: String, body: [UInt8] = [], contentType: String? = nil) {
    operationType = "\(method) \(url.prefix { $0 != "?" && $0 != "#" })"
    form = .http(method: method, url: url)
    data = body
    self.contentType = contentType
    switch method {
    case "GET", "HEAD", "OPTIONS": effect = .reads
    case "PUT", "DELETE": effect = .idempotent
    default: effect = .changes
    }
  }

  /// True where sending it twice does no harm.
  var isRepeatable: Bool { effect != .changes || key != nil }
}
