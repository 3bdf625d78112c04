package import MPaaSLogs
package import MPaaSProtocol
package import MPaaSSupport
package import MPaaSTime
package import MPaaSTransfer

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A server that takes records, reports and logs (`mpaas serve`), as apps and the command know it.
public struct LogServer: Sendable {
  /// `https://console.example.com`, without a slash at its end.
  package let url: String
  /// The word in `Authorization: Bearer`: a token, or the app's key.
  package let token: String?
  /// The language that the server's refusals are wanted in, as `Accept-Language` has it; nil for the server's own.
  package var language: String?
  /// The secret by which a device proves itself; nil for who is none.
  package var deviceSecret: String?
  package var client: HTTPClient

  /// - Parameters:
  ///   - url: Where the server is.
  ///   - token: A token or the app's key, which names the app; nil for a server that asks for none.
  public init(_ url: String, token: String?) {
    self.init(url, token: token, client: .live(userAgent: "mpaas"))
  }

  package init(_ url: String, token: String?, client: HTTPClient) {
    var url = url
    while url.hasSuffix("/") { url.removeLast() }
    self.url = url
    self.token = token
    self.client = client
  }

  /// The same server with another token.
  package func with(token: String) -> LogServer {
    var server = LogServer(url, token: token, client: client)
    server.language = language
    server.deviceSecret = deviceSecret
    return server
  }

  /// The headers of each request.
  package var headers: [(name: String, value: String)] {
    [
      ("Authorization", token.map { "Bearer " + $0 }), ("Accept-Language", language),
      (DeviceSecret.field, deviceSecret),
    ].compactMap { name, value in value.map { (name, $0) } }
  }

  /// Asks, and gives the answer where the server did what was asked.
  ///
  /// - Throws: `LogError`: `server-refusal` with what the server said, or why there is no answer.
  package func ask(
    _ method: String, _ path: String, body: [UInt8]? = nil, type: String = "application/json",
    headers more: [(name: String, value: String)] = []
  ) async throws(LogError) -> HTTPReply {
    var call = HTTPCall(method, url + path, headers: headers + more, body: body.map { [.bytes(Bytes($0))] })
    if body != nil { call.headers.append(("Content-Type", type)) }
    let reply: HTTPReply
    do throws(HTTPError) {
      reply = try await client.answer(to: call)
    } catch {
      throw LogError(error)
    }
    if reply.isSuccess { return reply }
    throw LogError(refusal: reply, url + path)
  }

  /// The same with values as JSON.
  package func ask<Answer: Decodable>(
    _ method: String, _ path: String, json: (any Encodable)? = nil, for _: Answer.Type = Answer.self
  ) async throws(LogError) -> Answer {
    let body: [UInt8]?
    do {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      body = try json.map { Array(try encoder.encode($0)) }
    } catch {
      throw LogError(.answerMalformed, ["url": url + path, "reason": "\(error)"])
    }
    let reply = try await ask(method, path, body: body)
    do {
      return try JSONDecoder().decode(Answer.self, from: Data(reply.body))
    } catch {
      throw LogError(.answerMalformed, ["url": url + path, "reason": reply.reason])
    }
  }

  /// Sends a value that the server stores.
  package func post(_ value: some Encodable & Sendable, to path: String) async -> Result<Receipt, LogError> {
    do throws(LogError) {
      return .success(try await ask("POST", path, json: value))
    } catch {
      return .failure(error)
    }
  }
}

extension LogError {
  /// Reads an answer that is no success: what the server says of it, by our own servers' JSON.
  package init(refusal reply: HTTPReply, _ url: String) {
    let said = try? JSONDecoder().decode(ServerRefusal.self, from: Data(reply.body))
    var values = [
      "url": url, "status": String(reply.status), "reason": said?.message ?? reply.reason, "code": said?.code ?? "",
    ]
    if let pause = reply.retryAfter { values["retry"] = String(pause.components.seconds) }
    switch ServerRefusal.Meaning(status: Int(reply.status)) {
    case .notPermitted: self.init(.notPermitted, values)
    case .unknown: self.init(.unknownToServer, values)
    case .busy: self.init(.serverBusy, values)
    case .tooLarge: self.init(.tooLargeForServer, values)
    case .refused: self.init(.serverRefused, values)
    }
  }

  /// Tells whether the same may be taken later as it is.
  package var isPassing: Bool {
    code.exit == .tryAgain || code == .serverBusy || code.id == "server-unreachable" || code.id == "transfer-failed"
  }

  /// The time that the server wants not to be asked.
  package var retryAfter: TimeSpan? { values["retry"].flatMap(Int64.init).map { .seconds($0) } }
}

extension CodedError<LogDomain>.Code {
  /// The server does not know the token, or it may not do this.
  package static var notPermitted: Self { .refused("log-server-not-permitted") }
  /// The server has no such thing.
  package static var unknownToServer: Self { LogError.Code("log-server-unknown", exit: .inputMissing) }
  /// The server has too much to do, or something in it failed.
  package static var serverBusy: Self { LogError.Code("log-server-busy", exit: .tryAgain) }
  /// More than the server takes at once.
  package static var tooLargeForServer: Self { LogError.Code("log-server-too-large", exit: .unreachable) }
  /// The server takes nothing of the kind.
  package static var serverRefused: Self { LogError.Code("log-server-refused", exit: .unreachable) }
  /// The error for an answer that is not of a server of ours.
  package static var answerMalformed: Self { LogError.Code("log-server-answer", exit: .unreachable) }
  /// The error where the server stored something else than was sent.
  package static var storedDiffers: Self { LogError.Code("log-server-stored-differs", exit: .inputOutput) }
}
