import NIOCore

final class HTTP2Relay: HTTPFlight {
  let handler: any ChannelHandler
  init(_ service: HTTPService, _ shaping: ShapingHandler, on shard: LoopShard, _ channel: any Channel) throws {
    handler = HTTP1ClientHandler(HTTP1Relay(service, shaping, on: shard))
  }
  func delayAll(by amount: TimeAmount) -> Bool { false }
}
