import NIOCore

extension HTTP1Relay {
  /// Bytes of the upstream.
  func receive(reply bytes: ByteBuffer) {
    guard case .connected = upstream else { return }
    if replyBytes.readableBytes == 0 {
      replyBytes = bytes
      replySeen = 0
    } else {
      var bytes = bytes
      replyBytes.writeBuffer(&bytes)
    }
    do throws(HTTPRefusal) { try readReplies() } catch { spoil(error) }
  }

  private func readReplies() throws(HTTPRefusal) {
    while replyBytes.readableBytes > 0, case .connected = upstream {
      guard let index = exchanges.firstIndex(where: { !$0.isLocal && !$0.isComplete }) else {
        // Without a request, what a server may say then is that the time is over (408), and it ends the connection too.
        if case .connected(let context) = upstream { context.close(promise: nil) }
        return
      }
      switch replies {
      case .head: guard try readHead(index) else { return }
      case .body(var body): try readBody(&body, index)
      case .tunnel: pass(takeReplyBytes(), at: index)
      }
    }
  }

  private func takeReplyBytes() -> ByteBuffer {
    defer { replyBytes = ByteBuffer() }
    return replyBytes
  }

  /// - Returns: Whether there was a whole head.
  private func readHead(_ index: Int) throws(HTTPRefusal) -> Bool {
    guard let length = replyBytes.withUnsafeReadableBytes({ HTTP1Head.length($0, seen: replySeen) }) else {
      replySeen = replyBytes.readableBytes
      guard replySeen <= HTTP1Head.longest,
        replyBytes.readableBytesView.prefix(5).elementsEqual("HTTP/".utf8.prefix(replySeen))
      else { throw HTTPRefusal(502, "The upstream did not answer with an HTTP/1 status line.") }
      return false
    }
    replySeen = 0
    let method = exchanges[index].method
    let head = try replyBytes.withUnsafeReadableBytes { bytes throws(HTTPRefusal) in
      try HTTP1Head(reply: UnsafeRawBufferPointer(rebasing: bytes[..<length]), to: method)
    }
    guard let raw = replyBytes.readSlice(length: length) else { return false }
    begin(head, raw, index)
    return true
  }

  private func begin(_ head: HTTP1Head, _ raw: ByteBuffer, _ index: Int) {
    let isTunnel =
      exchanges[index].asksForTunnel
      && (head.status == 101 || (exchanges[index].method == "CONNECT" && (200..<300).contains(head.status)))
    guard head.status >= 200 || isTunnel else {
      // Interim replies are not delayed, else no body would come after `Expect: 100-continue`.
      if index == 0, exchanges[index].held.isEmpty { write(raw) }
      return
    }
    exchanges[index].status = head.status
    exchanges[index].answer(at: .now())
    if exchanges[index].plan.slowHeaders == nil {
      pass(raw, at: index)
    } else {
      exchanges[index].hold(head: raw)
      heldBytes += raw.readableBytes
    }
    if isTunnel {
      replies = .tunnel
      requests = .tunnel
      readRequests()
      if clientHasEnded, case .connected(let context) = upstream { context.close(mode: .output, promise: nil) }
    } else {
      if case .length(let length) = head.framing, length <= exchanges[index].allowed { exchanges[index].allowed = .max }
      let body = HTTP1Body(head.framing)
      replies = body.isDone ? .head : .body(body)
      exchanges[index].isComplete = body.isDone
      if exchanges[index].asksForTunnel {
        requests = .head
        resumeClient()
      }
    }
    pump()
  }

  private func readBody(_ body: inout HTTP1Body, _ index: Int) throws(HTTPRefusal) {
    let allowed = exchanges[index].allowed
    let step = try replyBytes.withUnsafeReadableBytes { bytes throws(HTTPRefusal) in
      try body.take(bytes, allowed: allowed)
    }
    if allowed != .max { exchanges[index].allowed -= Int64(step.content) }
    if step.taken > 0, let part = replyBytes.readSlice(length: step.taken) { pass(part, at: index) }
    replies = step.isEnd ? .head : .body(body)
    if step.isCut {
      cut(index)
    } else if step.isEnd {
      exchanges[index].isComplete = true
      pump()
    }
  }

  /// Sends a part of a reply where nothing of it waits, else lets it wait.
  private func pass(_ part: ByteBuffer, at index: Int) {
    if index == 0, exchanges[index].held.isEmpty, let due = exchanges[index].due, due <= .now() {
      write(part)
    } else {
      exchanges[index].held.append(part)
      heldBytes += part.readableBytes
    }
  }

  /// The reply ends early, and with it the connections.
  private func cut(_ index: Int) {
    exchanges[index].isCut = true
    exchanges[index].isComplete = true
    if exchanges[index].due == nil { exchanges[index].answer(at: .now()) }
    exchanges.removeSubrange((index + 1)...)
    requests = .refused
    closeUpstream()
    client?.flush()
    pump()
  }

  /// Ends an exchange whose upstream sends no HTTP.
  private func spoil(_ refusal: HTTPRefusal) {
    service.refused(refusal)
    guard let index = exchanges.firstIndex(where: { !$0.isLocal && !$0.isComplete }) else { return closeClient() }
    exchanges[index].due == nil ? refuseUpstream(refusal) : cut(index)
  }

  /// The upstream sends no more; what leads another protocol may still go up.
  func upstreamSendsNoMore(_ context: ChannelHandlerContext) {
    guard case .connected = upstream, case .tunnel = replies, !exchanges.isEmpty else {
      return context.close(promise: nil)
    }
    exchanges[0].isComplete = true
    pump()
  }

  /// The connection to the upstream is no more.
  func upstreamEnded() {
    guard case .connected = upstream else { return }
    upstream = .ended
    if isEnding { return }
    guard let index = exchanges.firstIndex(where: { !$0.isLocal && !$0.isComplete }) else {
      if case .tunnel = replies { closeClient() } else if exchanges.isEmpty { endClient() }
      return
    }
    switch replies {
    case .body(let body) where body.endsWithConnection:
      exchanges[index].isComplete = true
      replies = .head
      pump()
      if !exchanges.isEmpty { requests = .refused }
    default: cut(index)
    }
  }
}
