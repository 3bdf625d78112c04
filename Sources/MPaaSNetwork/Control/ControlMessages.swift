package import MPaaSSupport

/// A request to the control API, whole.
package struct ControlRequest: Sendable {
  package var method: String
  /// The path without its query, parts between slashes decoded.
  package var path: [String]
  package var query: [String: String]
  /// By their names in lower case.
  package var headers: [String: String]
  package var body: [UInt8]

  /// - Parameter target: The request target of HTTP: `/proxies/a?b=c`.
  package init(_ method: String, _ target: String, headers: [String: String] = [:], body: [UInt8] = []) {
    self.method = method
    self.headers = headers
    self.body = body
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    path = parts[0].split(separator: "/").map { PercentText.decoded($0) }
    query = [:]
    for pair in parts.dropFirst().first?.split(separator: "&") ?? [] {
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      query[PercentText.decoded(sides[0])] = sides.count > 1 ? PercentText.decoded(sides[1]) : ""
    }
  }
}

/// What the control API answers.
package struct ControlAnswer: Sendable {
  package enum Body: Sendable {
    case bytes([UInt8])
    /// Pieces as they come, until the client goes.
    case stream(AsyncStream<[UInt8]>)
  }

  package var status: Int
  package var headers: [(name: String, value: String)]
  package var body: Body

  package init(_ status: Int, headers: [(name: String, value: String)] = [], body: Body = .bytes([])) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// A JSON document.
  package static func json(_ value: JSONValue, status: Int = 200) -> ControlAnswer {
    ControlAnswer(
      status, headers: [("Content-Type", "application/json")], body: .bytes(Array((value.line + "\n").utf8)))
  }

  package static func text(_ text: String, type: String = "text/plain; charset=utf-8", status: Int = 200)
    -> ControlAnswer
  {
    ControlAnswer(status, headers: [("Content-Type", type)], body: .bytes(Array(text.utf8)))
  }

  package static var noContent: ControlAnswer { ControlAnswer(204) }
}

/// Text as URLs carry it (RFC 3986, section 2.1).
package enum PercentText {
  /// What is no escape stands as it is; what is no UTF-8 is mended.
  package static func decoded(_ text: some StringProtocol) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      let digits = rest.prefix(2)
      if byte == UInt8(ascii: "%"), digits.count == 2,
        digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
        let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// A part of a path: all but unreserved characters escaped.
  package static func encoded(_ text: String) -> String {
    text.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        return String(Character(Unicode.Scalar(byte)))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        return "%" + (digits.count < 2 ? "0" : "") + digits
      }
    }.joined()
  }
}
