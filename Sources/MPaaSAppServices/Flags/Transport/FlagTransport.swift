public import MPaaSTime

/// A request of the flags client.
public struct FlagRequest: Sendable {
  /// `GET` or `POST`.
  public var method: String
  /// The address, `https:` or `http:`.
  public var url: String
  /// The fields of the head, in their order.
  public var headers: [(name: String, value: String)]
  /// The body; nil sends none.
  public var body: [UInt8]?
  /// The longest time for the whole exchange; nil for a stream, which has no end.
  public var timeout: TimeSpan?

  /// Creates a request.
  public init(
    _ method: String, _ url: String, headers: [(name: String, value: String)] = [], body: [UInt8]? = nil,
    timeout: TimeSpan? = nil
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.timeout = timeout
  }
}

/// The answer of a server to the flags client, whatever its status.
public struct FlagResponse: Sendable, Equatable {
  /// The most bytes that a body may have; a transport ends an answer that is longer.
  public static let largestBody = 16 << 20

  /// The status, such as 200 or 304.
  public var status: Int
  /// The fields of the head, names in lower case.
  public var headers: [String: String]
  /// The body; empty for a stream, whose bytes were handed on.
  public var body: [UInt8]

  /// Creates an answer.
  public init(status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

/// The way of the flags client to its server.
///
/// `http(userAgent:)` is one that is ready; an app may put its own in, over `URLSession` for instance.
public struct FlagTransport: Sendable {
  /// Sends a request and waits for the whole answer; the end of the task ends it.
  public var exchange: @Sendable (FlagRequest) async throws -> FlagResponse
  /// Sends a request whose answer goes on.
  ///
  /// `receive` gets the bytes of an answer with the status 200 as they come, and ends it with false. The function
  /// returns when the answer has ended; the end of the task ends it.
  public var stream:
    @Sendable (FlagRequest, _ receive: @escaping @Sendable (UnsafeRawBufferPointer) -> Bool) async throws ->
      FlagResponse

  /// Creates a transport.
  public init(
    exchange: @escaping @Sendable (FlagRequest) async throws -> FlagResponse,
    stream:
      @escaping @Sendable (FlagRequest, _ receive: @escaping @Sendable (UnsafeRawBufferPointer) -> Bool) async throws
      -> FlagResponse
  ) {
    self.exchange = exchange
    self.stream = stream
  }
}
