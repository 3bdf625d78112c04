import MPaaSDigests
import MPaaSProtocol
import MPaaSSupport
import MPaaSTerminal

/// The forms in which webhooks take messages.
enum AlertForm: String, Sendable, CaseIterable {
  /// Ours, signed as Standard Webhooks has it.
  case json
  case feishu, dingtalk, slack

  /// The form that a host takes.
  static func usual(for host: String) -> AlertForm {
    switch host {
    case "open.feishu.cn", "open.larksuite.com": .feishu
    case "oapi.dingtalk.com": .dingtalk
    case "hooks.slack.com": .slack
    default: .json
    }
  }

  /// A request that bears a message.
  struct Call: Sendable, Equatable {
    var url: String
    var headers: [String: String]
    var body: [UInt8]
  }

  /// The request of a message.
  ///
  /// - Parameters:
  ///   - id: The delivery's, the same in each attempt.
  ///   - time: Seconds since 1970, now.
  func call(
    _ message: AlertMessage, _ target: AlertTarget, id: String, at time: Double, _ catalogue: Catalogue
  ) -> Call {
    let (url, text) = (target.webhook ?? "", AlertText(message, catalogue).plain)
    var headers = ["content-type": "application/json; charset=utf-8"]
    switch self {
    case .json:
      let body = Array(StoredJSON.text(Body(message: message, text: text)).utf8)
      headers.merge(WebhookSignature.headers(id: id, time: Int64(time), body, secret: target.secret ?? "")) { $1 }
      return Call(url: url, headers: headers, body: body)
    case .feishu:
      let content: JSONValue.Object = ["text": .string(text)]
      var object: JSONValue.Object = ["msg_type": .string("text"), "content": .object(content)]
      if let secret = target.secret {
        let stamp = String(Int64(time))
        object["timestamp"] = .string(stamp)
        object["sign"] = .string(WebhookSignature.text(of: [], key: Array("\(stamp)\n\(secret)".utf8)))
      }
      return Call(url: url, headers: headers, body: Array(JSONValue.object(object).line.utf8))
    case .dingtalk:
      let content: JSONValue.Object = ["content": .string(text)]
      let object: JSONValue.Object = ["msgtype": .string("text"), "text": .object(content)]
      return Call(
        url: Self.signed(url, target.secret, time), headers: headers, body: Array(JSONValue.object(object).line.utf8))
    case .slack:
      // Slack's own signs are those of markup (api.slack.com, "Formatting text").
      let object: JSONValue.Object = ["text": .string(text.escapedMarkup(.content))]
      return Call(url: url, headers: headers, body: Array(JSONValue.object(object).line.utf8))
    }
  }

  /// The body of our own form: the message and its text.
  private struct Body: Encodable {
    let message: AlertMessage
    let text: String

    private enum CodingKeys: String, CodingKey { case text }

    func encode(to encoder: any Encoder) throws {
      try message.encode(to: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(text, forKey: .text)
    }
  }

  /// The address with the moment and the signature, as robots of DingTalk want it.
  private static func signed(_ url: String, _ secret: String?, _ time: Double) -> String {
    guard let secret else { return url }
    let stamp = String(Int64(time * 1000))
    let code = WebhookSignature.text(of: Array("\(stamp)\n\(secret)".utf8), key: Array(secret.utf8))
    return url + (url.contains("?") ? "&" : "?") + "timestamp=\(stamp)&sign=\(PercentEncoding.encode(code))"
  }

  /// The reason why an answer with a status of success is none: robots say in the body what they did not take.
  func refusal(_ body: [UInt8]) -> String? {
    guard self == .feishu || self == .dingtalk else { return nil }
    guard let object = body.withUnsafeBytes({ try? JSONValue(reading: $0) })?.object else { return nil }
    let code = object["code"]?.double ?? object["StatusCode"]?.double ?? object["errcode"]?.double ?? 0
    guard code != 0 else { return nil }
    let number = Int64(exactly: code).map(String.init) ?? "\(code)"
    return number + " " + (object["msg"]?.string ?? object["errmsg"]?.string ?? "")
  }
}

/// Signatures of webhooks (Standard Webhooks 1.0): HMAC-SHA-256 over id, time and body.
enum WebhookSignature {
  private static let prefix = "whsec_"

  static func freshSecret() -> String { prefix + Base64.encode(Access.randomBytes(32)) }

  /// The key of a secret: 24 to 64 bytes in Base64 behind `whsec_`; nil where it is none.
  static func key(_ secret: String) -> [UInt8]? {
    guard secret.hasPrefix(prefix), let key = Base64.decode(secret.utf8.dropFirst(prefix.utf8.count)),
      (24...64).contains(key.count)
    else { return nil }
    return key
  }

  static func headers(id: String, time: Int64, _ body: [UInt8], secret: String) -> [String: String] {
    let signed = Array("\(id).\(time).".utf8) + body
    let code = text(of: signed, key: key(secret) ?? [])
    return ["webhook-id": id, "webhook-timestamp": String(time), "webhook-signature": "v1,\(code)"]
  }

  /// The code of a message in Base64.
  static func text(of message: [UInt8], key: [UInt8]) -> String {
    Base64.encode(HMAC(.sha256, key: key)?.code(of: message) ?? [])
  }
}
