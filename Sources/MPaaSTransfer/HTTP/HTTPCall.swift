package import MPaaSSupport
package import MPaaSTime

/// A request with any method, whose answer fits into memory.
package struct HTTPCall: Sendable {
  /// The pieces that are sent, one piece after another.
  package enum Piece: Sendable {
    case bytes(Bytes)
    /// A part of a file, which is read while it is sent and must not change.
    case file(path: String, offset: UInt64, size: UInt64)

    package var size: UInt64 {
      switch self {
      case .bytes(let bytes): UInt64(bytes.count)
      case .file(_, _, let size): size
      }
    }
  }

  /// The signer of a request as S3 wants it.
  package struct Signer: Sendable, Equatable {
    /// `aws:amz:REGION:s3`.
    package let scheme: String
    package let user: String
    package let secret: String

    package init(scheme: String, user: String, secret: String) {
      self.scheme = scheme
      self.user = user
      self.secret = secret
    }
  }

  package var method: String
  package var url: String
  package var headers: [(name: String, value: String)]
  /// nil sends none; no pieces send one of no bytes.
  package var body: [Piece]?
  package var limits: HTTPRequest.Limits
  /// Bytes of the answer's body at most; a longer one ends the call with `tooLarge`.
  package var answerLimit = 1 << 20
  package var signer: Signer?
  /// Keeps `.` and `..` in the path of the URL as names like all others; otherwise they are taken out (RFC 3986,
  /// 5.2.4).
  package var keepsPath = false
  /// The time that a server may think before the body is sent to it all the same (`Expect: 100-continue`, bodies of
  /// over 1 MiB).
  package var expectation: TimeSpan = .milliseconds(200)
  /// Keeps a body from going out a second time by itself: a server that closes a connection without an answer may have
  /// done what it was asked.
  package var isSentOnce = false
  /// Asked for the address that is about to be connected to, 4 bytes or 16; false leaves it.
  ///
  /// With it no proxy is taken; nil admits all.
  package var admits: (@Sendable (_ address: [UInt8]) -> Bool)?
  /// Told often while the body goes out.
  package var sent: (@Sendable (UInt64) -> Void)?
  /// Gets each byte of files in the body once, in order, as it is read to be sent.
  package var passing: (@Sendable (UnsafeRawBufferPointer) -> Void)?
  /// Told of answers before the last one (103, 104), with their headers in lower case.
  package var interim: (@Sendable (_ status: Int, _ headers: [String: String]) -> Void)?
  /// Takes the answer's body where its status is 200 to 299, instead of memory; false ends the call.
  package var receive: (@Sendable (_ status: Int, _ headers: [String: String], UnsafeRawBufferPointer) -> Bool)?
  /// Asked often; true ends the call, as the end of the task does.
  package var isCancelled: @Sendable () -> Bool = { false }

  package init(
    _ method: String, _ url: String, headers: [(name: String, value: String)] = [], body: [Piece]? = nil,
    limits: HTTPRequest.Limits = HTTPRequest.Limits()
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.limits = limits
  }

  /// A call with bytes as its body.
  package init(
    _ method: String, _ url: String, headers: [(name: String, value: String)] = [], bytes: some Collection<UInt8>
  ) {
    self.init(method, url, headers: headers, body: [.bytes(Bytes(bytes))])
  }
}

/// The answer of a server, whatever its status.
package struct HTTPReply: Sendable, Equatable {
  package let status: Int
  /// Names in lower case.
  package let headers: [String: String]
  /// All values of headers that came more than once, such as `set-cookie`; `headers` has the last ones.
  package let repeated: [String: [String]]
  package let body: [UInt8]
  /// The time that the server wants not to be asked again.
  package let retryAfter: TimeSpan?

  package init(
    status: Int, headers: [String: String] = [:], repeated: [String: [String]] = [:], body: [UInt8] = [],
    retryAfter: TimeSpan? = nil
  ) {
    self.status = status
    self.headers = headers
    self.repeated = repeated
    self.body = body
    self.retryAfter = retryAfter
  }

  package var isSuccess: Bool { (200...299).contains(status) }

  /// The headers sorted by name, each value for itself.
  package var fields: [(name: String, value: String)] {
    headers.sorted { $0.key < $1.key }.flatMap { name, value in (repeated[name] ?? [value]).map { (name, $0) } }
  }

  package var text: String { String(decoding: body, as: UTF8.self) }

  /// The answer where its status is 200 to 299.
  ///
  /// - Throws: `HTTPError` with the status, and the first line of the body as its reason.
  package func succeeded(_ url: String) throws(HTTPError) -> HTTPReply {
    if isSuccess { return self }
    throw HTTPError(.status(status), url: url, reason: reason)
  }

  /// The beginning of the body, as far as it is a line of text; of a store that speaks S3 the code and the sentence of
  /// its error.
  package var reason: String {
    if body.first == UInt8(ascii: "<") {
      if let code = element("Code") { return element("Message").map { "\(code): \($0)" } ?? code }
    }
    let line = String(decoding: body.prefix(200).prefix { $0 >= 0x20 || $0 == 9 }, as: UTF8.self)
    return line.isEmpty ? "HTTP \(status)" : line
  }

  /// The text of the first XML element of a name, within the beginning of the body.
  func element(_ name: String) -> String? {
    let text = String(decoding: body.prefix(16 << 10), as: UTF8.self)
    guard let start = text.firstPlace(of: "<\(name)>"), let end = text[start.upperBound...].firstPlace(of: "</\(name)>")
    else { return nil }
    return String(text[start.upperBound..<end.lowerBound])
  }
}

/// The settings by which a client reaches servers.
package struct HTTPSettings: Sendable, Equatable {
  package enum Version: String, Sendable, CaseIterable {
    case http1 = "1.1"
    case http2 = "2"
    case http3 = "3"
  }

  /// A file of certificates to trust instead of the system's.
  package var certificates: String?
  /// `http://`, `https://` or `socks5h://` address; nil obeys the environment's variables, empty uses none.
  package var proxy: String?
  /// SHA-256 of public keys in Base64, one of which the server must have; empty: any.
  package var pinned: [String] = []
  /// nil leaves it to both ends.
  package var version: Version?
  /// Bytes a second at most over one connection; 0: no limit.
  package var sendRate: Int64 = 0
  package var receiveRate: Int64 = 0

  package init(certificates: String? = nil) {
    self.certificates = certificates
  }
}
