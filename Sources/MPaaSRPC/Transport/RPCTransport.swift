/// The way to servers: a closure that sends one request and waits for the answer.
///
/// `http()` is libcurl's, `urlSession()` that of Apple's systems; tests put their own in the place.
public struct RPCTransport: Sendable {
  /// A request as it goes to the server.
  public struct Request: Sendable {
    /// The method of HTTP.
    public var method: String
    /// The full address.
    public var url: String
    /// The header fields by their names.
    public var headers: [String: String]
    /// The content; nil sends none.
    public var body: [UInt8]?
    /// The time until the last byte of the answer.
    public var timeout: TimeSpan
    /// The most bytes of the answer's content, as it comes.
    public var answerLimit: Int
    /// SHA-256 of public keys in Base64, one of which the server must have; empty: any.
    public var pins: [String]
    /// Told while the content goes out: the bytes so far, and all of them.
    public var sent: (@Sendable (UInt64, UInt64) -> Void)?
    /// Told while the answer comes in: the bytes so far, and all of them where the server says how many.
    public var received: (@Sendable (UInt64, UInt64?) -> Void)?

    /// Makes a request.
    public init(
      _ method: String, _ url: String, headers: [String: String] = [:], body: [UInt8]? = nil,
      timeout: TimeSpan = .seconds(30), answerLimit: Int = 16 << 20, pins: [String] = []
    ) {
      self.method = method
      self.url = url
      self.headers = headers
      self.body = body
      self.timeout = timeout
      self.answerLimit = answerLimit
      self.pins = pins
    }
  }

  /// The answer of a server, of whatever status.
  public struct Response: Sendable, Equatable {
    /// The status code of HTTP.
    public var status: Int
    /// The header fields, names in lower case.
    public var headers: [String: String]
    /// The content as it came.
    public var body: [UInt8]

    /// Makes an answer.
    public init(status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
      self.status = status
      self.headers = headers
      self.body = body
    }
  }

  private let exchange: @Sendable (Request) async throws(RPCError) -> Response

  /// Makes a transport of a closure, which ends early where its task is cancelled.
  public init(_ exchange: @escaping @Sendable (Request) async throws(RPCError) -> Response) {
    self.exchange = exchange
  }

  /// Sends a request and returns the server's answer, of whatever status.
  public func callAsFunction(_ request: Request) async throws(RPCError) -> Response {
    try await exchange(request)
  }

  /// The transport for this system.
  ///
  /// - Parameter userAgent: The name of the app for servers.
  public static func standard(userAgent: String) -> RPCTransport {
    #if canImport(Darwin)
      .urlSession(userAgent: userAgent)
    #else
      .http(userAgent: userAgent)
    #endif
  }
}
