import MPaaSSupport

/// The answers of FCM's HTTP v1 API, and of the server that gives access tokens.
package struct FCMJudge: Sendable {
  package let configuration: DoubleConfiguration.FCMConfiguration
  /// The access tokens that were given, each with the second until which it is good.
  private var access: [String: Double] = [:]

  package init(_ configuration: DoubleConfiguration.FCMConfiguration) { self.configuration = configuration }

  /// The path of messages.
  package var path: String { "/v1/projects/\(configuration.project)/messages:send" }

  /// Answers a request to `/token`: an access token for an assertion that the account signed (RFC 7523).
  package mutating func token(_ request: DoubleRequest, now: Double, makeToken: () -> String) -> DoubleAnswer {
    let fields = Self.fields(request.body)
    guard request.method == "POST", fields["grant_type"]?.hasSuffix(":jwt-bearer") == true,
      let token = fields["assertion"].flatMap({ JSONWebToken($0) }),
      configuration.key.map({ $0.verifies(token) }) ?? true,
      configuration.email == nil || token.claims["iss"]?.string == configuration.email,
      let end = token.claims["exp"]?.double, end > now
    else { return Self.refusal(400, "invalid_grant", "{\"error\":\"invalid_grant\"}") }
    let text = makeToken()
    access[text] = now + 3600
    var answer = DoubleAnswer()
    answer.body = "{\"access_token\":\"\(text)\",\"expires_in\":3600,\"token_type\":\"Bearer\"}"
    return answer
  }

  /// Answers a message.
  package func message(_ request: DoubleRequest, now: Double, makeID: () -> String) -> DoubleAnswer {
    guard request.method == "POST" else { return Self.failure(405, "INVALID_ARGUMENT") }
    guard let authorization = request["authorization"], authorization.hasPrefix("Bearer "),
      let end = access[String(authorization.dropFirst(7))], end > now
    else { return Self.failure(401, "UNAUTHENTICATED") }
    guard let object = Self.object(request.body), let message = object["message"]?.object,
      let token = message["token"]?.string
    else { return Self.failure(400, "INVALID_ARGUMENT") }
    if request.body.count > 8192 { return Self.failure(400, "INVALID_ARGUMENT") }
    if configuration.unregistered.contains(token) { return Self.failure(404, "UNREGISTERED") }
    guard configuration.tokens.contains(token) else { return Self.failure(400, "INVALID_ARGUMENT") }
    var answer = DoubleAnswer()
    let id = object["validate_only"]?.bool == true ? "fake_message_id" : makeID()
    answer.id = id
    answer.body = "{\"name\":\"projects/\(configuration.project)/messages/\(id)\"}"
    return answer
  }

  private static func object(_ body: [UInt8]) -> JSONValue.Object? {
    (try? body.withUnsafeBytes { try JSONValue(reading: $0) })?.object
  }

  private static let states = [
    400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED", 404: "NOT_FOUND", 405: "INVALID_ARGUMENT",
  ]

  private static func failure(_ status: Int, _ code: String) -> DoubleAnswer {
    let type = "type.googleapis.com/google.firebase.fcm.v1.FcmError"
    let details = "[{\"@type\":\"\(type)\",\"errorCode\":\"\(code)\"}]"
    return refusal(
      status, code,
      "{\"error\":{\"code\":\(status),\"message\":\"\(code)\",\"status\":\"\(states[status] ?? code)\","
        + "\"details\":\(details)}}")
  }

  private static func refusal(_ status: Int, _ reason: String, _ body: String) -> DoubleAnswer {
    var answer = DoubleAnswer()
    (answer.status, answer.reason, answer.body) = (status, reason, body)
    return answer
  }

  /// The fields of a form; the first of a name counts.
  private static func fields(_ body: [UInt8]) -> [String: String] {
    let pairs = body.split(separator: UInt8(ascii: "&")).compactMap { pair -> (String, String)? in
      guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { return nil }
      let name = String(decoding: pair[..<equals], as: UTF8.self)
      let value = String(decoding: pair[pair.index(after: equals)...], as: UTF8.self)
      return (name, PercentEncoding.decode(value) ?? value)
    }
    return Dictionary(pairs) { first, _ in first }
  }
}
