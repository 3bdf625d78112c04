import Synchronization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Hands what happens to whoever watches; the event loops may tell it at any time.
package final class EventHub: Sendable {
  private struct Watchers {
    var next = 0
    var all: [Int: AsyncStream<NetworkEvent>.Continuation] = [:]
    var isOver = false
  }

  /// The number of events that a watcher may be behind before it loses the oldest.
  private static let backlog = 4096
  private let watchers = Mutex(Watchers())
  private let count = Atomic(0)

  package init() {}

  /// Tells whether somebody watches; a busy proxy asks before it makes an event.
  package var isWatched: Bool { count.load(ordering: .relaxed) > 0 }

  package func note(_ event: NetworkEvent) {
    guard isWatched else { return }
    for watcher in watchers.withLock({ Array($0.all.values) }) { watcher.yield(event) }
  }

  /// Tells that something happens now.
  package func note(
    _ kind: NetworkEvent.Kind, _ proxy: String? = nil, _ details: @autoclosure () -> [String: String] = [:]
  ) {
    guard isWatched else { return }
    note(NetworkEvent(time: .now, kind: kind, proxy: proxy, details: details()))
  }

  package func events() -> AsyncStream<NetworkEvent> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: NetworkEvent.self, bufferingPolicy: .bufferingNewest(Self.backlog))
    let number: Int? = watchers.withLock { watchers in
      guard !watchers.isOver else { return nil }
      watchers.next += 1
      watchers.all[watchers.next] = continuation
      count.store(watchers.all.count, ordering: .relaxed)
      return watchers.next
    }
    guard let number else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [weak self] _ in self?.forget(number) }
    return stream
  }

  package func finish() {
    let all = watchers.withLock { watchers in
      watchers.isOver = true
      defer { watchers.all = [:] }
      return Array(watchers.all.values)
    }
    for watcher in all { watcher.finish() }
  }

  private func forget(_ number: Int) {
    watchers.withLock { watchers in
      watchers.all[number] = nil
      count.store(watchers.all.count, ordering: .relaxed)
    }
  }
}

extension Double {
  /// Seconds since 1970.
  static var now: Double { Date().timeIntervalSince1970 }
}
