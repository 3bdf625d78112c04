import MPaaSMock
import NIOCore
import NIOEmbedded
import Testing

@testable import MPaaSMockServing

@Suite("The watch over a connection of the mock's server") struct ConnectionWatchTests {
  /// A connection whose client has 10 seconds for a head and 60 for a body.
  private static func opened() throws -> (channel: EmbeddedChannel, watch: ConnectionWatch) {
    var limits = MockLimits()
    (limits.patience, limits.bodyPatience) = (10, 60)
    let watch = ConnectionWatch(limits)
    let channel = EmbeddedChannel(handler: watch)
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    return (channel, watch)
  }

  @Test("gives each request its whole time anew")
  func renewed() throws {
    let (channel, watch) = try Self.opened()
    for _ in 0..<5 {
      channel.embeddedEventLoop.advanceTime(by: .seconds(9))
      #expect(channel.isActive)
      watch.pause()
      watch.waitForHead()
    }
    channel.embeddedEventLoop.advanceTime(by: .seconds(9))
    #expect(channel.isActive)
    channel.embeddedEventLoop.advanceTime(by: .seconds(2))
    #expect(!channel.isActive)
  }

  @Test("counts the bytes of a head against its time, however often they come")
  func dripped() throws {
    let (channel, _) = try Self.opened()
    for _ in 0..<9 {
      channel.embeddedEventLoop.advanceTime(by: .seconds(1))
      try channel.writeInbound(ByteBuffer(string: "a"))
    }
    #expect(channel.isActive)
    channel.embeddedEventLoop.advanceTime(by: .seconds(1))
    #expect(!channel.isActive)
  }

  @Test("gives a body more time than a head")
  func body() throws {
    let (channel, watch) = try Self.opened()
    watch.waitForBody()
    channel.embeddedEventLoop.advanceTime(by: .seconds(59))
    #expect(channel.isActive)
    channel.embeddedEventLoop.advanceTime(by: .seconds(1))
    #expect(!channel.isActive)
  }

  @Test("waits with a client for an answer as long as it takes")
  func answered() throws {
    let (channel, watch) = try Self.opened()
    watch.pause()
    channel.embeddedEventLoop.advanceTime(by: .hours(1))
    #expect(channel.isActive)
    _ = try? channel.finish()
  }

  @Test("lets a client take an answer slowly, but not for ever")
  func slowTaker() throws {
    let (channel, watch) = try Self.opened()
    channel.isWritable = false
    watch.pause()
    watch.waitForHead()
    channel.embeddedEventLoop.advanceTime(by: .seconds(60))
    #expect(channel.isActive)
    channel.embeddedEventLoop.advanceTime(by: .seconds(20))
    #expect(!channel.isActive)
  }
}
