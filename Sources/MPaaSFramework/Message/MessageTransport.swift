/// The way to servers for controllers: a closure that the app brings, so that the framework knows no network.
///
/// ```swift
/// let transport = MessageTransport { request in try await session.answer(to: request) }
/// ```
public struct MessageTransport: Sendable {
  /// The request to a server.
  public struct Request: Sendable, Hashable {
    /// One of HTTP's: `GET`, `POST`.
    public var method: String
    /// The full address, with its query.
    public var url: String
    /// The header fields, by name.
    public var headers: [String: String]
    /// The content of the request; empty for none.
    public var body: [UInt8]

    /// Makes a request: `GET` without header fields and body unless they are given.
    public init(method: String = "GET", url: String, headers: [String: String] = [:], body: [UInt8] = []) {
      self.method = method
      self.url = url
      self.headers = headers
      self.body = body
    }
  }

  /// The answer of a server.
  public struct Response: Sendable, Hashable {
    /// The status code of HTTP: 200, 404.
    public var status: Int
    /// The header fields, by name.
    public var headers: [String: String]
    /// The content of the answer; empty for none.
    public var body: [UInt8]

    /// Makes an answer, without header fields and body unless they are given.
    public init(status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
      self.status = status
      self.headers = headers
      self.body = body
    }

    /// Tells whether the status says that it was done: 200 to 299.
    public var isSuccess: Bool { 200..<300 ~= status }
  }

  private let exchange: @Sendable (Request) async throws -> Response

  /// - Parameter exchange: Sends a request and waits for the answer; it ends early where its task is cancelled.
  public init(_ exchange: @escaping @Sendable (Request) async throws -> Response) {
    self.exchange = exchange
  }

  /// Sends a request and returns the server's answer, of whatever status.
  ///
  /// - Throws: The error of the app's closure, where it got no answer.
  public func callAsFunction(_ request: Request) async throws -> Response {
    try await exchange(request)
  }
}
