import MPaaSJSON
import MPaaSSupport

/// A request and its response as a proxy or a server saw them, to be recorded.
package struct HARExchange: Sendable {
  /// The moment of the request in seconds since 1970.
  package var started: Double
  /// Milliseconds until the whole request was sent, until the first byte of the answer, and until its last.
  package var timings: (send: Double, wait: Double, receive: Double) = (0, 0, 0)
  package var method: String
  /// The absolute URL.
  package var url: String
  /// `HTTP/1.1` or `HTTP/2.0`.
  package var version = "HTTP/1.1"
  package var requestHeaders: [HARField]
  /// The body without the content codings of HTTP.
  package var requestBody: [UInt8]
  /// The status; 0 where there was no answer.
  package var status: Int
  package var reason: String
  package var responseHeaders: [HARField]
  /// The body without the content codings of HTTP.
  package var responseBody: [UInt8]
  package var serverAddress: String?
  /// A note for people, such as the stub that answered.
  package var comment: String?

  package init(
    started: Double, method: String, url: String, requestHeaders: [HARField] = [], requestBody: [UInt8] = [],
    status: Int, reason: String = "", responseHeaders: [HARField] = [], responseBody: [UInt8] = []
  ) {
    self.started = started
    self.method = method
    self.url = url
    self.requestHeaders = requestHeaders
    self.requestBody = requestBody
    self.status = status
    self.reason = reason
    self.responseHeaders = responseHeaders
    self.responseBody = responseBody
  }
}

extension HAREntry {
  /// Makes an entry of an exchange; secrets stand in it as they came.
  package init(_ exchange: HARExchange) {
    let timings = exchange.timings
    let total = max(0, timings.send) + max(0, timings.wait) + max(0, timings.receive)
    self.init(
      made: JSONNode(members: [
        ("startedDateTime", JSONNode(text: HARTime.text(exchange.started))), ("time", JSONNode(real: total)),
        ("request", Self.request(exchange)), ("response", Self.response(exchange)), ("cache", JSONNode(members: [])),
        (
          "timings",
          JSONNode(members: [
            ("send", JSONNode(real: max(0, timings.send))), ("wait", JSONNode(real: max(0, timings.wait))),
            ("receive", JSONNode(real: max(0, timings.receive))),
          ])
        ),
        ("serverIPAddress", exchange.serverAddress.map { JSONNode(text: $0) }),
        ("comment", exchange.comment.map { JSONNode(text: $0) }),
      ]))
  }

  private static func request(_ exchange: HARExchange) -> JSONNode {
    let cookies = exchange.requestHeaders.filter { $0.name.lowercased() == "cookie" }.flatMap { header in
      header.value.split(separator: ";").map { pair in
        let pair = pair.drop { $0 == " " }
        let name = pair.prefix { $0 != "=" }
        return HARField(String(name), String(pair.dropFirst(name.count + 1)))
      }
    }
    return JSONNode(members: [
      ("method", JSONNode(text: exchange.method)), ("url", JSONNode(text: exchange.url)),
      ("httpVersion", JSONNode(text: exchange.version)), ("cookies", JSONNode(fields: cookies)),
      ("headers", JSONNode(fields: exchange.requestHeaders)),
      ("queryString", JSONNode(fields: HARAddress(exchange.url).parameters)),
      ("postData", exchange.requestBody.isEmpty ? nil : postData(exchange)), ("headersSize", JSONNode(whole: -1)),
      ("bodySize", JSONNode(whole: exchange.requestBody.count)),
    ])
  }

  private static func postData(_ exchange: HARExchange) -> JSONNode {
    let type = exchange.requestHeaders.header("content-type") ?? ""
    let isForm = type.lowercased().hasPrefix("application/x-www-form-urlencoded")
    let text = isForm ? String(validUTF8: exchange.requestBody) : nil
    return JSONNode(
      members: [
        ("mimeType", JSONNode(text: type)),
        ("params", text.map { JSONNode(fields: HARAddress.fields($0)) }),
      ] + HARBody.members(exchange.requestBody, encodingName: "_encoding"))
  }

  private static func response(_ exchange: HARExchange) -> JSONNode {
    let headers = exchange.responseHeaders
    let content =
      [
        ("size", JSONNode(whole: exchange.responseBody.count)),
        ("mimeType", JSONNode(text: headers.header("content-type") ?? "")),
      ] as [(name: String, value: JSONNode?)]
    return JSONNode(members: [
      ("status", JSONNode(whole: exchange.status)), ("statusText", JSONNode(text: exchange.reason)),
      ("httpVersion", JSONNode(text: exchange.version)),
      ("cookies", JSONNode(elements: headers.filter { $0.name.lowercased() == "set-cookie" }.map { cookie($0.value) })),
      ("headers", JSONNode(fields: headers)),
      ("content", JSONNode(members: content + HARBody.members(exchange.responseBody, encodingName: "encoding"))),
      ("redirectURL", JSONNode(text: headers.header("location") ?? "")), ("headersSize", JSONNode(whole: -1)),
      ("bodySize", JSONNode(whole: exchange.responseBody.count)),
    ])
  }

  /// A cookie that a server sets, with its attributes (RFC 6265, section 4.1).
  private static func cookie(_ text: String) -> JSONNode {
    let parts = text.split(separator: ";", omittingEmptySubsequences: false).map { part in
      let part = part.drop { $0 == " " }
      let name = part.prefix { $0 != "=" }
      return HARField(String(name), String(part.dropFirst(name.count + 1)))
    }
    func attribute(_ name: String) -> JSONNode? {
      parts.dropFirst().first { $0.name.lowercased() == name }.map { JSONNode(text: $0.value) }
    }
    func flag(_ name: String) -> JSONNode? {
      parts.dropFirst().contains { $0.name.lowercased() == name } ? JSONNode(.bool(true)) : nil
    }
    return JSONNode(members: [
      ("name", JSONNode(text: parts.first?.name ?? "")), ("value", JSONNode(text: parts.first?.value ?? "")),
      ("path", attribute("path")), ("domain", attribute("domain")), ("httpOnly", flag("httponly")),
      ("secure", flag("secure")),
    ])
  }
}
