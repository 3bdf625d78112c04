#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A request to a server, put together piece by piece.
///
///     var request = CallRequest("POST", "/books/:id/loans", of: "library.lend")
///     request.server("https://library.example/v2")
///     request.path("/books/")
///     try request.path("id", 12)
///     request.path("/loans")
///     request.query("notify", true)
///     try request.json(order)
///     let loan = try await request.send(through: transport, read: Lend.output)
public struct CallRequest: Sendable {
  /// As errors name it: `POST /books/:id/loans`.
  public let call: String
  /// The name of the message that it is sent for.
  public let message: String
  /// The method of HTTP: `GET`, `POST`.
  public let method: String
  var url = ""
  var headers: [String: String] = ["Accept": "application/json"]
  var items: [(name: String, value: String)] = []
  var fields: [(name: String, value: String)] = []
  var files: [(name: String, file: CallFile)] = []
  var document: [UInt8]?
  private var hasPath = false

  /// Makes a request without address, parameters or body.
  ///
  /// - Parameters:
  ///   - method: The method of HTTP.
  ///   - template: The path with its parameters, which errors name: `/books/:id`.
  ///   - message: The name of the message that the request is sent for.
  public init(_ method: String, _ template: String, of message: String) {
    self.method = method
    self.message = message
    call = "\(method) \(template)"
  }

  /// Begins the URL with what stands before the paths of calls.
  public mutating func server(_ url: String) { self.url = url }

  /// Appends to the URL what needs no encoding; between server and path there is one slash.
  public mutating func path(_ literal: String) {
    let isWord = literal.first.map { $0.isLetter || $0.isNumber } ?? false
    if url.hasSuffix("/"), literal.hasPrefix("/") {
      url.removeLast()
    } else if isWord, url.last.map({ $0.isLetter || $0.isNumber }) == true, !hasPath {
      url += "/"
    }
    url += literal
    hasPath = true
  }

  /// Appends a value to the URL, percent-encoded.
  ///
  /// - Throws: `call-parameter-unfit` where the value is empty, `.` or `..`, and the URL would mean something else:
  ///   whoever sends it resolves such dots, encoded or not.
  public mutating func path(_ name: String, _ value: some CallText) throws(FrameworkError) {
    let text = value.callText
    guard !["", ".", ".."].contains(text) else {
      throw error(.callParameterUnfit, ["parameter": name, "value": text])
    }
    url += CallEncoding.percent(text)
    hasPath = true
  }

  /// Adds an item to the query; nothing where the value is nil.
  public mutating func query(_ name: String, _ value: (some CallText)?) {
    if let value { items.append((name, value.callText)) }
  }

  /// Adds an item for each value.
  public mutating func query(_ name: String, _ values: [some CallText]?) {
    for value in values ?? [] { items.append((name, value.callText)) }
  }

  /// Sets a header field; nothing where the value is nil.
  ///
  /// - Throws: `call-header-malformed` where the value would break out of its line.
  public mutating func header(_ name: String, _ value: (some CallText)?) throws(FrameworkError) {
    guard let text = value?.callText else { return }
    guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 }) else {
      throw error(.callHeaderMalformed, ["header": name])
    }
    headers[name] = text
  }

  /// Adds a value to the query as JSON.
  public mutating func query(_ name: String, json value: (some Encodable)?) throws {
    if let value { items.append((name, String(decoding: try Self.encoded(value), as: UTF8.self))) }
  }

  /// Makes a value, as JSON, the body, or a part named `json` of it where files are sent too.
  public mutating func json(_ value: some Encodable) throws { document = try Self.encoded(value) }

  /// Adds a field to the form that is the body; nothing where the value is nil.
  public mutating func field(_ name: String, _ value: (some CallText)?) {
    if let value { fields.append((name, value.callText)) }
  }

  /// Adds a field for each value.
  public mutating func field(_ name: String, _ values: [some CallText]?) {
    for value in values ?? [] { fields.append((name, value.callText)) }
  }

  /// Adds a value to the form as JSON.
  public mutating func field(_ name: String, json value: (some Encodable)?) throws {
    if let value { fields.append((name, String(decoding: try Self.encoded(value), as: UTF8.self))) }
  }

  /// Adds a file to the form that is the body; nothing where it is nil.
  public mutating func file(_ name: String, _ file: CallFile?) {
    if let file { files.append((name, file)) }
  }

  func error(
    _ code: FrameworkError.Code, _ values: [String: String], underlying: (any Error)? = nil
  ) -> FrameworkError {
    FrameworkError(
      code, .message(message), values: values.merging(["call": call]) { $1 }, underlying: underlying)
  }
}

// MARK: Sending

extension CallRequest {
  /// The request as the transport takes it.
  public var request: MessageTransport.Request {
    var request = MessageTransport.Request(method: method, url: fullURL, headers: headers)
    if !files.isEmpty {
      let form = MultipartForm(self)
      request.headers["Content-Type"] = form.contentType
      request.body = form.body
    } else if let document {
      request.headers["Content-Type"] = "application/json"
      request.body = document
    } else if !fields.isEmpty {
      request.headers["Content-Type"] = "application/x-www-form-urlencoded"
      request.body = Array(Self.encoded(fields).utf8)
    }
    return request
  }

  private var fullURL: String {
    guard !items.isEmpty else { return url }
    let mark = !url.contains("?") ? "?" : url.hasSuffix("?") || url.hasSuffix("&") ? "" : "&"
    return url + mark + Self.encoded(items)
  }

  /// The same value gives the same bytes.
  private static func encoded(_ value: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return [UInt8](try encoder.encode(value))
  }

  private static func encoded(_ pairs: [(name: String, value: String)]) -> String {
    pairs.map { CallEncoding.percent($0.name) + "=" + CallEncoding.percent($0.value) }.joined(separator: "&")
  }

  /// Sends the request and reads the answer.
  ///
  /// - Throws: `call-unanswered`, `call-refused` or `call-answer-malformed`; `CancellationError` where its task is cancelled.
  public func send<Output>(
    through transport: MessageTransport, read: (MessageTransport.Response) throws -> Output
  ) async throws -> Output {
    try Task.checkCancellation()
    let response: MessageTransport.Response
    do {
      response = try await transport(request)
    } catch {
      if Task.isCancelled || error is CancellationError { throw CancellationError() }
      throw self.error(.callUnanswered, ["reason": "\(error)"], underlying: error)
    }
    try Task.checkCancellation()
    guard response.isSuccess else {
      let refusal = CallRefusal(call: call, response: response)
      throw error(.callRefused, ["status": String(response.status)], underlying: refusal)
    }
    do {
      return try read(response)
    } catch {
      throw self.error(.callAnswerMalformed, ["reason": "\(error)"], underlying: error)
    }
  }
}
