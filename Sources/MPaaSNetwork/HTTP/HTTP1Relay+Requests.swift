import MPaaSSupport
import NIOCore

extension HTTP1Relay {
  /// Bytes of the client.
  func receive(request bytes: ByteBuffer) {
    if case .refused = requests { return }
    if requestBytes.readableBytes == 0 {
      requestBytes = bytes
      requestSeen = 0
    } else {
      var bytes = bytes
      requestBytes.writeBuffer(&bytes)
    }
    readRequests()
  }

  /// Reads as many requests as there are and as may wait.
  func readRequests() {
    guard !isReadingRequests else { return }
    isReadingRequests = true
    defer {
      isReadingRequests = false
      flushUpstream()
    }
    while requestBytes.readableBytes > 0 {
      switch requests {
      case .head:
        guard exchanges.count < Self.pipeline else { return }
        do {
          guard try readHead() else { return }
        } catch {
          refuse(error)
        }
      case .body(let body, let isForwarded):
        do { try readBody(body, isForwarded) } catch {
          if isForwarded { takeBack(error) }
          refuse(error)
        }
      case .tunnel: forward(takeRequestBytes())
      case .waiting: return
      case .refused: _ = takeRequestBytes()
      }
    }
  }

  private func readBody(_ body: HTTP1Body, _ isForwarded: Bool) throws(HTTPRefusal) {
    var body = body
    let step = try requestBytes.withUnsafeReadableBytes { bytes throws(HTTPRefusal) in try body.take(bytes) }
    let part = requestBytes.readSlice(length: step.taken)
    requests = step.isEnd ? .head : .body(body, isForwarded: isForwarded)
    if isForwarded, let part { forward(part) }
  }

  private func takeRequestBytes() -> ByteBuffer {
    defer { requestBytes = ByteBuffer() }
    return requestBytes
  }

  /// - Returns: Whether there was a whole head.
  private func readHead() throws(HTTPRefusal) -> Bool {
    // Empty lines before a request are passed over (RFC 9112 section 2.2).
    while requestSeen == 0, requestBytes.readableBytesView.starts(with: "\r\n".utf8) {
      requestBytes.moveReaderIndex(forwardBy: 2)
    }
    let found = requestBytes.withUnsafeReadableBytes { HTTP1Head.length($0, seen: requestSeen) }
    guard let length = found else {
      try requestBytes.withUnsafeReadableBytes { bytes throws(HTTPRefusal) in
        try HTTP1Head.examine(start: bytes, seen: requestSeen)
      }
      requestSeen = requestBytes.readableBytes
      return false
    }
    requestSeen = 0
    guard length <= HTTP1Head.longest else { throw .tooLong }
    let head = try requestBytes.withUnsafeReadableBytes { bytes throws(HTTPRefusal) in
      try HTTP1Head(request: UnsafeRawBufferPointer(rebasing: bytes[..<length]))
    }
    if let raw = requestBytes.readSlice(length: length) { begin(head, raw) }
    return true
  }

  private func begin(_ head: HTTP1Head, _ raw: ByteBuffer) {
    let now = NIODeadline.now()
    shard.figures.requests += 1
    let plan = service.plan(method: head.method, target: head.target, connection: shaping.number)
    var exchange = HTTP1Exchange(head, plan: plan, at: now)
    let body = HTTP1Body(head.framing)
    guard let failure = plan.failure else {
      // An upgrade may be passed over. That to HTTP/2 is (RFC 9113 section 3.1), since it would hide the requests.
      let isStripped = head.upgrade.map { $0.contains("h2c") || !body.isDone } ?? false
      if isStripped { exchange.asksForTunnel = false }
      requests = exchange.asksForTunnel ? .waiting : body.isDone ? .head : .body(body, isForwarded: true)
      exchanges.append(exchange)
      forward(isStripped ? raw.withoutFields(["upgrade", "http2-settings"]) : raw)
      return
    }
    // A body may come although it was not asked for: the connection ends with the reply.
    exchange.closes = exchange.closes || (head.expectsContinue && !body.isDone) || failure.status < 200
    requests = exchange.closes ? .refused : body.isDone ? .head : .body(body, isForwarded: false)
    exchange.status = failure.status
    let bytes = HTTP1Reply.bytes(failure, to: head.method, closes: exchange.closes)
    answer(&exchange, bytes, at: now)
    exchanges.append(exchange)
    pump()
  }

  /// Puts the whole reply of the proxy itself into an exchange.
  private func answer(_ exchange: inout HTTP1Exchange, _ bytes: ByteBuffer, at now: NIODeadline) {
    exchange.hold(head: bytes)
    heldBytes += bytes.readableBytes
    exchange.isComplete = true
    exchange.answer(at: now)
  }

  /// Answers a request that cannot be led on; the connection ends with it.
  func refuse(_ refusal: HTTPRefusal) {
    requests = .refused
    _ = takeRequestBytes()
    var head = HTTP1Head.unread
    head.closes = true
    var plan = RequestPlan()
    plan.failure = HTTPFailure(status: refusal.status)
    var exchange = HTTP1Exchange(head, plan: plan, at: .now())
    exchange.status = refusal.status
    answer(&exchange, HTTP1Reply.bytes(refusal), at: .now())
    exchanges.append(exchange)
    service.refused(refusal)
    pump()
  }

  /// The request that is being led on turns out to be none: its reply is no longer waited for.
  private func takeBack(_ refusal: HTTPRefusal) {
    guard let last = exchanges.indices.last, !exchanges[last].isLocal, !exchanges[last].isComplete else { return }
    if exchanges[last].due == nil {
      exchanges.removeLast()
    } else {
      exchanges[last].isCut = true
      exchanges[last].isComplete = true
    }
    if exchanges.allSatisfy({ $0.isLocal || $0.isComplete }) { closeUpstream() }
  }

  /// Answers all requests that wait for the upstream, which does not answer them.
  func refuseUpstream(_ refusal: HTTPRefusal) {
    requests = .refused
    closeUpstream()
    let now = NIODeadline.now()
    guard let index = exchanges.firstIndex(where: { !$0.isLocal && !$0.isComplete }) else { return endClient() }
    var plan = RequestPlan()
    plan.failure = HTTPFailure(status: refusal.status)
    plan.toxics = exchanges[index].plan.toxics
    var head = HTTP1Head.unread
    (head.method, head.target, head.closes) = (exchanges[index].method, exchanges[index].target, true)
    var exchange = HTTP1Exchange(head, plan: plan, at: exchanges[index].began)
    exchange.status = refusal.status
    answer(&exchange, HTTP1Reply.bytes(refusal, to: head.method), at: now)
    exchanges.removeSubrange(index...)
    exchanges.append(exchange)
    pump()
  }

  // MARK: To the upstream

  private func forward(_ bytes: ByteBuffer) {
    switch upstream {
    case .connected(let context): context.write(NIOAny(bytes), promise: nil)
    case .ended: break
    case .connecting, .none:
      unsent.append(bytes)
      unsentBytes += bytes.readableBytes
      if case .none = upstream { connect() }
    }
  }

  private func flushUpstream() {
    if case .connected(let context) = upstream { context.flush() }
  }

  private func connect() {
    upstream = .connecting
    let relay = NIOLoopBound(self, eventLoop: loop)
    service.connect(on: loop, protocols: ["http/1.1"]) { channel, _ in
      try channel.pipeline.syncOperations.addHandler(HTTP1UpstreamHandler(relay.value))
    }.assumeIsolated().whenFailure { error in
      guard case .connecting = self.upstream else { return }
      self.shard.figures.failedConnections += 1
      self.refuseUpstream(self.service.refusal(of: error))
    }
  }

  /// The connection to the upstream stands.
  func upstreamIsThere(_ context: ChannelHandlerContext) {
    guard case .connecting = upstream else { return context.close(promise: nil) }
    upstream = .connected(context)
    while let part = unsent.popFirst() { context.write(NIOAny(part), promise: nil) }
    unsentBytes = 0
    context.flush()
    if clientHasEnded, case .tunnel = requests { context.close(mode: .output, promise: nil) }
    resumeClient()
  }

  /// The client sends no more.
  func clientEnded() {
    clientHasEnded = true
    switch requests {
    case .tunnel:
      if case .connected(let context) = upstream { context.close(mode: .output, promise: nil) }
      if exchanges.isEmpty { closeClient() }
    case .body(_, isForwarded: true): closeClient()
    default: if exchanges.isEmpty || isEnding { closeClient() }
    }
  }
}

extension HTTPRefusal {
  static var tooLong: HTTPRefusal {
    HTTPRefusal(431, "The head of the request is longer than \(HTTP1Head.longest) bytes.")
  }
}

extension HTTP1Head {
  fileprivate static var unread: HTTP1Head { HTTP1Head() }

  /// Refuses early what cannot become a head any more.
  fileprivate static func examine(start bytes: UnsafeRawBufferPointer, seen: Int) throws(HTTPRefusal) {
    guard bytes.count <= longest else { throw .tooLong }
    guard let first = bytes.first, HTTP1Bytes.isToken(first) || first == HTTP1Bytes.carriageReturn else {
      throw HTTPRefusal(400, "The request line does not begin with a method and a space.")
    }
    for index in seen..<bytes.count where bytes[index] == HTTP1Bytes.lineFeed {
      guard index > 0, bytes[index - 1] == HTTP1Bytes.carriageReturn else {
        throw HTTPRefusal(400, "A line of the head does not end with CR LF.")
      }
    }
  }
}

extension ByteBuffer {
  /// A head without some of its fields, named in small letters.
  fileprivate func withoutFields(_ names: Set<String>) -> ByteBuffer {
    var kept = ByteBuffer()
    kept.reserveCapacity(readableBytes)
    for line in readableBytesView.split(separator: HTTP1Bytes.lineFeed, omittingEmptySubsequences: false).dropLast() {
      let name = line.prefix { $0 != UInt8(ascii: ":") }.map(\.lowercasedASCII)
      if names.contains(String(decoding: name, as: UTF8.self)) { continue }
      kept.writeBytes(line)
      kept.writeInteger(HTTP1Bytes.lineFeed)
    }
    return kept
  }
}
