/// How controllers talk to servers: a closure that the app brings, so that the framework knows no network.
///
///     let transport = MessageTransport { request in … URLSession, curl, or an answer made up by a test … }
public struct MessageTransport: Sendable {
  /// What is asked of a server.
  public struct Request: Sendable, Hashable {
    /// `GET`, `POST` …
    public var method: String
    public var url: String
    public var headers: [String: String]
    public var body: [UInt8]

    public init(method: String = "GET", url: String, headers: [String: String] = [:], body: [UInt8] = []) {
      self.method = method
      self.url = url
      self.headers = headers
      self.body = body
    }
  }

  /// What a server answered.
  public struct Response: Sendable, Hashable {
    public var status: Int
    public var headers: [String: String]
    public var body: [UInt8]

    public init(status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
      self.status = status
      self.headers = headers
      self.body = body
    }

    /// Whether the status says that it was done: 200 to 299.
    public var isSuccess: Bool { 200..<300 ~= status }
  }

  private let exchange: @Sendable (Request) async throws -> Response

  /// - Parameter exchange: Sends a request and waits for the answer; it ends early where its task is cancelled.
  public init(_ exchange: @escaping @Sendable (Request) async throws -> Response) {
    self.exchange = exchange
  }

  public func callAsFunction(_ request: Request) async throws -> Response {
    try await exchange(request)
  }
}
