public import MPaaSFramework

/// A request of HTTP that is put together piece by piece: Bee's `HTTP_GET`, `PARAM`, `FILE` and `TIMEOUT`.
///
/// ```swift
/// let request = RPCRequest.post("https://api.example.com/photos")
///   .parameter("album", 12)
///   .file("photo", picture)
///   .timeout(.seconds(10))
/// for await state in client.states(of: request) { show(state) }
/// ```
public struct RPCRequest: Sendable {
  /// The method of HTTP.
  public let method: String
  /// The address, without the parameters.
  public let url: String
  private var parameters: [(name: String, value: String)] = []
  private var files: [(name: String, file: CallFile)] = []
  private var headers: [String: String] = [:]
  private var limit: TimeSpan?
  private var document: RPCValue?
  private var key: String?

  /// Makes a request of any method.
  public init(_ method: String, _ url: String) {
    self.method = method
    self.url = url
  }

  /// A request that reads (`HTTP_GET`); parameters go into the query.
  public static func get(_ url: String) -> RPCRequest { RPCRequest("GET", url) }
  /// A request that changes something (`HTTP_POST`); parameters go into a form.
  public static func post(_ url: String) -> RPCRequest { RPCRequest("POST", url) }

  private func with(_ change: (inout RPCRequest) -> Void) -> RPCRequest {
    var request = self
    change(&request)
    return request
  }

  /// Adds a parameter (`PARAM`); nothing where the value is nil.
  public func parameter(_ name: String, _ value: (some CallText)?) -> RPCRequest {
    with { request in if let value { request.parameters.append((name, value.callText)) } }
  }

  /// Adds several parameters (`PARAM` with a dictionary), sorted by their names.
  public func parameters(_ values: [String: String]) -> RPCRequest {
    with { $0.parameters += values.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }
  }

  /// Adds a file under its own name (`FILE`).
  public func file(_ name: String, _ file: CallFile) -> RPCRequest { with { $0.files.append((name, file)) } }

  /// Adds a file under another name (`FILE_ALIAS`).
  public func file(_ name: String, _ bytes: [UInt8], alias: String) -> RPCRequest {
    file(name, CallFile(name: alias, bytes: bytes))
  }

  /// Makes a value of JSON the content.
  public func json(_ value: RPCValue) -> RPCRequest { with { $0.document = value } }

  /// Sets a header field.
  public func header(_ name: String, _ value: String) -> RPCRequest { with { $0.headers[name] = value } }

  /// Sets the time for all of the request (`TIMEOUT`).
  public func timeout(_ span: TimeSpan) -> RPCRequest { with { $0.limit = span } }

  /// Sets the key by which the server knows the request again, so that it may be repeated.
  public func key(_ key: String) -> RPCRequest { with { $0.key = key } }

  /// The request as a call.
  ///
  /// - Throws: `RPCError` `rpc-header-malformed`.
  public func call() throws(RPCError) -> RPCCall {
    var request = CallRequest(method, url, of: url)
    request.server(url)
    let isQuery = ["GET", "HEAD", "DELETE"].contains(method) || document != nil
    for (name, value) in parameters {
      if isQuery { request.query(name, value) } else { request.field(name, value) }
    }
    for (name, file) in files { request.file(name, file) }
    let made = request.request
    var call = RPCCall(
      method, url: made.url, body: document?.bytes ?? made.body,
      contentType: document == nil ? made.headers["Content-Type"] : "application/json")
    for (name, value) in headers {
      guard RPCHeaderText.isName(name), RPCHeaderText.isSafe(value) else {
        throw RPCError(.headerMalformed, ["header": name])
      }
      call.headers[name] = value
    }
    call.timeout = limit
    call.key = key
    return call
  }
}
