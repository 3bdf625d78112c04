import NIOCore
import NIOHPACK
import NIOHTTP2

/// One request of an HTTP/2 connection, its stream to the upstream, and what is held of its reply.
final class HTTP2Stream {
  typealias Payload = HTTP2Frame.FramePayload

  private let relay: HTTP2Relay
  var client: ChannelHandlerContext?
  private var upstream: ChannelHandlerContext?
  /// The payloads that wait for the upstream.
  private var unsent: [Payload] = []
  private var unsentBytes = 0
  private var held = CircularBuffer<Payload>()
  private var heldBytes = 0
  private var due: NIODeadline?
  private var shift = TimeAmount.zero
  private var plan = RequestPlan()
  private var record: HTTPRequestRecord?
  private var began = NIODeadline.now()
  private var allowed = Int64.max
  private var isLocal = false
  /// Tells whether a reset follows what is held.
  private var isCut = false
  private var isOver = false
  private var timer: Scheduled<Void>?
  var clientWaits = false
  var upstreamWaits = false

  init(_ relay: HTTP2Relay) { self.relay = relay }

  // MARK: The request

  func receive(request payload: Payload) {
    switch payload {
    case .headers(let headers) where record == nil: begin(headers.headers)
    default: break
    }
    guard !isLocal, !isOver, payload.isOfMessage else { return }
    if let upstream { return upstream.write(NIOAny(payload), promise: nil) }
    unsent.append(payload)
    unsentBytes += payload.size
  }

  func flushUpstream() { upstream?.flush() }

  private func begin(_ headers: HPACKHeaders) {
    let (method, target) = (headers.first(name: ":method") ?? "", headers.first(name: ":path") ?? "")
    let number = relay.shaping.number
    relay.insert(self)
    relay.shard.figures.requests += 1
    plan = relay.service.plan(method: method, target: target, connection: number)
    allowed = plan.truncation ?? .max
    began = .now()
    record = HTTPRequestRecord(
      method: method, target: target, status: 0, duration: .zero, toxics: plan.toxics, isCut: false, version: "2",
      connection: number)
    if let failure = plan.failure {
      answer(failure)
    } else {
      relay.open(self, isGRPC: headers.first(name: "content-type")?.hasPrefix("application/grpc") ?? false)
    }
  }

  /// The stream to the upstream stands.
  func upstreamIsThere(_ context: ChannelHandlerContext) {
    guard !isOver, !isLocal else { return context.close(promise: nil) }
    upstream = context
    for payload in unsent { context.write(NIOAny(payload), promise: nil) }
    unsent = []
    unsentBytes = 0
    context.flush()
    resumeClient()
  }

  // MARK: The reply

  func receive(reply payload: Payload) {
    guard !isOver, !isLocal else { return }
    switch payload {
    case .headers(let headers):
      if let status = headers.headers.first(name: ":status").flatMap({ Int($0) }) {
        if status < 200 {
          if held.isEmpty { client?.write(NIOAny(payload), promise: nil) }
          return
        }
        record?.status = status
        if let length = headers.headers.first(name: "content-length").flatMap({ Int64($0) }), length <= allowed {
          allowed = .max
        }
        schedule(lines: headers.headers.count)
      }
      hold(payload)
    case .data(let data):
      if Int64(payload.size) > allowed {
        cut(data)
      } else {
        if allowed != .max { allowed -= Int64(payload.size) }
        hold(payload)
      }
    default: break
    }
    pump()
  }

  /// The body ends early, with the bytes that may still pass.
  private func cut(_ data: Payload.Data) {
    if case .byteBuffer(var bytes) = data.data, let part = bytes.readSlice(length: Int(allowed)), part.readableBytes > 0
    {
      hold(.data(.init(data: .byteBuffer(part))))
    }
    isLocal = true
    isCut = true
    closeUpstream()
  }

  /// Resets the stream a moment after its last bytes: clients that hear of both at once pass over the bytes.
  private func resetSoon() {
    isCut = false
    relay.shard.loop.assumeIsolated().scheduleTask(in: .milliseconds(20)) { self.reset(.internalError) }
  }

  /// From now the delay counts; a head that comes slowly comes whole when its last line is due.
  private func schedule(lines: Int) {
    let now = NIODeadline.now()
    let slow = plan.slowHeaders.map { TimeAmount($0) * lines } ?? .zero
    due = max(now, now + TimeAmount(plan.delay) + slow + shift)
  }

  private func hold(_ payload: Payload) {
    held.append(payload)
    heldBytes += payload.size
  }

  /// Sends what is due.
  func pump() {
    guard let due, !isOver, let client else { return }
    let now = NIODeadline.now()
    guard due <= now else { return wake(at: due) }
    guard !held.isEmpty || isCut else { return resumeUpstream() }
    var ends = false
    while let payload = held.popFirst() {
      heldBytes -= payload.size
      ends = payload.isEnd || ends
      if case .rstStream = payload { record?.isCut = true }
      client.write(NIOAny(payload), promise: nil)
    }
    // The flush may end the stream at once, and with it the client's channel: the end is to be known before.
    if ends { finish() }
    client.flush()
    if isOver { return }
    if isCut { resetSoon() } else { resumeUpstream() }
  }

  private func wake(at due: NIODeadline) {
    timer?.cancel()
    timer = relay.shard.loop.assumeIsolated().scheduleTask(deadline: due) { self.pump() }
  }

  func delay(by amount: TimeAmount) {
    let now = NIODeadline.now()
    if let due { self.due = max(now, max(due, now) + amount) } else { shift = shift + amount }
    pump()
  }

  // MARK: Answers of the proxy itself

  private func answer(_ failure: HTTPFailure) {
    isLocal = true
    unsent = []
    record?.status = failure.status
    var headers: HPACKHeaders = [":status": "\(failure.status)"]
    for (name, value) in failure.validHeaders { headers.add(name: name.lowercased(), value: value) }
    let body = failure.hasBody ? failure.body : ""
    if !body.isEmpty, !headers.contains(name: "content-type") {
      headers.add(name: "content-type", value: "text/plain; charset=utf-8")
    }
    if failure.hasBody { headers.add(name: "content-length", value: "\(body.utf8.count)") }
    let isBare = body.isEmpty || record?.method == "HEAD"
    schedule(lines: headers.count)
    hold(.headers(.init(headers: headers, endStream: isBare)))
    if !isBare { hold(.data(.init(data: .byteBuffer(ByteBuffer(string: body)), endStream: true))) }
    pump()
  }

  /// Answers a request that cannot be led on.
  func refuse(_ refusal: HTTPRefusal) {
    guard !isOver, !isLocal, due == nil else { return reset(.internalError) }
    answer(HTTPFailure(status: refusal.status, body: refusal.reason + "\n", headers: ["server": "mpaas"]))
  }

  // MARK: The ends

  private func finish() {
    guard !isOver else { return }
    isOver = true
    timer?.cancel()
    relay.remove(self)
    closeUpstream()
    resumeClient()
    guard var record else { return }
    record.duration = .now() - began
    relay.service.ended(record)
  }

  private func closeUpstream() {
    guard let upstream else { return }
    self.upstream = nil
    // Not at once: this may be within the delivery of the stream's last frame, before it is known to have ended.
    relay.shard.loop.assumeIsolated().execute { upstream.close(promise: nil) }
  }

  private func reset(_ code: HTTP2ErrorCode) {
    guard !isOver else { return }
    record?.isCut = true
    let client = client
    finish()
    client?.writeAndFlush(NIOAny(Payload.rstStream(code)), promise: nil)
  }

  /// The client has reset the stream, or has gone.
  func clientIsGone() {
    upstream?.writeAndFlush(NIOAny(Payload.rstStream(.cancel)), promise: nil)
    if client != nil, record?.status == 0 { record?.isCut = true }
    client = nil
    finish()
  }

  /// The upstream has reset the stream, or has gone; what came before is still sent.
  func upstreamEnded(_ code: HTTP2ErrorCode) {
    upstream = nil
    guard !isOver, !isLocal, held.last?.isEnd != true else { return }
    isLocal = true
    hold(.rstStream(code))
    if due == nil { due = .now() }
    pump()
  }

  // MARK: Back-pressure

  var mayReadClient: Bool {
    if isLocal || isOver || record == nil { return true }
    return upstream?.channel.isWritable ?? (unsentBytes < HTTP1Relay.holding)
  }

  var mayReadUpstream: Bool {
    heldBytes < HTTP1Relay.holding && !relay.shaping.isFull && (client?.channel.isWritable ?? true)
  }

  func resumeClient() {
    guard clientWaits, mayReadClient else { return }
    clientWaits = false
    client?.read()
  }

  func resumeUpstream() {
    guard upstreamWaits, mayReadUpstream else { return }
    upstreamWaits = false
    upstream?.read()
  }
}

extension HTTP2Frame.FramePayload {
  fileprivate var size: Int {
    if case .data(let data) = self { data.data.readableBytes } else { 0 }
  }

  /// Tells whether it ends the stream.
  fileprivate var isEnd: Bool {
    switch self {
    case .headers(let headers): headers.endStream
    case .data(let data): data.endStream
    case .rstStream: true
    default: false
    }
  }

  /// Tells whether it belongs to a request or a reply, and not to the connection.
  fileprivate var isOfMessage: Bool {
    switch self {
    case .headers, .data: true
    default: false
    }
  }
}
