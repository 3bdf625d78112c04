import HummingbirdCore
import Logging
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import MPaaSServer

@Suite("Requests yield to the accepting of connections")
struct YieldingChannelTests {
  @Test("a request is worked on below the priority of what accepts connections, and awaited")
  func priority() async {
    let seen = Seen()
    await Task(priority: .high) { await conversation(seen) { await Task.yield() } }.value
    #expect(seen.priority == .medium)
    #expect(seen.hasEnded)
  }

  @Test("a request is cancelled with the task that accepts connections, and awaited all the same")
  func cancellation() async {
    let seen = Seen()
    let accepting = Task(priority: .high) {
      await conversation(seen) {
        while !Task.isCancelled { await Task.yield() }
      }
    }
    accepting.cancel()
    await accepting.value
    #expect(seen.hasEnded)
  }

  private func conversation(_ seen: Seen, _ work: @escaping @Sendable () async -> Void) async {
    let channel = YieldingChannel(base: ScriptedChannel(seen: seen, work: work))
    await channel.handle(
      value: .init(channel: EmbeddedChannel()),
      logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
  }
}

/// The priority at which a request was worked on, and whether it came to its end.
private final class Seen: Sendable {
  private let state = Mutex<(priority: TaskPriority?, hasEnded: Bool)>((nil, false))

  var priority: TaskPriority? { state.withLock(\.priority) }
  var hasEnded: Bool { state.withLock(\.hasEnded) }

  func begin() { state.withLock { $0.priority = Task.currentPriority } }
  func end() { state.withLock { $0.hasEnded = true } }
}

private struct ScriptedChannel: ServerChildChannel {
  struct Value: ServerChildChannelValue {
    let channel: any Channel
  }

  let seen: Seen
  let work: @Sendable () async -> Void

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
    channel.eventLoop.makeSucceededFuture(Value(channel: channel))
  }

  func handle(value: Value, logger: Logger) async {
    seen.begin()
    await work()
    seen.end()
  }
}
