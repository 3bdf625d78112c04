import MPaaSMock
import NIOCore
import NIOHTTP1

/// A connection to the mock, or a stream of one: one request after another.
final class MockConnection: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let core: MockCore
  private let place: MockPlace
  private let version: String
  private let raw: RawWriter?
  private let watch: ConnectionWatch
  private var head: HTTPRequestHead?
  private var body: [UInt8] = []
  private var isTooLarge = false

  init(_ core: MockCore, _ place: MockPlace, version: String, raw: RawWriter?, _ watch: ConnectionWatch) {
    self.core = core
    self.place = place
    self.version = version
    self.raw = raw
    self.watch = watch
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      self.head = head
      isTooLarge = false
      if !body.isEmpty { body = [] }
      watch.waitForBody()
      if head.headers.first(name: "expect")?.lowercased() == "100-continue" { expect(head, context) }
    case .body(let bytes):
      guard head != nil, !isTooLarge else { return }
      isTooLarge = body.count + bytes.readableBytes > core.limits.body
      if isTooLarge {
        body = []
        watch.waitForRest()
      } else {
        body += bytes.readableBytesView
      }
    case .end:
      guard let head else { return }
      self.head = nil
      watch.pause()
      answer(head, context)
    }
  }

  /// A client that asks whether its body is wanted.
  private func expect(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    guard let raw else { return }
    let length = head.headers.first(name: "content-length").flatMap { Int($0) } ?? 0
    if length <= core.limits.body { return raw.write(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)) }
    self.head = nil
    refuse(413, context)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  private func answer(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    let isKept = head.isKeepAlive
    guard !isTooLarge else { return refuse(413, context) }
    let size = head.headers.reduce(head.uri.utf8.count) { $0 + $1.name.utf8.count + $1.value.utf8.count }
    guard size <= core.limits.head else { return refuse(431, context) }
    let request = request(head)
    body = []
    let answer = core.answer(request)
    if let proxying = answer.proxying, answer.fault == nil {
      return pass(on: request, proxying, answer.delay, isKept, context)
    }
    finish(request, answer, isKept, context)
  }

  private func request(_ head: HTTPRequestHead) -> MockRequest {
    var headers: [(name: String, value: String)] = []
    headers.reserveCapacity(head.headers.count)
    var authority = ""
    for (name, value) in head.headers {
      headers.append((name, value))
      if authority.isEmpty, name.utf8.count == 4, MockRequest.isSame(name, "host") { authority = value }
    }
    var (host, port) = (authority[...], place.port)
    if let colon = authority.lastIndex(of: ":"), authority.last != "]",
      let number = Int(authority[authority.index(after: colon)...])
    {
      (host, port) = (authority[..<colon], number)
    }
    // A request to a proxy names the whole URL.
    var target = head.uri
    if !target.hasPrefix("/"), let scheme = target.range(of: "://") {
      let rest = target[scheme.upperBound...]
      target = rest.firstIndex(of: "/").map { String(rest[$0...]) } ?? "/"
    }
    return MockRequest(
      head.method.rawValue, target, headers: headers, body: body, scheme: place.scheme, host: String(host), port: port,
      client: place.client, version: version)
  }

  private func refuse(_ status: Int, _ context: ChannelHandlerContext) {
    body = []
    MockWriter(context, raw, watch).write(MockAnswer(status), isHead: false, closing: true)
  }

  private func pass(
    on request: MockRequest, _ proxying: ResponseDefinition.Proxying, _ delay: Double, _ isKept: Bool,
    _ context: ChannelHandlerContext
  ) {
    let loop = context.eventLoop
    let bound = NIOLoopBound((self, context), eventLoop: loop)
    Task { [core] in
      var answer = core.gateway.note(request, passedOn: await core.passing(request, proxying))
      answer.delay = delay
      let made = answer
      loop.execute {
        let (connection, context) = bound.value
        guard context.channel.isActive else { return }
        connection.finish(request, made, isKept, context)
      }
    }
  }

  private func finish(_ request: MockRequest, _ answer: MockAnswer, _ isKept: Bool, _ context: ChannelHandlerContext) {
    core.told?(request.method, request.target, answer.status)
    let isHead = request.method == "HEAD"
    let isClosing = !isKept && version == "HTTP/1.1"
    guard answer.delay > 0 else {
      return MockWriter(context, raw, watch).write(answer, isHead: isHead, closing: isClosing)
    }
    let bound = NIOLoopBound((context, raw, watch), eventLoop: context.eventLoop)
    context.eventLoop.scheduleTask(in: .microseconds(Int64(answer.delay * 1000))) {
      let (context, raw, watch) = bound.value
      guard context.channel.isActive else { return }
      MockWriter(context, raw, watch).write(answer, isHead: isHead, closing: isClosing)
    }
  }
}

extension String {
  /// The first place of a short text.
  fileprivate func range(of part: String) -> Range<String.Index>? {
    var place = startIndex
    while place < endIndex {
      if self[place...].hasPrefix(part) { return place..<index(place, offsetBy: part.count) }
      place = index(after: place)
    }
    return nil
  }
}
