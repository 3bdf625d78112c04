import MPaaSProtocol
import MPaaSSupport
package import MPaaSTransfer

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The operator's server (`mpaas serve`), as the services of an app reach it.
public struct AppServer: Sendable {
  /// `https://console.example.com`, without a slash at its end.
  package let url: String
  package let appKey: String
  package var client: HTTPClient

  /// - Parameters:
  ///   - url: The address of the server.
  ///   - appKey: The app's key there, which `mpaas serve` prints; with it an app sends and asks for its own.
  public init(_ url: String, appKey: String) {
    self.init(url, appKey: appKey, client: .live(userAgent: "mpaas"))
  }

  package init(_ url: String, appKey: String, client: HTTPClient) {
    var url = url
    while url.hasSuffix("/") { url.removeLast() }
    (self.url, self.appKey, self.client) = (url, appKey, client)
  }

  /// Asks, with a value as JSON where there is one, and gives the answer where the server did what was asked.
  ///
  /// - Throws: `AppServiceError`: what the server said, or why there is no answer.
  package func ask<Answer: Decodable>(
    _ method: String, _ path: String, json: (any Encodable)? = nil,
    headers: [(name: String, value: String)] = [], for _: Answer.Type = Answer.self
  ) async throws(AppServiceError) -> Answer {
    let address = url + path
    var call = HTTPCall(method, address, headers: [("Authorization", "Bearer " + appKey)] + headers)
    if let json {
      guard let body = try? JSONEncoder().encode(json) else { throw AppServiceError(.serverAnswer, ["url": address]) }
      call.body = [.bytes(Bytes(body))]
      call.headers.append(("Content-Type", "application/json"))
    }
    let reply: HTTPReply
    do throws(HTTPError) { reply = try await client.answer(to: call) } catch { throw AppServiceError(error) }
    guard reply.isSuccess else { throw AppServiceError(refusal: reply, address) }
    guard let answer = try? JSONDecoder().decode(Answer.self, from: Data(reply.body)) else {
      throw AppServiceError(.serverAnswer, ["url": address, "reason": reply.reason])
    }
    return answer
  }

  /// Options of a queue whose requests to this server bear the app's key.
  package func options(_ options: TransferOptions) -> TransferOptions {
    var options = options
    let (given, prefix, key) = (options.headers, url + "/", appKey)
    options.headers = { url in
      let own = url.hasPrefix(prefix) ? ["Authorization": "Bearer " + key] : [:]
      return own.merging(given(url)) { $1 }
    }
    return options
  }
}

extension AppServiceError {
  /// Reads an answer that is no success.
  init(refusal reply: HTTPReply, _ url: String) {
    let said = try? JSONDecoder().decode(ServerRefusal.self, from: Data(reply.body))
    let values = [
      "url": url, "status": String(reply.status), "reason": said?.message ?? reply.reason, "code": said?.code ?? "",
    ]
    switch ServerRefusal.Meaning(status: Int(reply.status)) {
    case .notPermitted: self.init(.serverNotPermitted, values)
    case .unknown: self.init(.serverUnknown, values)
    case .busy: self.init(.serverBusy, values)
    case .tooLarge: self.init(.serverTooLarge, values)
    case .refused: self.init(.serverRefused, values)
    }
  }

  /// Tells whether the server understood what was sent, and will not take the same another time either.
  package var isContentRefused: Bool { [.serverRefused, .serverTooLarge].contains(code) }
}

/// The words are those of all who talk to the server.
extension AppServiceError.Code {
  static var serverNotPermitted: Self { AppServiceError.Code("log-server-not-permitted", exit: .notPermitted) }
  static var serverUnknown: Self { AppServiceError.Code("log-server-unknown", exit: .inputMissing) }
  static var serverBusy: Self { AppServiceError.Code("log-server-busy", exit: .tryAgain) }
  static var serverTooLarge: Self { AppServiceError.Code("log-server-too-large", exit: .unreachable) }
  static var serverRefused: Self { AppServiceError.Code("log-server-refused", exit: .unreachable) }
  static var serverAnswer: Self { AppServiceError.Code("log-server-answer", exit: .unreachable) }
}
