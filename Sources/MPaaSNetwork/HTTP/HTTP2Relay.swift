import NIOCore
import NIOHTTP1
import NIOHTTP2

/// A client's HTTP/2 connection and what its requests need of the upstream, all on one event loop.
///
/// Each stream of the client has one of its own to the upstream: all of them on one connection of HTTP/2, or each on
/// one of HTTP/1.1 where the upstream speaks no more than that.
final class HTTP2Relay {
  enum Upstream {
    case none
    case connecting([HTTP2Stream])
    case connected(any Channel, NIOHTTP2Handler.StreamMultiplexer)
    /// By the greeting of TLS.
    case speaksHTTP1
  }

  let service: HTTPService
  let shaping: ShapingHandler
  let shard: LoopShard
  private let client: any Channel
  private var upstream = Upstream.none
  private var streams: [ObjectIdentifier: HTTP2Stream] = [:]

  init(_ service: HTTPService, _ shaping: ShapingHandler, on shard: LoopShard, _ client: any Channel) {
    self.service = service
    self.shaping = shaping
    self.shard = shard
    self.client = client
  }

  /// The handlers of the client's channel, the lowest first.
  func handlers() -> [any ChannelHandler] {
    let relay = NIOLoopBound(self, eventLoop: shard.loop)
    let http = NIOHTTP2Handler(
      mode: .server, eventLoop: shard.loop, connectionConfiguration: .relayed(.server),
      streamConfiguration: .relayed
    ) { channel in
      channel.eventLoop.makeCompletedFuture {
        let stream = HTTP2Stream(relay.value)
        try channel.pipeline.syncOperations.addHandler(HTTP2ClientHandler(stream))
      }
    }
    return [
      http, HTTP2ConnectionHandler(onChange: { [weak self] in self?.resume() }, onEnd: { [weak self] in self?.end() }),
    ]
  }

  func insert(_ stream: HTTP2Stream) { streams[ObjectIdentifier(stream)] = stream }
  func remove(_ stream: HTTP2Stream) { streams[ObjectIdentifier(stream)] = nil }

  // MARK: The upstream

  /// Finds an upstream for a request.
  func open(_ stream: HTTP2Stream, isGRPC: Bool) {
    // A client that chose by TLS does not know what an upstream in the clear speaks; gRPC is HTTP/2 only.
    if !service.hasSecureUpstream, isSecure, !isGRPC { return openHTTP1(stream) }
    switch upstream {
    case .speaksHTTP1: openHTTP1(stream)
    case .connected(_, let multiplexer): open(stream, on: multiplexer)
    case .connecting(let others): upstream = .connecting(others + [stream])
    case .none:
      upstream = .connecting([stream])
      connect()
    }
  }

  private var isSecure: Bool { client.pipeline.syncOperations.isSecure }

  private func connect() {
    let relay = NIOLoopBound(self, eventLoop: shard.loop)
    service.connect(on: shard.loop, protocols: ["h2", "http/1.1"]) { channel, chosen in
      guard chosen == nil || chosen == "h2" else { return }
      let http = NIOHTTP2Handler(
        mode: .client, eventLoop: channel.eventLoop, connectionConfiguration: .relayed(.client),
        streamConfiguration: .relayed
      ) { pushed in pushed.close() }
      let ended = { relay.value.upstreamEnded(channel) }
      let watcher = HTTP2ConnectionHandler(onGoAway: ended, onEnd: ended)
      try channel.pipeline.syncOperations.addHandlers([http, watcher])
    }.assumeIsolated().whenComplete { result in relay.value.connected(result) }
  }

  private func connected(_ result: Result<any Channel, any Error>) {
    guard case .connecting(let waiting) = upstream else {
      if case .success(let channel) = result { channel.close(promise: nil) }
      return
    }
    switch result {
    case .success(let channel):
      if let http = try? channel.pipeline.syncOperations.handler(type: NIOHTTP2Handler.self),
        let multiplexer = try? http.syncMultiplexer()
      {
        upstream = .connected(channel, multiplexer)
        for stream in waiting { open(stream, on: multiplexer) }
      } else {
        upstream = .speaksHTTP1
        channel.close(promise: nil)
        for stream in waiting { openHTTP1(stream) }
      }
    case .failure(let error):
      upstream = .none
      let refusal = service.refusal(of: error)
      for stream in waiting { refuse(stream, refusal) }
    }
  }

  private func refuse(_ stream: HTTP2Stream, _ refusal: HTTPRefusal) {
    shard.figures.failedConnections += 1
    stream.refuse(refusal)
  }

  private func open(_ stream: HTTP2Stream, on multiplexer: NIOHTTP2Handler.StreamMultiplexer) {
    let bound = NIOLoopBound(stream, eventLoop: shard.loop)
    multiplexer.createStreamChannel { channel in
      channel.eventLoop.makeCompletedFuture {
        try channel.pipeline.syncOperations.addHandler(HTTP2UpstreamHandler(bound.value))
      }
    }.assumeIsolated().whenFailure { error in stream.refuse(HTTPRefusal(502, "The upstream takes no stream: \(error)."))
    }
  }

  private func openHTTP1(_ stream: HTTP2Stream) {
    let (bound, relay) = (NIOLoopBound(stream, eventLoop: shard.loop), NIOLoopBound(self, eventLoop: shard.loop))
    service.connect(on: shard.loop, protocols: ["http/1.1"]) { channel, _ in
      let pipeline = channel.pipeline.syncOperations
      try pipeline.addHTTPClientHandlers()
      try pipeline.addHandlers([HTTP2AsHTTP1Handler(), HTTP2UpstreamHandler(bound.value)])
    }.assumeIsolated().whenFailure { error in
      relay.value.refuse(stream, relay.value.service.refusal(of: error))
    }
  }

  // MARK: The ends

  /// The upstream's connection takes no more streams; those that stand go on.
  private func upstreamEnded(_ channel: any Channel) {
    if case .connected(let mine, _) = upstream, mine === channel { upstream = .none }
  }

  /// The client is gone.
  private func end() {
    for stream in streams.values { stream.clientIsGone() }
    streams.removeAll()
    if case .connected(let channel, _) = upstream { channel.close(promise: nil) }
    upstream = .none
  }

  private func resume() {
    for stream in streams.values { stream.resumeUpstream() }
  }
}

extension HTTP2Relay: HTTPFlight {
  func delayAll(by amount: TimeAmount) -> Bool {
    let now = Array(streams.values)
    for stream in now { stream.delay(by: amount) }
    return !now.isEmpty
  }
}

extension NIOHTTP2Handler.ConnectionConfiguration {
  /// With windows for slow links, and without the guards of a server on the open network: a client may be busy.
  fileprivate static func relayed(_ mode: NIOHTTP2Handler.ParserMode) -> Self {
    var configuration = Self()
    configuration.initialSettings = [
      HTTP2Setting(parameter: .maxHeaderListSize, value: HTTP1Head.longest),
      HTTP2Setting(parameter: .initialWindowSize, value: 1 << 20),
    ]
    configuration.initialSettings.append(
      mode == .client
        ? HTTP2Setting(parameter: .enablePush, value: 0) : HTTP2Setting(parameter: .maxConcurrentStreams, value: 1000))
    configuration.targetWindowSize = 4 << 20
    configuration.controlFrameRateLimit.maximumCount = 100_000
    return configuration
  }
}

extension NIOHTTP2Handler.StreamConfiguration {
  fileprivate static var relayed: Self {
    var configuration = Self()
    configuration.targetWindowSize = 1 << 20
    configuration.outboundBufferSizeHighWatermark = 256 << 10
    configuration.outboundBufferSizeLowWatermark = 64 << 10
    configuration.streamResetFrameRateLimit.maximumCount = 100_000
    configuration.streamErrorRateLimit.maximumCount = 100_000
    return configuration
  }
}
