import NIOCore

/// One request of a connection and what is known and held of its reply.
struct HTTP1Exchange {
  let method: String
  let target: String
  let began: NIODeadline
  let plan: RequestPlan
  /// Tells whether the proxy answers by itself.
  let isLocal: Bool
  var asksForTunnel: Bool
  /// Tells whether the client's connection ends with the reply.
  var closes = false
  var status = 0
  /// The time when the reply, or what is held of it, may go on; nil while there is no reply.
  var due: NIODeadline?
  /// The time that the buttons have moved a reply by that had not come yet.
  var shift = TimeAmount.zero
  /// Parts of the reply that wait.
  var held = CircularBuffer<ByteBuffer>()
  /// The number of the parts held that are lines of the head, and how far apart.
  var lines = 0
  var lineDelay = TimeAmount.zero
  /// Tells whether all of the reply has come, or as much as is allowed to.
  var isComplete = false
  /// Tells whether the reply ends early.
  var isCut = false
  /// The bytes of content that may still pass.
  var allowed: Int64

  init(_ head: HTTP1Head, plan: RequestPlan, at now: NIODeadline) {
    method = head.method
    target = head.target
    began = now
    self.plan = plan
    isLocal = plan.failure != nil
    asksForTunnel = head.asksForTunnel
    closes = head.closes
    allowed = plan.truncation ?? .max
  }

  /// The final head of the reply is here: from now the delay counts.
  mutating func answer(at now: NIODeadline) {
    due = max(now, now + TimeAmount(plan.delay) + shift)
  }

  /// Moves what waits; a reply that has not come yet will wait as much longer or shorter.
  mutating func delay(by amount: TimeAmount, at now: NIODeadline) {
    if let due { self.due = max(now, max(due, now) + amount) } else { shift = shift + amount }
  }

  /// Takes the head of a reply, in lines where they are to come one by one.
  mutating func hold(head: ByteBuffer) {
    guard let delay = plan.slowHeaders else {
      held.append(head)
      return
    }
    var rest = head
    while let end = rest.readableBytesView.firstIndex(of: HTTP1Bytes.lineFeed),
      let line = rest.readSlice(length: end + 1 - rest.readerIndex)
    {
      held.append(line)
      lines += 1
    }
    lineDelay = TimeAmount(delay)
  }

  /// The next part that may go on now.
  mutating func next(at now: NIODeadline) -> ByteBuffer? {
    guard let due, due <= now, let part = held.popFirst() else { return nil }
    if lines > 0 {
      lines -= 1
      if lines > 0 { self.due = due + lineDelay }
    }
    return part
  }
}

/// Replies that the proxy writes by itself.
enum HTTP1Reply {
  /// The answer of a condition.
  static func bytes(_ failure: HTTPFailure, to method: String, closes: Bool) -> ByteBuffer {
    var lines = ["HTTP/1.1 \(failure.status) \(reason(failure.status))"]
    var names: Set<String> = []
    for (name, value) in failure.validHeaders {
      names.insert(name.lowercased())
      lines.append("\(name): \(value)")
    }
    let body = failure.hasBody ? failure.body : ""
    if !body.isEmpty, !names.contains("content-type") { lines.append("Content-Type: text/plain; charset=utf-8") }
    if failure.hasBody { lines.append("Content-Length: \(body.utf8.count)") }
    if closes { lines.append("Connection: close") }
    return ByteBuffer(string: lines.joined(separator: "\r\n") + "\r\n\r\n" + (method == "HEAD" ? "" : body))
  }

  /// The answer to what cannot be led on.
  static func bytes(_ refusal: HTTPRefusal, to method: String = "GET") -> ByteBuffer {
    bytes(
      HTTPFailure(status: refusal.status, body: refusal.reason + "\n", headers: ["Server": "mpaas"]), to: method,
      closes: true)
  }

  static func reason(_ status: Int) -> String {
    switch status {
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 408: "Request Timeout"
    case 414: "URI Too Long"
    case 417: "Expectation Failed"
    case 429: "Too Many Requests"
    case 431: "Request Header Fields Too Large"
    case 500: "Internal Server Error"
    case 502: "Bad Gateway"
    case 503: "Service Unavailable"
    case 504: "Gateway Timeout"
    case 505: "HTTP Version Not Supported"
    case 100..<200: "Informational"
    case 200..<300: "OK"
    case 300..<400: "Redirection"
    case 400..<500: "Client Error"
    default: "Server Error"
    }
  }
}

extension HTTPFailure {
  /// The headers that can be sent as they are, by name; the length is the body's own.
  var validHeaders: [(String, String)] {
    headers.filter { name, value in
      !name.isEmpty && name.utf8.allSatisfy(HTTP1Bytes.isToken) && value.utf8.allSatisfy(HTTP1Bytes.isValue)
        && !["content-length", "transfer-encoding", "connection"].contains(name.lowercased())
    }.sorted { $0.key < $1.key }
  }

  var hasBody: Bool { status >= 200 && status != 204 && status != 304 }
}
