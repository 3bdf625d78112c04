import NIOCore
import NIOPosix
import NIOSSL

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Looks at a real network: how long a connection takes to be made, and how fast a reply comes.
package struct LinkProbe: Sendable {
  package let target: ProbeTarget
  private let address: SocketAddress
  private let tls: NIOSSLContext?
  /// After so long a look ends.
  private let limit: TimeAmount
  /// The number of bytes of a reply that are read.
  private static let enough = 4 << 20

  /// Finds the target's address.
  package init(_ target: ProbeTarget, limit: Duration = .seconds(10)) async throws(NetworkError) {
    self.target = target
    self.limit = .nanoseconds(limit.inNanoseconds)
    address = try await target.resolved()
    tls = target.isTLS ? try? NIOSSLContext(configuration: .makeClientConfiguration()) : nil
  }

  /// One look.
  ///
  /// A connection is made by a packet there and one back. Where one of them is lost, Linux and macOS send the first
  /// again after a second, then after two more, and so on: a connection that took so much longer tells how many were
  /// lost.
  package func look(at time: Double) async -> LinkSample {
    var sample = LinkSample(time: time, sent: 1)
    let reply = ReplyMeter(enough: Self.enough)
    let begin = NIODeadline.now()
    do {
      let loop = MultiThreadedEventLoopGroup.singleton.next()
      let connected = loop.makePromise(of: NIODeadline.self)
      let channel = try await ClientBootstrap(group: loop).connectTimeout(limit).channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(ConnectionClock(connected))
          if let handler = try self.tlsHandler() { try channel.pipeline.syncOperations.addHandler(handler) }
          try channel.pipeline.syncOperations.addHandler(reply)
        }
      }.connect(to: address).get()
      let took = try await connected.futureResult.get() - begin
      (sample.roundTrip, sample.lost) = Self.trip(took)
      sample.sent += sample.lost
      if let bytes = requestBytes { sample.downRate = await rate(of: reply, on: channel, bytes) }
      try? await channel.close()
    } catch let error as IOError where error.errnoCode == ECONNREFUSED {
      // A refusal is an answer, and as quick as one.
      (sample.roundTrip, sample.lost) = Self.trip(NIODeadline.now() - begin)
      sample.sent += sample.lost
    } catch {
      sample.lost = 1
    }
    return sample
  }

  /// The round trip without the waits for packets to be sent again, and how many those were.
  static func trip(_ took: TimeAmount) -> (Duration, Int) {
    var nanoseconds = took.nanoseconds
    var lost = 0
    var wait: Int64 = 1_000_000_000
    while nanoseconds >= wait, lost < 6 {
      nanoseconds -= wait
      wait *= 2
      lost += 1
    }
    return (.nanoseconds(nanoseconds), lost)
  }

  private func tlsHandler() throws -> NIOSSLClientHandler? {
    guard let tls else { return nil }
    // A name is asked for; an address may not be.
    let name = (try? SocketAddress(ipAddress: target.host, port: target.port)) == nil ? target.host : nil
    return try NIOSSLClientHandler(context: tls, serverHostname: name)
  }

  private var requestBytes: ByteBuffer? {
    guard let path = target.path else { return nil }
    let host = NetworkAddress(host: target.host, port: target.port)
    return ByteBuffer(
      string: "GET \(path) HTTP/1.1\r\nHost: \(host)\r\nUser-Agent: mpaas\r\nAccept: */*\r\n"
        + "Accept-Encoding: identity\r\nConnection: close\r\n\r\n")
  }

  /// Bits a second of a reply, from its first bytes on; nil where it is too short to tell.
  private func rate(of reply: ReplyMeter, on channel: any Channel, _ bytes: ByteBuffer) async -> Double? {
    guard (try? await channel.writeAndFlush(bytes)) != nil else { return nil }
    let timer = channel.eventLoop.scheduleTask(in: limit) { channel.close(promise: nil) }
    defer { timer.cancel() }
    try? await channel.closeFuture.get()
    return await (try? channel.eventLoop.submit { reply.rate }.get()) ?? nil
  }
}

/// Notes when the connection is made, before TLS.
private final class ConnectionClock: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  private let connected: EventLoopPromise<NIODeadline>
  private var isTold = false

  init(_ connected: EventLoopPromise<NIODeadline>) { self.connected = connected }

  func channelActive(context: ChannelHandlerContext) {
    isTold = true
    connected.succeed(.now())
    context.fireChannelActive()
  }

  func channelInactive(context: ChannelHandlerContext) {
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    if !isTold { connected.fail(ChannelError.alreadyClosed) }
  }
}

/// Counts the bytes of a reply; used on the channel's loop only.
private final class ReplyMeter: ChannelInboundHandler, @unchecked Sendable {
  typealias InboundIn = ByteBuffer
  private let enough: Int
  private var count = 0
  private var first: (time: NIODeadline, bytes: Int)?
  private var last = NIODeadline.now()

  init(enough: Int) { self.enough = enough }

  /// nil where all came at once.
  var rate: Double? {
    guard let first, case let bytes = count - first.bytes, bytes >= 16 << 10,
      case let time = (last - first.time).nanoseconds, time > 1_000_000
    else { return nil }
    return Double(bytes) * 8e9 / Double(time)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let bytes = unwrapInboundIn(data).readableBytes
    count += bytes
    last = .now()
    if first == nil { first = (last, bytes) }
    if count >= enough { context.close(promise: nil) }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
